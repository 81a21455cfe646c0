package io.loam.lance;

import io.loam.manifest.RowIdRange;
import java.util.List;
import org.lance.FragmentMetadata;

/** A fragment whose data file is written and which any number of commits may add to a version. */
public final class WrittenFragment {
  private final int id;
  private final List<RowIdRange> rowIds;
  private final FragmentMetadata metadata;

  WrittenFragment(int id, List<RowIdRange> rowIds, FragmentMetadata metadata) {
    this.id = id;
    this.rowIds = List.copyOf(rowIds);
    this.metadata = metadata;
  }

  /** The fragment id, at least 1. */
  public int id() {
    return id;
  }

  /** Row ids in the order of the rows. */
  public List<RowIdRange> rowIds() {
    return rowIds;
  }

  public int rows() {
    return Math.toIntExact(metadata.getPhysicalRows());
  }

  /** Paths of the data files, relative to the dataset; not yet on stable storage. */
  public List<String> files() {
    return metadata.getFiles().stream().map(f -> LanceNames.data(f.getPath())).toList();
  }

  FragmentMetadata metadata() {
    return metadata;
  }
}
