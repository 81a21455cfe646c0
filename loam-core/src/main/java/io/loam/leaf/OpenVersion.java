package io.loam.leaf;

import io.loam.column.KeywordOrdinals;
import io.loam.doc.KeyOrder;
import io.loam.lance.LanceReader;
import io.loam.manifest.Manifest;
import io.loam.manifest.RowIdRanges;
import io.loam.schema.CollectionSchema;
import io.loam.schema.SparseVector;
import io.loam.vector.Metric;
import io.loam.vector.VectorLeaf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.RoaringBitmap;

/** One version of a collection with its leaves open. Safe for use by several threads. */
public final class OpenVersion {
  /** Of one field, so that they are small beside the columns. */
  private static final int MOST_ORDINALS = 1 << 16;

  private final CollectionFiles files;
  private final Manifest manifest;
  private final CollectionSchema schema;
  private final List<OpenSplit> splits;
  private final List<Leaf> leaves;
  private final FragmentMap fragments;
  private final VersionDataset dataset;

  /** Whether rows were added or taken away in memory. */
  private final boolean changed;

  /** Rows in memory by their first row id. */
  private final NavigableMap<Long, MemoryRows> memory = new TreeMap<>();

  /** By name of the index. */
  private final Map<String, VersionIndex> indexes = new ConcurrentHashMap<>();

  /** By field. */
  private final Map<Integer, KeywordOrdinals> ordinals = new ConcurrentHashMap<>();

  private int users;

  OpenVersion(
      CollectionFiles files, Manifest manifest, CollectionSchema schema, List<OpenSplit> splits) {
    this.files = files;
    this.manifest = manifest;
    this.schema = schema;
    this.splits = splits;
    this.fragments = new FragmentMap(manifest.fragments());
    this.dataset = new VersionDataset(files, manifest, fragments);
    this.leaves = new ArrayList<>();
    this.changed = false;
  }

  private OpenVersion(OpenVersion committed, List<Leaf> leaves) {
    this.files = committed.files;
    this.manifest = committed.manifest;
    this.schema = committed.schema;
    this.splits = committed.splits;
    this.fragments = committed.fragments;
    this.leaves = leaves;
    this.dataset = committed.dataset;
    this.changed = true;
    indexMemory();
  }

  /**
   * This version without some of its rows and with others that are in memory only. It serves as
   * long as this one is open, and is not closed.
   *
   * @param removed row ids of live documents
   * @param added with successive row ids
   * @param isLive whether the i-th of the added rows is still there
   */
  public OpenVersion with(long[] removed, List<MemoryRows> added, IntPredicate isLive) {
    List<Leaf> changed = new ArrayList<>();
    for (Leaf leaf : leaves) {
      int[] docs = Arrays.stream(removed).mapToInt(leaf::doc).filter(d -> d >= 0).toArray();
      changed.add(docs.length == 0 ? leaf : without(leaf, docs));
    }
    int first = 0;
    for (MemoryRows rows : added) {
      RoaringBitmap gone = new RoaringBitmap();
      for (int i = 0; i < rows.size(); i++) {
        if (!isLive.test(first + i)) {
          gone.add(i);
        }
      }
      changed.add(new TailLeaf(rows, gone));
      first += rows.size();
    }
    return new OpenVersion(this, changed);
  }

  private static Leaf without(Leaf leaf, int[] docs) {
    return leaf instanceof SplitLeaf split ? split.without(docs) : ((TailLeaf) leaf).without(docs);
  }

  /** Opens the leaves; called once, before the version is shared. */
  void openLeaves(LeafLoader loader) {
    for (int i = 0; i < splits.size(); i++) {
      leaves.add(loader.split(manifest.splits().get(i), splits.get(i)));
    }
    manifest.tail().forEach(t -> leaves.add(loader.tail(t, schema)));
    indexMemory();
  }

  private void indexMemory() {
    for (Leaf leaf : leaves) {
      if (leaf instanceof TailLeaf tail) {
        memory.put(tail.rows().rowIds().start(), tail.rows());
      }
    }
  }

  private Optional<MemoryRows> inMemory(long rowId) {
    return Optional.ofNullable(memory.floorEntry(rowId))
        .map(Map.Entry::getValue)
        .filter(rows -> rows.rowIds().contains(rowId));
  }

  public Manifest manifest() {
    return manifest;
  }

  public CollectionSchema schema() {
    return schema;
  }

  /** Splits first, in the manifest's order, then the tail. */
  public List<Leaf> leaves() {
    return leaves;
  }

  /** Which fragment holds a row; none does for rows of the tail. */
  public FragmentMap fragments() {
    return fragments;
  }

