package io.loam.column;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.column.Predicate.Op;
import io.loam.doc.DocSet;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.Field;
import io.loam.schema.TypeKind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FiltersTest {
  private static final int ABSENT_FIELD = 99;
  private static final List<Op> OPS = List.of(Op.values());

  @Test
  void agreesWithOneRowAtATime() {
    for (long seed = 0; seed < 25; seed++) {
      Random random = new Random(seed);
      int size = seed < 5 ? (int) seed : random.nextInt(6000);
      Map<Integer, List<@Nullable Object>> values = new HashMap<>();
      Map<Integer, Column> columns = new HashMap<>();
      for (Field field : RandomValues.FIELDS) {
        double nullShare = random.nextBoolean() ? 0 : random.nextDouble();
        values.put(field.number(), RandomValues.list(random, field, size, nullShare));
        columns.put(field.number(), RandomValues.column(field, values.get(field.number())));
      }
      ColumnSource source = n -> Optional.ofNullable(columns.get(n));
      for (int i = 0; i < 30; i++) {
        Predicate predicate = predicate(random, 3);
        DocSet actual = Filters.evaluate(predicate, source, size);
        int[] expected =
            IntStream.range(0, size)
                .filter(doc -> Boolean.TRUE.equals(truth(predicate, n -> at(values, n, doc))))
                .toArray();
        List<Integer> got = new ArrayList<>();
        actual.forEach(got::add);
        assertThat(got)
            .as("seed=%d predicate=%s", seed, predicate)
            .containsExactlyElementsOf(IntStream.of(expected).boxed().toList());
      }
    }
  }

  private static @Nullable Object at(
      Map<Integer, List<@Nullable Object>> values, int field, int doc) {
    List<@Nullable Object> column = values.get(field);
    return column == null ? null : column.get(doc);
  }

  private static Predicate predicate(Random random, int depth) {
    if (depth > 0 && random.nextInt(2) == 0) {
      List<Predicate> parts =
          IntStream.range(0, random.nextInt(4))
              .mapToObj(i -> predicate(random, depth - 1))
              .toList();
      return switch (random.nextInt(3)) {
        case 0 -> new Predicate.And(parts);
        case 1 -> new Predicate.Or(parts);
        default -> new Predicate.Not(predicate(random, depth - 1));
      };
    }
    Field field = RandomValues.FIELDS.get(random.nextInt(RandomValues.FIELDS.size()));
    int number = random.nextInt(20) == 0 ? ABSENT_FIELD : field.number();
    int choice = random.nextInt(8);
    if (choice == 0) {
      return new Predicate.IsNull(number);
    }
    if (choice == 1) {
      return new Predicate.Constant(random.nextBoolean());
    }
    if (field.kind() == TypeKind.VARCHAR_ARRAY) {
      return new Predicate.ArrayContains(
          number, ((List<?>) wanted(random, field)).isEmpty() ? "a" : "abc");
    }
    if (field.kind() == TypeKind.VARCHAR && random.nextBoolean()) {
      return new Predicate.Like(number, pattern(random), random.nextBoolean() ? '\\' : (char) 0);
    }
    if (random.nextInt(3) == 0) {
      Set<Object> wanted = new HashSet<>();
      for (int i = random.nextInt(20); i > 0; i--) {
        wanted.add(wanted(random, field));
      }
      return new Predicate.In(number, List.copyOf(wanted));
    }
    return random.nextInt(3) == 0
        ? new Predicate.And(
            IntStream.rangeClosed(0, random.nextInt(3))
                .mapToObj(i -> comparison(random, field, number))
                .toList())
        : comparison(random, field, number);
  }

  private static Predicate comparison(Random random, Field field, int number) {
    return new Predicate.Compare(
        number, OPS.get(random.nextInt(OPS.size())), wanted(random, field));
  }

  /** A value of the field's class or, for a number, of any numeric class. */
  private static Object wanted(Random random, Field field) {
    boolean number =
        switch (field.kind()) {
          case BIGINT, INTEGER, REAL, DOUBLE, DECIMAL -> true;
          case BOOLEAN,
              DATE,
              TIMESTAMP,
              UUID,
              VARCHAR,
              VARCHAR_ARRAY,
              TEXT,
              JSON,
              VECTOR,
              SPARSEVECTOR ->
              false;
        };
    if (!number || random.nextBoolean()) {
      return RandomValues.value(random, field);
    }
    if (random.nextInt(6) == 0) {
      return new BigDecimal(BigInteger.valueOf(random.nextInt(9) - 4), random.nextInt(4000) - 2000);
    }
    List<Field> numbers =
        RandomValues.FIELDS.stream()
            .filter(f -> f.number() <= 4 || f.kind() == TypeKind.DECIMAL)
            .collect(Collectors.toList());
    return RandomValues.value(random, numbers.get(random.nextInt(numbers.size())));
  }

  private static String pattern(Random random) {
    String[] parts = {"%", "_", "a", "b", "\\%", "\\_", "\\\\", "日", "😀", "ab", "\0"};
    StringBuilder pattern = new StringBuilder();
    for (int i = random.nextInt(5); i > 0; i--) {
      pattern.append(parts[random.nextInt(parts.length)]);
    }
    return pattern.toString();
  }

  private interface Row {
    @Nullable Object value(int field);
  }

  /** True, false, or null for unknown. */
  private static @Nullable Boolean truth(Predicate predicate, Row row) {
    if (predicate instanceof Predicate.Constant c) {
      return c.value();
    }
    if (predicate instanceof Predicate.Not not) {
      Boolean of = truth(not.of(), row);
      return of == null ? null : !of;
    }
    if (predicate instanceof Predicate.And and) {
      return combine(and.all(), row, false);
    }
    if (predicate instanceof Predicate.Or or) {
      return combine(or.any(), row, true);
    }
    if (predicate instanceof Predicate.IsNull isNull) {
      return row.value(isNull.fieldNumber()) == null;
    }
    if (predicate instanceof Predicate.Compare c) {
      Object value = row.value(c.fieldNumber());
      return value == null ? null : compare(value, c.op(), c.value());
    }
    if (predicate instanceof Predicate.In in) {
      Object value = row.value(in.fieldNumber());
      return value == null ? null : in.values().stream().anyMatch(v -> compare(value, Op.EQ, v));
    }
    if (predicate instanceof Predicate.Like like) {
      Object value = row.value(like.fieldNumber());
      return value == null ? null : regex(like).matcher((String) value).matches();
    }
    Predicate.ArrayContains contains = (Predicate.ArrayContains) predicate;
    Object value = row.value(contains.fieldNumber());
    return value == null ? null : ((List<?>) value).contains(contains.item());
  }

  private static @Nullable Boolean combine(List<Predicate> parts, Row row, boolean deciding) {
    boolean unknown = false;
    for (Predicate part : parts) {
      Boolean truth = truth(part, row);
      if (truth == null) {
        unknown = true;
      } else if (truth == deciding) {
        return deciding;
      }
    }
    return unknown ? null : !deciding;
  }

  private static Pattern regex(Predicate.Like like) {
    StringBuilder regex = new StringBuilder();
    boolean escaped = false;
    for (int c : like.pattern().codePoints().toArray()) {
      if (escaped) {
        regex.append(Pattern.quote(Character.toString(c)));
        escaped = false;
      } else if (like.escape() != 0 && c == like.escape()) {
        escaped = true;
      } else if (c == '%') {
        regex.append(".*");
      } else {
        regex.append(c == '_' ? "." : Pattern.quote(Character.toString(c)));
      }
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }

  @SuppressWarnings("unchecked") // both have the class of one field
  private static boolean compare(Object a, Op op, Object b) {
    int order;
    if (a instanceof Number x && b instanceof Number y) {
      double d = x.doubleValue();
      double e = y.doubleValue();
      if (Double.isNaN(d) || Double.isNaN(e)) {
        order = Boolean.compare(Double.isNaN(d), Double.isNaN(e));
      } else {
        order = isInfinite(x) || isInfinite(y) ? infinite(x, y) : exact(x).compareTo(exact(y));
      }
    } else {
      order = ((Comparable<Object>) a).compareTo(b);
    }
    return switch (op) {
      case EQ -> order == 0;
      case NE -> order != 0;
      case LT -> order < 0;
      case LE -> order <= 0;
      case GT -> order > 0;
      case GE -> order >= 0;
    };
  }

  private static boolean isInfinite(Number n) {
    return (n instanceof Double d && d.isInfinite()) || (n instanceof Float f && f.isInfinite());
  }

  /** Only an infinity itself is beyond all numbers, not what overflows a double. */
  private static int infinite(Number x, Number y) {
    double a = isInfinite(x) ? x.doubleValue() : 0;
    double b = isInfinite(y) ? y.doubleValue() : 0;
    return Double.compare(a, b);
  }

  private static BigDecimal exact(Number n) {
    if (n instanceof BigDecimal d) {
      return d;
    }
    return n instanceof Double || n instanceof Float
        ? new BigDecimal(n.doubleValue())
        : BigDecimal.valueOf(n.longValue());
  }

  /** Longs that have no double, above and below the nearest one. */
  @Test
  void doublesCompareExactlyWithLongs() {
    List<@Nullable Object> values = List.of(9007199254740992.0, 9007199254740996.0);
    Column column = RandomValues.column(RandomValues.FIELDS.get(3), values);
    for (long wanted : new long[] {9007199254740993L, 9007199254740995L, Long.MAX_VALUE}) {
      for (Op op : OPS) {
        DocSet actual =
            Filters.evaluate(new Predicate.Compare(4, op, wanted), n -> Optional.of(column), 2);
        for (int doc = 0; doc < 2; doc++) {
          assertThat(actual.contains(doc))
              .as("%s %s %s", values.get(doc), op, wanted)
              .isEqualTo(compare(column.value(doc), op, wanted));
        }
      }
    }
  }

  @Test
  void inTakesAHundredThousandValues() {
    Field field = RandomValues.FIELDS.get(0);
    List<@Nullable Object> values = new ArrayList<>();
    List<Object> wanted = new ArrayList<>();
    for (long i = 0; i < 200_000; i++) {
      values.add(i);
      if (i % 2 == 0) {
        wanted.add(i);
      }
    }
    Column column = RandomValues.column(field, values);
    DocSet actual =
        Filters.evaluate(new Predicate.In(1, wanted), n -> Optional.of(column), 200_000);
    assertThat(actual.cardinality()).isEqualTo(100_000);
    assertThat(actual.contains(3)).isFalse();
    assertThat(actual.contains(199_998)).isTrue();
  }

  @Test
  void oneFilterServesLeavesOfDifferentForms() {
    for (Field field : RandomValues.FIELDS) {
      if (field.kind() == TypeKind.VARCHAR_ARRAY) {
        continue;
      }
      Random random = new Random(field.number());
      Set<Object> wanted = new HashSet<>();
      for (int i = 0; i < 40; i++) {
        wanted.add(wanted(random, field));
      }
      Predicate.In in = new Predicate.In(field.number(), List.copyOf(wanted));
      Filters filters = Filters.of(in);
      for (int size : new int[] {3, 500, 0, 20}) {
        List<@Nullable Object> values = RandomValues.list(random, field, size, 0.1);
        Column column = RandomValues.column(field, values);
        DocSet actual = filters.evaluate(n -> Optional.of(column), size);
        for (int doc = 0; doc < size; doc++) {
          Object value = values.get(doc);
          assertThat(actual.contains(doc))
              .as("%s in %s", value, in)
              .isEqualTo(Boolean.TRUE.equals(truth(in, n -> value)));
        }
      }
    }
  }

  @Test
  void refusesAValueOfAnotherType() {
    Column column = RandomValues.column(RandomValues.FIELDS.get(8), List.of("a"));
    Predicate predicate = new Predicate.Compare(9, Op.EQ, 1L);
    assertThatThrownBy(() -> Filters.evaluate(predicate, n -> Optional.of(column), 1))
        .isInstanceOfSatisfying(
            LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TYPE_MISMATCH))
        .hasMessageContaining("value=1");
  }

  @Test
  void refusesAnEscapeOfNothing() {
    Column column = RandomValues.column(RandomValues.FIELDS.get(8), List.of("a"));
    Predicate predicate = new Predicate.Like(9, "a!b", '!');
    assertThatThrownBy(() -> Filters.evaluate(predicate, n -> Optional.of(column), 1))
        .isInstanceOf(LoamException.class)
        .hasMessageContaining("pattern=a!b");
  }
}
