package io.loam.maintain;

/**
 * An object that nothing needs.
 *
 * @param path in the warehouse
 * @param bytes its size
 * @param reason why nothing needs it
 */
public record Garbage(String path, long bytes, String reason) {}
