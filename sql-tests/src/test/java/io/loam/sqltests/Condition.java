package io.loam.sqltests;

import java.math.BigDecimal;
import java.sql.Date;
import java.sql.Timestamp;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A condition as SQL and as Java; Java's null is SQL's unknown. */
record Condition(String sql, Function<Row, @Nullable Boolean> test) {

  /** Whether a WHERE keeps the row. */
  boolean keeps(Row row) {
    return Boolean.TRUE.equals(test.apply(row));
  }

  static Condition random(Random random, int depth) {
    if (depth == 0 || random.nextInt(4) == 0) {
      return leaf(random);
    }
    Condition a = random(random, depth - 1);
    Condition b = random(random, depth - 1);
    return switch (random.nextInt(5)) {
      case 0, 1 -> new Condition("(" + a.sql + " AND " + b.sql + ")", row -> and(a, b, row));
      case 2, 3 ->
          new Condition("(" + a.sql + " OR " + b.sql + ")", row -> not(and(a.not(), b.not(), row)));
      default -> a.not();
    };
  }

  private Condition not() {
    return new Condition("NOT (" + sql + ")", row -> not(test.apply(row)));
  }

  private static @Nullable Boolean not(@Nullable Boolean value) {
    return value == null ? null : !value;
  }

  private static @Nullable Boolean and(Condition a, Condition b, Row row) {
    Boolean left = a.test.apply(row);
    Boolean right = b.test.apply(row);
    if (Boolean.FALSE.equals(left) || Boolean.FALSE.equals(right)) {
      return false;
    }
    return (left == null || right == null) ? null : true;
  }

  private static Condition leaf(Random random) {
    String lang = Row.pick(random, Row.LANGUAGES);
    int number = random.nextInt(11);
    return switch (random.nextInt(20)) {
      case 0 -> compared(random, "n", Row::n, number, "" + number);
      case 1 -> compared(random, "x", Row::x, number / 2.0, number / 2.0 + "e0");
      case 2 -> compared(random, "r", Row::r, number / 2f, "CAST(" + number / 2f + " AS REAL)");
      case 3 -> compared(random, "price", Row::price, new BigDecimal(number), number + ".00");
      case 4 -> compared(random, "lang", Row::lang, lang, quoted(lang));
      case 5 -> compared(random, "id", Row::id, number * 20L, "" + number * 20);
      case 6 -> compared(random, "code", Row::code, "c" + number, "'c" + number + "'");
      case 7 -> {
        Date date = Date.valueOf("2020-01-%02d".formatted(1 + 2 * number));
        yield compared(random, "born", Row::born, date, "DATE '" + date + "'");
      }
      case 8 -> {
        Timestamp time = Timestamp.valueOf("2020-01-01 %02d:30:00".formatted(2 * number));
        yield compared(
            random,
            "seen",
            Row::seen,
            time,
            "TIMESTAMP '" + time.toString().substring(0, 19) + "'");
      }
      case 9 -> {
        UUID ref = new UUID(0, number);
        yield test("ref = CAST('" + ref + "' AS UUID)", Row::ref, ref::equals);
      }
      case 10 -> test("ok", Row::ok, ok -> ok);
      case 11 -> in(random, lang);
      case 12 ->
          test(
              "n BETWEEN " + number + " AND " + (number + 3),
              Row::n,
              n -> n >= number && n <= number + 3);
      case 13 -> test("lang LIKE 'e%'", Row::lang, l -> l.startsWith("e"));
      case 14 -> test("lang NOT LIKE '_e'", Row::lang, l -> !l.matches(".e"));
      case 15 -> {
        String tag = Row.pick(random, Row.TAGS);
        yield test("array_contains(tags, '" + tag + "')", Row::tags, tags -> tags.contains(tag));
      }
      case 16 -> isNull(random);
      case 17 -> test("n + 1 > " + number, Row::n, n -> n + 1 > number);
      case 18 -> test("body LIKE '%wing plate%'", Row::body, body -> body.contains("wing plate"));
      default -> new Condition("n < id", row -> row.n() == null ? null : row.n() < row.id());
    };
  }

  /** True or false by the test of a value, unknown where there is none. */
  private static <T> Condition test(
      String sql, Function<Row, @Nullable T> column, Function<T, Boolean> test) {
    return new Condition(
        sql,
        row -> {
          T value = column.apply(row);
          return value == null ? null : test.apply(value);
        });
  }

  private static <T extends Comparable<? super T>> Condition compared(
      Random random, String column, Function<Row, @Nullable T> value, T literal, String sql) {
    String operator = Row.pick(random, List.of("=", "<>", "<", "<=", ">", ">="));
    IntPredicate holds =
        switch (operator) {
          case "=" -> c -> c == 0;
          case "<>" -> c -> c != 0;
          case "<" -> c -> c < 0;
          case "<=" -> c -> c <= 0;
          case ">" -> c -> c > 0;
          default -> c -> c >= 0;
        };
    return test(column + " " + operator + " " + sql, value, v -> holds.test(v.compareTo(literal)));
  }

  private static Condition in(Random random, String lang) {
    if (random.nextBoolean()) {
      List<Long> ids = random.longs(5, 0, 200).boxed().toList();
      String list = ids.stream().map(Object::toString).collect(Collectors.joining(", "));
      return test("id IN (" + list + ")", Row::id, ids::contains);
    }
    return random.nextBoolean()
        ? test(
            "lang IN (" + quoted(lang) + ", 'de')",
            Row::lang,
            l -> l.equals(lang) || l.equals("de"))
        // NOT IN a list with NULL is never true.
        : new Condition(
            "lang NOT IN (" + quoted(lang) + ", NULL)",
            row -> lang.equals(row.lang()) ? false : null);
  }

  private static Condition isNull(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> new Condition("n IS NULL", row -> row.n() == null);
      case 1 -> new Condition("lang IS NOT NULL", row -> row.lang() != null);
      case 2 -> new Condition("tags IS NULL", row -> row.tags() == null);
      default -> new Condition("body IS NOT NULL", row -> row.body() != null);
    };
  }

  static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
