package io.loam.query;

import io.loam.column.ColumnSource;
import io.loam.column.Predicate;
import io.loam.doc.DocSet;
import io.loam.text.TextQuery;
import io.loam.text.TextSearch;

/** Documents whose text matches; a missing text does not. Evaluated over leaves only. */
public record TextMatch(TextQuery query) implements Predicate.OnDocuments {

  @Override
  public DocSet documents(ColumnSource leaf, DocSet candidates) {
    return TextSearch.matches(query, ((LeafView) leaf).leaf());
  }
}
