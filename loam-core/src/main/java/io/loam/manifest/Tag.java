package io.loam.manifest;

/**
 * A name for a version, which keeps it however old it is.
 *
 * @param manifestPath of the version; older manifests cannot be reached from the head any more
 * @param createdAtMillis when the tag was made
 */
public record Tag(long version, String manifestPath, long createdAtMillis) {}
