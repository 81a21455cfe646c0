package io.loam.manifest;

import java.util.zip.CRC32C;

/**
 * An object with its length in bytes and the CRC32C of its content.
 *
 * @param path relative to the collection's folder
 */
public record FileRef(String path, long size, int crc32c) {

  /** An object with this content. */
  public static FileRef of(String path, byte[] content) {
    CRC32C crc = new CRC32C();
    crc.update(content);
    return new FileRef(path, content.length, (int) crc.getValue());
  }
}
