package io.loam.text;

import java.nio.file.Path;

/**
 * A split bundle as written.
 *
 * @param path the local file
 * @param footerStart offset of the bundle's footer
 * @param footerEnd end offset of the footer: the file's length
 */
public record SplitFile(Path path, long footerStart, long footerEnd) {}
