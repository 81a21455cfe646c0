package io.loam;

import io.loam.query.BatchCursor;
import io.loam.query.RowBatch;
import io.loam.query.SearchRequest;
import io.loam.query.Snapshot;
import java.util.ArrayList;
import java.util.List;

/** Reads whole results. */
public final class Reads {
  private Reads() {}

  public static List<Object[]> rows(Snapshot snapshot, SearchRequest request) {
    List<Object[]> rows = new ArrayList<>();
    try (BatchCursor cursor = snapshot.query(request)) {
      for (RowBatch batch = cursor.next(); batch != null; batch = cursor.next()) {
        for (int i = 0; i < batch.size(); i++) {
          int row = i;
          rows.add(batch.columns().stream().map(c -> c.get(row)).toArray());
        }
      }
    }
    return rows;
  }
}
