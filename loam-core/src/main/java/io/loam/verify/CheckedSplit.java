package io.loam.verify;

import io.loam.column.Column;
import io.loam.doc.DocSet;
import io.loam.leaf.RowIdMap;
import io.loam.manifest.RowIdRange;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The documents that a split says it has, and which of their rows were seen. */
final class CheckedSplit {
  private final String object;
  private final List<RowIdRange> rowIds;
  private final RowIdMap map;
  private final @Nullable DocSet live;
  private final Supplier<Map<Integer, Column>> columns;
  private final BitSet seen = new BitSet();

  /**
   * @param object for findings
   * @param live null where damage hides which documents are
   * @param columns decoded typed fields by number, as far as they can be read
   */
  CheckedSplit(
      String object,
      List<RowIdRange> rowIds,
      @Nullable DocSet live,
      Supplier<Map<Integer, Column>> columns) {
    this.object = object;
    this.rowIds = rowIds;
    this.map = new RowIdMap(rowIds);
    this.live = live;
    this.columns = columns;
  }

  String object() {
    return object;
  }

  List<RowIdRange> rowIds() {
    return rowIds;
  }

  Map<Integer, Column> columns() {
    return columns.get();
  }

  int doc(long rowId) {
    return map.position(rowId);
  }

  /** Whether the split says for sure that a row's document is there. */
  boolean isLive(long rowId) {
    return live != null && live.contains(doc(rowId));
  }

  /** Whether the split says for sure that a row's document is gone. */
  boolean isDeleted(long rowId) {
    return live != null && !live.contains(doc(rowId));
  }

  /** Called for each row that was met, or that could not be looked for. */
  void see(long rowId) {
    int doc = doc(rowId);
    if (doc >= 0) {
      seen.set(doc);
    }
  }

  /** Finds live documents that no row was seen of. */
  void findUnseen(Findings findings) {
    for (int doc = seen.nextClearBit(0); doc < map.size(); doc = seen.nextClearBit(doc + 1)) {
      if (isLive(map.rowId(doc))) {
        findings.add(object, "document without a row", "rowId=" + map.rowId(doc));
      }
    }
  }
}
