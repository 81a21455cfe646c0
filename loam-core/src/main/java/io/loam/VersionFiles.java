package io.loam;

import io.loam.manifest.StoredManifest;

/**
 * Where the files of a version are.
 *
 * @param uri address of the collection's folder, without {@code /} at its end; paths of the
 *     manifest's files are relative to it
 * @param stored the version
 */
public record VersionFiles(String uri, StoredManifest stored) {}
