package io.loam.manifest;

/** A manifest and the path that it was read from. */
public record StoredManifest(String path, Manifest manifest) {}
