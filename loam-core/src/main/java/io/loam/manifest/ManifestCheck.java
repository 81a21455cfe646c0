package io.loam.manifest;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Whether the numbers of a manifest agree with each other. */
final class ManifestCheck {
  private final Manifest manifest;

  private ManifestCheck(Manifest manifest) {
    this.manifest = manifest;
  }

  /** What is wrong, or nothing. */
  static Optional<String> problem(Manifest manifest) {
    try {
      new ManifestCheck(manifest).run();
      return Optional.empty();
    } catch (Contradiction e) {
      return Optional.of(e.getMessage());
    }
  }

  private static final class Contradiction extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Contradiction(String problem) {
      super(problem);
    }
  }

  private void run() {
    require(manifest.version() >= 1, "version is not positive");
    require(
        manifest.parentVersion() >= 0 && manifest.parentVersion() < manifest.version(),
        "parent version is not before the version");
    require(
        manifest.parentPath().isEmpty() == (manifest.parentVersion() == 0),
        "parent path and parent version disagree");
    require(manifest.schemaVersion() >= 1, "schema version is not positive");
    require(!manifest.schemaPath().isEmpty(), "schema path is missing");
    require(manifest.nextRowId() >= 1, "next row id is not positive");
    require(manifest.nextFragmentId() >= 1, "next fragment id is not positive");
    manifest.keyDelta().ifPresent(this::checkFile);
    checkFile(manifest.lanceManifest());
    long live = 0;
    Set<String> ulids = new HashSet<>();
    for (SplitRef split : manifest.splits()) {
      require(ulids.add(split.ulid()), "two splits of one name");
      checkSplit(split);
      live += split.documentCount() - split.deletedCount();
    }
    checkFragments();
    checkTail();
    checkIndexes();
    live += manifest.tail().stream().mapToLong(TailRef::liveRows).sum();
    require(
        live == manifest.liveDocuments(),
        "live documents are %d, splits and tail hold %d".formatted(manifest.liveDocuments(), live));
  }

  private void checkSplit(SplitRef split) {
    String name = "split " + split.ulid();
    require(split.documentCount() >= 1, name + " is empty");
    require(
        split.deletedCount() >= 0 && split.deletedCount() <= split.documentCount(),
        name + " has more deleted documents than documents");
    require(
        split.deletes().isPresent() == (split.deletedCount() > 0),
        name + " has a delete bitmap without deleted documents, or these without it");
    require(
        sum(split.rowIds()) == split.documentCount(),
        name + " has another number of row ids than documents");
    long end = 0;
    for (RowIdRange range : split.rowIds()) {
      require(range.start() >= end, name + " has row ids out of order");
      end = range.end();
    }
    require(
        split.footerStart() >= 0
            && split.footerStart() <= split.footerEnd()
            && split.footerEnd() <= split.bundle().map(FileRef::size).orElse(0L),
        name + " has its footer outside its bundle");
    split.files().forEach(this::checkFile);
  }

  private void checkFragments() {
    int lastId = 0;
    for (FragmentRef fragment : manifest.fragments()) {
      require(fragment.id() > lastId, "fragment %d is out of order".formatted(fragment.id()));
      lastId = fragment.id();
      require(
          sum(fragment.rowIds()) == fragment.physicalRows(),
          "fragment %d has another number of row ids than rows".formatted(fragment.id()));
      fragment.files().forEach(this::checkFile);
      fragment.deletion().ifPresent(this::checkFile);
    }
    require(lastId < manifest.nextFragmentId(), "a fragment's id is past the high-water mark");
  }

  private void checkTail() {
    long end = 0;
    for (TailRef tail : manifest.tail()) {
      String name = "tail from row id " + tail.rowIds().start();
      sum(List.of(tail.rowIds()));
      require(tail.rowIds().start() >= end, name + " is out of order");
      end = tail.rowIds().end();
      require(
          tail.deleted().isEmpty()
              || Integer.toUnsignedLong(tail.deleted().last()) < tail.rowIds().count(),
          name + " has deleted rows that it does not hold");
      checkFile(tail.file());
    }
  }

  private void checkIndexes() {
    Set<String> names = new HashSet<>();
    for (VectorIndexRef index : manifest.indexes()) {
      String name = "index " + index.name();
      require(!index.name().isEmpty(), "an index has no name");
      require(names.add(index.name().toLowerCase(Locale.ROOT)), name + " is there twice");
      require(index.fieldNumber() >= 1 && index.dimension() >= 1, name + " has no vector field");
      Set<String> ulids = new HashSet<>();
      for (SegmentRef segment : index.segments()) {
        require(ulids.add(segment.ulid()), name + " has two segments of one name");
        require(
            segment.vectors() >= 0 && segment.vectors() <= sum(segment.rowIds()),
            name + " has a segment of more vectors than rows");
        checkFile(segment.file());
        checkFile(segment.training());
      }
      long end = 0;
      for (RowIdRange range : index.covered()) {
        require(range.start() >= end, name + " covers a row twice");
        end = range.end();
      }
    }
  }

  /** The number of row ids, each of which must lie below the high-water mark. */
  private long sum(List<RowIdRange> ranges) {
    long sum = 0;
    for (RowIdRange range : ranges) {
      require(range.count() >= 1, "a range of row ids is empty");
      require(
          range.start() >= 1 && range.start() <= manifest.nextRowId() - range.count(),
          "a row id is past the high-water mark");
      sum += range.count();
    }
    return sum;
  }

  private void checkFile(FileRef file) {
    require(
        !file.path().isEmpty() && file.size() >= 0, "a file without path or with negative size");
  }

  private static void require(boolean holds, String problem) {
    if (!holds) {
      throw new Contradiction(problem);
    }
  }
}
