package io.loam.manifest;

/**
 * An object with its length in bytes and the CRC32C of its content.
 *
 * @param path relative to the collection's folder
 */
public record FileRef(String path, long size, int crc32c) {}
