package io.loam.manifest;

/**
 * The value of a mutable object and the store's tag of the content that it was read from, which a
 * compare-and-swap needs.
 */
public record Versioned<T>(T value, String tag) {}
