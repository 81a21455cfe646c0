package io.loam.lance;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.RowIdRange;
import io.loam.schema.CollectionSchema;
import java.util.List;
import java.util.stream.IntStream;
import org.lance.FragmentMetadata;
import org.lance.fragment.DataFile;
import org.lance.schema.LanceField;

/** A fragment whose data file is written and which any number of commits may add to a version. */
public final class WrittenFragment {
  private final int id;
  private final List<RowIdRange> rowIds;
  private final FragmentMetadata metadata;
  private final CollectionSchema schema;

  /**
   * @param schema that its rows were written with
   */
  WrittenFragment(
      int id, List<RowIdRange> rowIds, FragmentMetadata metadata, CollectionSchema schema) {
    this.id = id;
    this.schema = schema;
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

  /** The same fragment, whose one data file has another name. */
  public WrittenFragment inFile(String name) {
    DataFile file = metadata.getFiles().get(0);
    DataFile renamed = like(file, name, file.getFields());
    return new WrittenFragment(id, rowIds, with(renamed), schema);
  }

  private FragmentMetadata with(DataFile file) {
    return new FragmentMetadata(
        id, List.of(file), metadata.getPhysicalRows(), null, metadata.getRowIdMeta());
  }

  private static DataFile like(DataFile file, String name, int[] columns) {
    return new DataFile(
        name,
        columns,
        file.getColumnIndices(),
        file.getFileMajorVersion(),
        file.getFileMinorVersion(),
        file.getFileSizeBytes(),
        file.getBaseId().orElse(null));
  }

  boolean isOfFirstSchema() {
    return schema.version() == 1;
  }

  /** The fragment as part of a dataset whose columns are those of its file. */
  FragmentMetadata metadata() {
    return metadata;
  }

  /**
   * The fragment as part of a dataset with these columns. Lance numbers the columns of a file by
   * their places in it, and takes the numbers for those of the dataset.
   */
  FragmentMetadata metadata(List<LanceField> dataset) {
    List<String> columns = LanceColumns.names(LanceColumns.arrow(schema));
    DataFile file = metadata.getFiles().get(0);
    int[] numbers =
        columns.stream()
            .flatMapToInt(
                name ->
                    dataset.stream()
                        .filter(f -> f.getName().equals(name))
                        .flatMapToInt(WrittenFragment::leaves))
            .toArray();
    if (numbers.length != file.getFields().length) {
      throw new LoamException(
          ErrorCode.INTERNAL,
          "dataset lacks columns of a fragment: columns="
              + columns
              + ", dataset="
              + dataset.stream().map(LanceField::getName).toList()
              + "; report this");
    }
    return with(like(file, file.getPath(), numbers));
  }

  /** A file has the innermost columns only. */
  private static IntStream leaves(LanceField field) {
    return field.getChildren().isEmpty()
        ? IntStream.of(field.getId())
        : field.getChildren().stream().flatMapToInt(WrittenFragment::leaves);
  }
}
