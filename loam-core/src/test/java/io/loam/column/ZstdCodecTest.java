package io.loam.column;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.compression.CompressionCodec;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.junit.jupiter.api.Test;

class ZstdCodecTest {
  private static final int NEIGHBOURS = 64;

  /** Buffers of one size lie side by side: what is compressed into one must leave the others. */
  @Test
  void neighboursStayAsTheyAre() {
    CompressionCodec codec = new ZstdCodec.Factory().createCodec(CodecType.ZSTD);
    Random random = new Random(1);
    try (BufferAllocator allocator = ArrowMemory.newAllocator()) {
      for (int length = 400; length < 460; length++) {
        List<ArrowBuf> neighbours = new ArrayList<>();
        for (int i = 0; i < NEIGHBOURS; i++) {
          ArrowBuf neighbour = allocator.buffer(512);
          for (int at = 0; at < 512; at++) {
            neighbour.setByte(at, 0x55);
          }
          neighbours.add(neighbour);
        }
        neighbours.remove(NEIGHBOURS / 2).close(); // where the codec's buffer goes
        ArrowBuf input = allocator.buffer(1_024);
        byte[] noise = new byte[length];
        random.nextBytes(noise);
        input.setBytes(0, noise);
        input.writerIndex(length);
        ArrowBuf compressed = codec.compress(allocator, input);
        byte[] back = new byte[length];
        try (ArrowBuf restored = codec.decompress(allocator, compressed)) {
          restored.getBytes(0, back);
        }
        assertThat(back).isEqualTo(noise);
        for (ArrowBuf neighbour : neighbours) {
          byte[] content = new byte[512];
          neighbour.getBytes(0, content);
          neighbour.close();
          assertThat(content).as("length=" + length).containsOnly(0x55);
        }
      }
    }
  }
}
