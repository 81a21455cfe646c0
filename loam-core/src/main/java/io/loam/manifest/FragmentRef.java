package io.loam.manifest;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A Lance fragment: where its rows are and which of them are deleted in this version.
 *
 * @param id unique in the collection for ever, at least 1
 * @param physicalRows rows in the fragment's files, deleted ones included
 * @param rowIds in the order of the rows; the counts sum to {@code physicalRows}
 * @param files data files
 * @param deletion Lance's deletion file, if any
 */
public record FragmentRef(
    int id,
    int physicalRows,
    List<RowIdRange> rowIds,
    List<FileRef> files,
    Optional<FileRef> deletion) {
  public FragmentRef {
    rowIds = List.copyOf(rowIds);
    files = List.copyOf(files);
  }

  /** Data files and the deletion file. */
  public List<FileRef> allFiles() {
    return Stream.concat(files.stream(), deletion.stream()).toList();
  }
}
