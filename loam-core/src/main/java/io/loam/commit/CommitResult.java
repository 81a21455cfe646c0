package io.loam.commit;

/**
 * What a commit did.
 *
 * @param version the new version, or the version it found where there was nothing to do
 * @param inserted documents added under new keys
 * @param updated documents that replaced others
 * @param deleted documents removed
 */
public record CommitResult(long version, long inserted, long updated, long deleted) {}
