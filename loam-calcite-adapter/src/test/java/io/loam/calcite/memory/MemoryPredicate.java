package io.loam.calcite.memory;

import io.loam.column.Predicate;
import io.loam.schema.CollectionSchema;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** SQL's three-valued logic, by the book: null is unknown. */
final class MemoryPredicate {
  private MemoryPredicate() {}

  static @Nullable Boolean test(Predicate predicate, CollectionSchema schema, MemoryRow row) {
    if (predicate instanceof Predicate.Constant constant) {
      return constant.value();
    }
    if (predicate instanceof Predicate.Not not) {
      Boolean inner = test(not.of(), schema, row);
      return inner == null ? null : !inner;
    }
    if (predicate instanceof Predicate.And and) {
      return all(and.all(), schema, row, false);
    }
    if (predicate instanceof Predicate.Or or) {
      return all(or.any(), schema, row, true);
    }
    if (predicate instanceof Predicate.IsNull isNull) {
      return value(isNull.fieldNumber(), schema, row) == null;
    }
    if (predicate instanceof Predicate.Compare c) {
      Object value = value(c.fieldNumber(), schema, row);
      return value == null ? null : compare(c.op(), value, c.value());
    }
    if (predicate instanceof Predicate.In in) {
      Object value = value(in.fieldNumber(), schema, row);
      return value == null ? null : in.values().stream().anyMatch(v -> isEqual(value, v));
    }
    if (predicate instanceof Predicate.Like like) {
      Object value = value(like.fieldNumber(), schema, row);
      return value == null
          ? null
          : Pattern.compile(regex(like), Pattern.DOTALL).matcher(value.toString()).matches();
    }
    Predicate.ArrayContains contains = (Predicate.ArrayContains) predicate;
    Object value = value(contains.fieldNumber(), schema, row);
    return value == null ? null : ((List<?>) value).contains(contains.item());
  }

  private static boolean isEqual(Object a, Object b) {
    if (a instanceof Number && b instanceof Number) {
      return new BigDecimal(a.toString()).compareTo(new BigDecimal(b.toString())) == 0;
    }
    return a.equals(b);
  }

  private static @Nullable Boolean all(
      List<Predicate> parts, CollectionSchema schema, MemoryRow row, boolean decisive) {
    boolean unknown = false;
    for (Predicate part : parts) {
      Boolean value = test(part, schema, row);
      if (Objects.equals(value, decisive)) {
        return decisive;
      }
      unknown |= value == null;
    }
    return unknown ? null : !decisive;
  }

  private static @Nullable Object value(int field, CollectionSchema schema, MemoryRow row) {
    return row.values()[schema.position(field)];
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static boolean compare(Predicate.Op op, Object left, Object right) {
    int order =
        left instanceof Number && left.getClass() != right.getClass()
            ? new BigDecimal(left.toString()).compareTo(new BigDecimal(right.toString()))
            : ((Comparable) left).compareTo(right);
    return switch (op) {
      case EQ -> order == 0;
      case NE -> order != 0;
      case LT -> order < 0;
      case LE -> order <= 0;
      case GT -> order > 0;
      case GE -> order >= 0;
    };
  }

  private static String regex(Predicate.Like like) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < like.pattern().length(); i++) {
      char c = like.pattern().charAt(i);
      if (like.escape() != 0 && c == like.escape()) {
        regex.append(Pattern.quote(String.valueOf(like.pattern().charAt(++i))));
      } else if (c == '%') {
        regex.append(".*");
      } else if (c == '_') {
        regex.append('.');
      } else {
        regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    return regex.toString();
  }
}
