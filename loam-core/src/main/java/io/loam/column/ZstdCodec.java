package io.loam.column;

import com.github.luben.zstd.Zstd;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import org.apache.arrow.compression.ZstdCompressionCodec;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.compression.CompressionCodec;
import org.apache.arrow.vector.compression.CompressionUtil;

/**
 * Arrow's zstd codec, but for how much room it names. Arrow tells zstd of eight bytes more than
 * there are behind the length, and zstd may write up to the end of its room before it knows the
 * size: into whatever buffer comes next.
 */
final class ZstdCodec extends ZstdCompressionCodec {

  /** Gives this codec for zstd, the only one that column files use. */
  static final class Factory implements CompressionCodec.Factory {
    @Override
    public CompressionCodec createCodec(CompressionUtil.CodecType type) {
      if (type != CompressionUtil.CodecType.ZSTD) {
        throw new IllegalArgumentException("codec=" + type);
      }
      return new ZstdCodec();
    }

    @Override
    public CompressionCodec createCodec(CompressionUtil.CodecType type, int level) {
      return createCodec(type);
    }
  }

  @Override
  protected ArrowBuf doCompress(BufferAllocator allocator, ArrowBuf uncompressed) {
    long length = uncompressed.writerIndex();
    long room = Zstd.compressBound(length);
    ArrowBuf compressed = allocator.buffer(CompressionUtil.SIZE_OF_UNCOMPRESSED_LENGTH + room);
    long written =
        Zstd.compressUnsafe(
            compressed.memoryAddress() + CompressionUtil.SIZE_OF_UNCOMPRESSED_LENGTH,
            room,
            uncompressed.memoryAddress(),
            length,
            Zstd.defaultCompressionLevel());
    if (Zstd.isError(written)) {
      compressed.close();
      throw new LoamException(
          ErrorCode.INTERNAL,
          "cannot compress a column: problem=" + Zstd.getErrorName(written) + "; report this");
    }
    compressed.writerIndex(CompressionUtil.SIZE_OF_UNCOMPRESSED_LENGTH + written);
    return compressed;
  }
}
