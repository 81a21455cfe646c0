package io.loam.manifest;

import io.loam.manifest.Manifest.CommitKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.roaringbitmap.RoaringBitmap;

/** Consistent manifests of random shape. */
final class RandomManifests {
  private final Random random;
  private long nextRow = 1;
  private int nextFragment = 1;

  RandomManifests(long seed) {
    this.random = new Random(seed);
  }

  Manifest next() {
    nextRow = 1;
    nextFragment = 1;
    List<SplitRef> splits = new ArrayList<>();
    List<FragmentRef> fragments = new ArrayList<>();
    List<TailRef> tail = new ArrayList<>();
    long live = 0;
    for (int i = random.nextInt(4); i > 0; i--) {
      SplitRef split = split(i);
      splits.add(split);
      live += split.documentCount() - split.deletedCount();
      fragments.add(fragment(split.rowIds()));
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      RowIdRange range = range();
      RoaringBitmap deleted = new RoaringBitmap();
      for (int doc = 0; doc < range.count(); doc++) {
        if (random.nextInt(5) == 0) {
          deleted.add(doc);
        }
      }
      tail.add(new TailRef(file("tail/"), range, 1, deleted));
      live += range.count() - deleted.getCardinality();
    }
    long version = 1L + random.nextInt(9);
    return new Manifest(
        version,
        version - 1,
        version == 1 ? "" : "collections/c/manifests/parent",
        1 + random.nextInt(3),
        "collections/c/schemas/1-x.json",
        random.nextLong(1L << 45),
        random.nextBoolean() ? CommitKind.WRITE : CommitKind.MAINTENANCE,
        random.nextBoolean() ? 1 : Long.MIN_VALUE | random.nextLong(),
        file("lance/_versions/"),
        splits,
        fragments,
        tail,
        indexes(nextRow),
        nextRow + random.nextInt(5),
        nextFragment + random.nextInt(5),
        live,
        optionalFile("keys/"));
  }

  private List<VectorIndexRef> indexes(long nextRow) {
    List<VectorIndexRef> indexes = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      List<SegmentRef> segments = new ArrayList<>();
      for (long row = 1; row + 4 < nextRow; row += 4) {
        RowIdRange range = new RowIdRange(row, 1 + random.nextInt(3));
        segments.add(
            new SegmentRef(
                "segment" + row,
                file("segments/"),
                file("training/"),
                List.of(range),
                random.nextInt(range.count() + 1)));
      }
      indexes.add(
          new VectorIndexRef(
              "index" + (3 - i),
              1 + random.nextInt(4),
              "ivf_sq",
              "l2",
              1 + random.nextInt(100),
              random.nextBoolean() ? Map.of() : Map.of("partitions", "8", "nprobes", "2"),
              segments));
    }
    return indexes;
  }

  private SplitRef split(int name) {
    List<RowIdRange> ranges = ranges();
    int documents = ranges.stream().mapToInt(RowIdRange::count).sum();
    int deleted = random.nextInt(documents + 1);
    Optional<FileRef> bundle = optionalFile("text/");
    long footer = bundle.map(FileRef::size).orElse(0L);
    return new SplitRef(
        "split" + name,
        documents,
        deleted,
        1,
        ranges,
        bundle,
        footer / 2,
        footer,
        file("text/columns/"),
        files(),
        files(),
        files(),
        List.of(new TextStats(2, random.nextLong(1L << 40), random.nextInt(1 << 20))),
        deleted == 0 ? Optional.empty() : Optional.of(file("text/deletes/")));
  }

  private FragmentRef fragment(List<RowIdRange> ranges) {
    return new FragmentRef(
        nextFragment++,
        ranges.stream().mapToInt(RowIdRange::count).sum(),
        ranges,
        List.of(file("lance/data/")),
        optionalFile("lance/_deletions/"));
  }

  private List<RowIdRange> ranges() {
    int count = random.nextInt(60) == 0 ? 60 + random.nextInt(200) : 1 + random.nextInt(3);
    RowIdRange[] ranges = new RowIdRange[count];
    Arrays.setAll(ranges, i -> range());
    return List.of(ranges);
  }

  private RowIdRange range() {
    nextRow += random.nextInt(3);
    RowIdRange range = new RowIdRange(nextRow, 1 + random.nextInt(300));
    nextRow = range.end();
    return range;
  }

  private Map<Integer, FileRef> files() {
    Map<Integer, FileRef> files = new HashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      files.put(1 + random.nextInt(1000), file("text/field/"));
    }
    return files;
  }

  private Optional<FileRef> optionalFile(String folder) {
    return random.nextBoolean() ? Optional.of(file(folder)) : Optional.empty();
  }

  private FileRef file(String folder) {
    return new FileRef(
        folder + Long.toHexString(random.nextLong()), random.nextLong(1L << 40), random.nextInt());
  }
}
