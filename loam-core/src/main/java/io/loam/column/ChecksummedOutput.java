package io.loam.column;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.CRC32C;

/** Counts the bytes written, and takes CRC32C over parts of them. */
final class ChecksummedOutput extends FilterOutputStream {
  private final CRC32C crc = new CRC32C();
  private long position;

  ChecksummedOutput(OutputStream out) {
    super(out);
  }

  long position() {
    return position;
  }

  void startChecksum() {
    crc.reset();
  }

  /** CRC32C of what was written since {@link #startChecksum}. */
  int checksum() {
    return (int) crc.getValue();
  }

  @Override
  public void write(int b) throws IOException {
    out.write(b);
    crc.update(b);
    position++;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    out.write(bytes, offset, length);
    crc.update(bytes, offset, length);
    position += length;
  }
}
