package io.loam.index;

import io.loam.leaf.CollectionFiles;
import io.loam.leaf.Leaf;
import io.loam.leaf.OpenVersion;
import io.loam.leaf.RowIdMap;
import io.loam.leaf.VersionIndex;
import io.loam.manifest.FileRef;
import io.loam.manifest.FragmentRef;
import io.loam.manifest.RowIdRange;
import io.loam.manifest.RowIdRanges;
import io.loam.manifest.VectorIndexRef;
import io.loam.store.Envelope;
import io.loam.store.FreshObject;
import io.loam.store.Ulid;
import io.loam.vector.IndexKind;
import io.loam.vector.IndexOptions;
import io.loam.vector.Metric;
import io.loam.vector.SegmentFile;
import io.loam.vector.Training;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;

/** Plans what is built of an index: trains once, and divides the rows into parts. */
final class IndexPlanner {
  private static final long SEED = 0x4C6F616D33L;
  private static final int MAX_LISTS = 16_384;
  private static final int READ_ROWS = 2_048;

  private final CollectionFiles files;
  private final OpenVersion version;
  private final VectorIndexRef index;
  private final Metric metric;
  private final IndexOptions options;
  private final Runnable checkpoint;

  /**
   * @param version whose rows are read
   */
  IndexPlanner(
      CollectionFiles files, OpenVersion version, VectorIndexRef index, Runnable checkpoint) {
    this.files = files;
    this.version = version;
    this.index = index.withSegments(List.of());
    this.metric = Metric.valueOf(index.metric().toUpperCase(Locale.ROOT));
    this.options = IndexOptions.of(index.options());
    this.checkpoint = checkpoint;
  }

  /** Rows of a version's fragments, ascending. */
  static List<RowIdRange> rowIds(List<FragmentRef> fragments) {
    List<RowIdRange> ranges = new ArrayList<>();
    fragments.forEach(fragment -> ranges.addAll(fragment.rowIds()));
    return RowIdRanges.ascending(ranges);
  }

  /** How many parts a plan has. */
  enum Parts {
    /** As many as it takes for segments to have the size that the index declares. */
    BY_SIZE,
    ONE
  }

  /**
   * A plan for some rows; nothing where there are none. Its training is stored.
   *
   * @param rowIds ascending; those that are not in the version's fragments are covered, too
   */
  Optional<BuildPlan> plan(String manifestPath, List<RowIdRange> rowIds, Parts wanted) {
    if (rowIds.isEmpty()) {
      return Optional.empty();
    }
    List<RowIdRange> present =
        RowIdRanges.intersection(
            RowIdRanges.intersection(rowIds, rowIds(version.manifest().fragments())), live());
    long rows = RowIdRanges.count(present);
    int lists = options.partitions().orElse(lists(rows));
    float[] sample =
        sample(present, Math.max(Training.LEAST_SAMPLE, (long) Training.SAMPLE_PER_LIST * lists));
    Training training =
        Training.learn(
            IndexKind.named(index.kind()),
            metric,
            index.dimension(),
            sample,
            lists,
            options.subVectors(index.dimension()),
            checkpoint);
    long mostRows = Math.max(1, options.maxSegmentBytes() / SegmentFile.bytesPerRow(training));
    long parts = wanted == Parts.ONE ? 1 : Math.max(1, (rows + mostRows - 1) / mostRows);
    return Optional.of(
        new BuildPlan(
            manifestPath,
            index,
            store(training),
            parts(rowIds, present, parts).stream()
                .map(part -> new BuildPlan.Part(Ulid.next(), part))
                .toList()));
  }

  /** Row ids of live documents, ascending. */
  private List<RowIdRange> live() {
    List<RowIdRange> live = new ArrayList<>();
    for (Leaf leaf : version.leaves()) {
      RowIdRanges ranges = new RowIdRanges();
      leaf.live().forEach(doc -> ranges.add(leaf.rowId(doc)));
      live.addAll(ranges.toList());
    }
    return RowIdRanges.ascending(live);
  }

  private static int lists(long rows) {
    return (int) Math.max(1, Math.min(MAX_LISTS, Math.round(Math.sqrt((double) rows))));
  }

  private FileRef store(Training training) {
    String path = "training/" + Ulid.next() + ".bin";
    byte[] content =
        Envelope.wrap(VersionIndex.TRAINING_MAGIC, VersionIndex.TRAINING_FORMAT, training.encode());
    FreshObject.put(files.store(), files.folder() + path, content);
    return FileRef.of(path, content);
  }

  /** Vectors of rows at random, but the same for the same rows. */
  private float[] sample(List<RowIdRange> rowIds, long wanted) {
    RowIdMap map = new RowIdMap(rowIds);
    int size = (int) Math.min(map.size(), wanted);
    SplittableRandom random = new SplittableRandom(SEED);
    float[] sample = new float[Math.multiplyExact(size, index.dimension())];
    int found = 0;
    for (int from = 0; from < size; from += READ_ROWS) {
      checkpoint.run();
      long[] chosen = new long[Math.min(READ_ROWS, size - from)];
      for (int i = 0; i < chosen.length; i++) {
        // One of each of as many stretches of equal length.
        double place = (from + i + random.nextDouble()) * map.size() / size;
        chosen[i] = map.rowId(Math.min(map.size() - 1, (int) place));
      }
      for (float[] vector : version.vectors(index.fieldNumber(), chosen)) {
        if (vector != null && Training.canLearn(metric, vector)) {
          System.arraycopy(vector, 0, sample, found++ * vector.length, vector.length);
        }
      }
    }
    // Rows without any vector are covered, too, by one list that is empty.
    return Arrays.copyOf(sample, Math.max(1, found) * index.dimension());
  }

  /** Parts of the row ids, each of about as many that are present. */
  private static List<List<RowIdRange>> parts(
      List<RowIdRange> rowIds, List<RowIdRange> present, long count) {
    RowIdMap map = new RowIdMap(present);
    List<List<RowIdRange>> parts = new ArrayList<>();
    long start = 0;
    for (int part = 1; part <= count; part++) {
      long end =
          part == count ? Long.MAX_VALUE : map.rowId((int) ((long) map.size() * part / count));
      List<RowIdRange> rows = new ArrayList<>();
      for (RowIdRange range : rowIds) {
        long from = Math.max(start, range.start());
        long to = Math.min(end, range.end());
        if (from < to) {
          rows.add(new RowIdRange(from, (int) (to - from)));
        }
      }
      parts.add(rows);
      start = end;
    }
    return parts;
  }
}
