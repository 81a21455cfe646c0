package io.loam.query;

import io.loam.column.Column;
import io.loam.column.ColumnSource;
import io.loam.doc.DocSet;
import io.loam.leaf.Leaf;
import io.loam.leaf.OpenVersion;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** One leaf of a version, for conditions that ask for more than its columns. */
record LeafView(OpenVersion version, int ordinal) implements ColumnSource {

  Leaf leaf() {
    return version.leaves().get(ordinal);
  }

  @Override
  public Optional<Column> column(int fieldNumber) {
    return leaf().column(fieldNumber);
  }

  /** The values of some documents, in the order of their ids. */
  BatchCursor rows(DocSet docs, List<OutputColumn> columns) {
    List<DocSet> sets =
        IntStream.range(0, version.leaves().size())
            .mapToObj(i -> i == ordinal ? docs : DocSet.none(0))
            .toList();
    return new RowCursor(
        version,
        columns,
        DocSequence.of(sets, 0, OptionalLong.empty()),
        ScoredRows.NONE,
        new QueryProfile());
  }
}
