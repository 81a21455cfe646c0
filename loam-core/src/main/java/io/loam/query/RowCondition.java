package io.loam.query;

import io.loam.column.ColumnSource;
import io.loam.column.Predicate;
import io.loam.doc.DocSet;
import java.util.BitSet;
import java.util.List;

/**
 * A condition that is computed from the values of each row. Evaluated over leaves only.
 *
 * @param columns what the rows that are tested hold, none of which is of a search
 */
public record RowCondition(List<OutputColumn> columns, RowTest test)
    implements Predicate.OnDocuments {
  public RowCondition {
    columns = List.copyOf(columns);
  }

  /** Tests rows. */
  @FunctionalInterface
  public interface RowTest {
    /** The rows of a batch that the condition is true for; where it is unknown it is not. */
    BitSet passing(RowBatch batch);
  }

  @Override
  public DocSet documents(ColumnSource leaf, DocSet candidates) {
    long[] words = new long[DocSet.wordCount(candidates.size())];
    try (BatchCursor rows = ((LeafView) leaf).rows(candidates, columns)) {
      int doc = candidates.next(0);
      for (RowBatch batch = rows.next(); batch != null; batch = rows.next()) {
        BitSet passing = test.passing(batch);
        for (int row = 0; row < batch.size(); row++) {
          words[doc >>> 6] |= (passing.get(row) ? 1L : 0L) << doc;
          doc = candidates.next(doc + 1);
        }
      }
    }
    return DocSet.ofWords(words, candidates.size());
  }
}
