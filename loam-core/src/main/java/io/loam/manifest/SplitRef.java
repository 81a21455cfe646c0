package io.loam.manifest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A split, the files beside it, and which of its documents are deleted in this version.
 *
 * @param ulid names the split's objects; never reused
 * @param documentCount documents in the split, deleted ones included
 * @param deletedCount documents deleted in this version
 * @param schemaVersion of the schema that it was written with
 * @param rowIds in doc-id order and ascending; the counts sum to {@code documentCount}
 * @param bundle the Quickwit bundle, or nothing for a collection without text fields
 * @param footerStart offset of the bundle's footer
 * @param footerEnd end offset of the bundle's footer
 * @param columns the column file
 * @param tokens token files by field number
 * @param sparse inverted files by field number
 * @param codes code files of vector fields by field number, where there are enough documents
 * @param text facts by text field
 * @param deletes the delete bitmap, or nothing while no document is deleted
 */
public record SplitRef(
    String ulid,
    int documentCount,
    int deletedCount,
    int schemaVersion,
    List<RowIdRange> rowIds,
    Optional<FileRef> bundle,
    long footerStart,
    long footerEnd,
    FileRef columns,
    Map<Integer, FileRef> tokens,
    Map<Integer, FileRef> sparse,
    Map<Integer, FileRef> codes,
    List<TextStats> text,
    Optional<FileRef> deletes) {

  public SplitRef {
    rowIds = List.copyOf(rowIds);
    tokens = Map.copyOf(tokens);
    sparse = Map.copyOf(sparse);
    codes = Map.copyOf(codes);
    text = List.copyOf(text);
  }

  /** All of the split's objects, the delete bitmap among them. */
  public List<FileRef> files() {
    List<FileRef> files = new ArrayList<>();
    bundle.ifPresent(files::add);
    deletes.ifPresent(files::add);
    files.add(columns);
    files.addAll(tokens.values());
    files.addAll(sparse.values());
    files.addAll(codes.values());
    return files;
  }

  /** The same split with another delete bitmap. */
  public SplitRef withDeletes(FileRef bitmap, int count) {
    return new SplitRef(
        ulid,
        documentCount,
        count,
        schemaVersion,
        rowIds,
        bundle,
        footerStart,
        footerEnd,
        columns,
        tokens,
        sparse,
        codes,
        text,
        Optional.of(bitmap));
  }
}