  /** The order of keys of documents of {@link #leaves}. */
  public KeyOrder keyOrder() {
    return (leaf1, doc1, leaf2, doc2) ->
        leaves.get(leaf1).keys().compare(doc1, leaves.get(leaf2).keys(), doc2);
  }

  /** Documents of this version, rows in memory among them. */
  public long liveDocuments() {
    return !changed
        ? manifest.liveDocuments()
        : leaves.stream().mapToLong(leaf -> leaf.live().cardinality()).sum();
  }

  /** Documents as JSON. */
  public String[] sources(long[] rowIds) {
    return late(rowIds, String[]::new, MemoryRows::source, LanceReader::sources);
  }

  /** Values of a vector field; null where there is none. */
  public float @Nullable [][] vectors(int fieldNumber, long[] rowIds) {
    return late(
        rowIds,
        float[][]::new,
        (rows, rowId) -> rows.vector(fieldNumber, rowId),
        (lance, committedIds) -> lance.vectors(fieldNumber, committedIds));
  }

  /** Values of a sparse vector field; null where there is none. */
  public @Nullable SparseVector[] sparse(int fieldNumber, long[] rowIds) {
    return late(
        rowIds,
        SparseVector[]::new,
        (rows, rowId) -> rows.sparse(fieldNumber, rowId),
        (lance, committedIds) -> lance.sparse(fieldNumber, committedIds));
  }

  /** Values that are no columns: from memory for rows that are there, else from the dataset. */
  private <T extends @Nullable Object> T[] late(
      long[] rowIds,
      IntFunction<T[]> array,
      BiFunction<MemoryRows, Long, T> fromMemory,
      BiFunction<LanceReader, long[], T[]> fromDataset) {
    if (memory.isEmpty()) {
      return fromDataset.apply(dataset.reader(rowIds), rowIds);
    }
    T[] values = array.apply(rowIds.length);
    int[] places = new int[rowIds.length];
    int stored = 0;
    for (int i = 0; i < rowIds.length; i++) {
      long rowId = rowIds[i];
      Optional<MemoryRows> rows = inMemory(rowId);
      if (rows.isPresent()) {
        values[i] = fromMemory.apply(rows.get(), rowId);
      } else {
        places[stored++] = i;
      }
    }
    if (stored > 0) {
      long[] storedIds = new long[stored];
      for (int i = 0; i < stored; i++) {
        storedIds[i] = rowIds[places[i]];
      }
      T[] read = fromDataset.apply(dataset.reader(storedIds), storedIds);
      for (int i = 0; i < stored; i++) {
        values[places[i]] = read[i];
      }
    }
    return values;
  }

  /** The vectors of a leaf's documents. */
  public VectorLeaf vectors(Leaf leaf, int fieldNumber) {
    return leaf instanceof TailLeaf tail
        ? new MemoryVectors(tail.rows(), fieldNumber)
        : new StoredVectors(files, manifest, fragments, dataset, leaf, schema.field(fieldNumber));
  }

  /** Of the indexes of a vector field for a metric, the one whose segments cover most rows. */
  public Optional<VersionIndex> index(int fieldNumber, Metric metric) {
    return manifest.indexes().stream()
        .filter(i -> i.fieldNumber() == fieldNumber && !i.segments().isEmpty())
        .filter(i -> i.metric().equalsIgnoreCase(metric.name()))
        .max(Comparator.comparingLong(i -> RowIdRanges.count(i.covered())))
        .map(i -> indexes.computeIfAbsent(i.name(), n -> new VersionIndex(files, i, leaves)));
  }

  /**
   * Ordinals of a field's keywords by the place of the leaf, which are kept; empty where there are
   * too many keywords for that, or so many that it would not pay.
   *
   * @param rows that they are wanted for
   */
  public Optional<KeywordOrdinals> ordinals(int fieldNumber, long rows) {
    KeywordOrdinals known = ordinals.get(fieldNumber);
    if (known != null) {
      return Optional.of(known);
    }
    Optional<KeywordOrdinals> made =
        KeywordOrdinals.of(leaves, fieldNumber, Math.min(MOST_ORDINALS, rows));
    made.ifPresent(of -> ordinals.put(fieldNumber, of));
    return made;
  }

  /** The version's Lance dataset, ready to read a fragment. */
  public LanceReader reader(int fragmentId) {
    return dataset.reader(
        manifest.fragments().stream().filter(f -> f.id() == fragmentId).findFirst().orElseThrow());
  }

  List<OpenSplit> splits() {
    return splits;
  }

  int addUser(int change) {
    users += change;
    return users;
  }

  void close() {
    dataset.close();
  }
}
