package io.loam.calcite;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.apache.calcite.DataContext;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelFieldCollation.NullDirection;
import org.jspecify.annotations.Nullable;

/** ORDER BY, OFFSET and LIMIT over the rows of groups. */
record GroupOrder(List<RelFieldCollation> keys, Optional<Operand> offset, Optional<Operand> limit) {

  GroupOrder {
    keys = List.copyOf(keys);
  }

  static GroupOrder of(RelCollation collation, Optional<Operand> offset, Optional<Operand> limit) {
    return new GroupOrder(collation.getFieldCollations(), offset, limit);
  }

  /**
   * The rows in order and cut; equal ones stay in theirs.
   *
   * @param rows {@code Object[]}s, or bare values where there is one column
   */
  List<@Nullable Object> apply(@Nullable Object[] rows, DataContext context) {
    long skip = offset.map(o -> o.count(context, "OFFSET")).orElse(0L);
    long most = limit.map(l -> l.count(context, "LIMIT")).orElse(Long.MAX_VALUE);
    long end = most >= rows.length - skip ? rows.length : skip + most;
    List<Place> places = new ArrayList<>();
    if (skip < end) {
      places = end < rows.length / 2 && !keys.isEmpty() ? first(rows, (int) end) : all(rows);
    }
    return places.stream().limit(end).skip(skip).map(Place::row).toList();
  }

  /** A row and where it stood. */
  private record Place(@Nullable Object row, int at) {}

  private Comparator<Place> order() {
    return (a, b) -> {
      for (RelFieldCollation key : keys) {
        int order = compare(value(a, key), value(b, key), key);
        if (order != 0) {
          return order;
        }
      }
      return Integer.compare(a.at, b.at);
    };
  }

  private static @Nullable Object value(Place place, RelFieldCollation key) {
    return place.row instanceof Object[] row ? row[key.getFieldIndex()] : place.row;
  }

  @SuppressWarnings(
      "unchecked") // both are values of one column, of a class that has ORDER BY's order
  private static int compare(@Nullable Object a, @Nullable Object b, RelFieldCollation key) {
    boolean descending = key.direction.isDescending();
    if (a == null || b == null) {
      boolean nullsFirst =
          key.nullDirection == NullDirection.FIRST
              || (key.nullDirection == NullDirection.UNSPECIFIED && descending);
      int nullsLastOrder = Boolean.compare(a == null, b == null);
      return nullsFirst ? -nullsLastOrder : nullsLastOrder;
    }
    int order = ((Comparable<Object>) a).compareTo(b);
    return descending ? -order : order;
  }

  private List<Place> all(@Nullable Object[] rows) {
    List<Place> places = new ArrayList<>(rows.length);
    for (int i = 0; i < rows.length; i++) {
      places.add(new Place(rows[i], i));
    }
    if (!keys.isEmpty()) {
      places.sort(order());
    }
    return places;
  }

  /** The first {@code count} in order. */
  private List<Place> first(@Nullable Object[] rows, int count) {
    Comparator<Place> order = order();
    PriorityQueue<Place> lastFirst = new PriorityQueue<>(count + 1, order.reversed());
    for (int i = 0; i < rows.length; i++) {
      Place place = new Place(rows[i], i);
      if (lastFirst.size() < count) {
        lastFirst.add(place);
      } else if (order.compare(place, lastFirst.element()) < 0) {
        lastFirst.remove();
        lastFirst.add(place);
      }
    }
    List<Place> places = new ArrayList<>(lastFirst);
    places.sort(order);
    return places;
  }

  /** As SQL writes it. */
  String text(List<String> columns) {
    StringBuilder text = new StringBuilder();
    for (RelFieldCollation key : keys) {
      text.append(text.isEmpty() ? "" : ", ").append(columns.get(key.getFieldIndex()));
      text.append(key.direction.isDescending() ? " DESC" : "");
    }
    offset.ifPresent(o -> text.append(" OFFSET ").append(o.text()));
    limit.ifPresent(l -> text.append(" LIMIT ").append(l.text()));
    return text.toString().strip();
  }
}
