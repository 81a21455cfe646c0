package io.loam.store;

import io.loam.store.ObjectStore.ObjectInfo;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects the objects under a folder, without names that start with a dot. */
final class FolderListing extends SimpleFileVisitor<Path> {
  private final Path root;
  private final String prefix;
  private final List<ObjectInfo> found = new ArrayList<>();

  private FolderListing(Path root, String prefix) {
    this.root = root;
    this.prefix = prefix;
  }

  /** Objects under {@code folder} whose path from {@code root} starts with {@code prefix}. */
  static List<ObjectInfo> of(Path root, Path folder, String prefix) throws IOException {
    FolderListing listing = new FolderListing(root, prefix);
    Files.walkFileTree(folder, listing);
    listing.found.sort(Comparator.comparing(ObjectInfo::path));
    return listing.found;
  }

  @Override
  public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
    if (folder.equals(root)) {
      return FileVisitResult.CONTINUE;
    }
    String path = root.relativize(folder) + "/";
    boolean wanted = path.startsWith(prefix) || prefix.startsWith(path);
    return wanted && !isHidden(folder) ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
    String path = root.relativize(file).toString();
    if (attributes.isRegularFile() && path.startsWith(prefix) && !isHidden(file)) {
      found.add(new ObjectInfo(path, attributes.size(), attributes.lastModifiedTime().toMillis()));
    }
    return FileVisitResult.CONTINUE;
  }

  /** Files and folders may go while we look. */
  @Override
  public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
    if (failure instanceof NoSuchFileException) {
      return FileVisitResult.CONTINUE;
    }
    throw failure;
  }

  private static boolean isHidden(Path path) {
    return path.getFileName().toString().startsWith(".");
  }
}
