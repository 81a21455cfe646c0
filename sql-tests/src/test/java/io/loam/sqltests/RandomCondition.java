package io.loam.sqltests;

import java.util.List;
import java.util.Random;

/**
 * Random conditions over the table of {@link PartitionTest}, as SQL text; many are NULL for rows.
 */
final class RandomCondition {
  private static final List<String> COMPARISONS = List.of("=", "<>", "<", "<=", ">", ">=");
  private static final List<String> WORDS = List.of("wing", "plate", "flow", "heat");

  private final Random random;

  RandomCondition(Random random) {
    this.random = random;
  }

  String next(int depth) {
    if (depth == 0 || random.nextInt(4) == 0) {
      return leaf();
    }
    return switch (random.nextInt(5)) {
      case 0, 1 -> "(" + next(depth - 1) + " AND " + next(depth - 1) + ")";
      case 2, 3 -> "(" + next(depth - 1) + " OR " + next(depth - 1) + ")";
      default -> "NOT (" + next(depth - 1) + ")";
    };
  }

  private String leaf() {
    return switch (random.nextInt(13)) {
      case 0 -> number() + " " + comparison() + " " + number();
      case 1 -> "lang " + comparison() + " " + text();
      case 2 -> "seen " + comparison() + " TIMESTAMP '" + time() + "'";
      case 3 ->
          "born BETWEEN DATE '1990-01-01' AND DATE '" + (1990 + random.nextInt(40)) + "-06-01'";
      case 4 ->
          "a "
              + not()
              + "IN ("
              + random.nextInt(20)
              + ", "
              + random.nextInt(20)
              + maybe(", NULL")
              + ")";
      case 5 -> "lang " + not() + "LIKE '" + "abcd".charAt(random.nextInt(4)) + maybe("_") + "%'";
      case 6 -> column() + " IS " + not() + "NULL";
      case 7 -> maybe("NOT ") + "match(body, '" + word() + maybe(" " + word()) + "')";
      case 8 -> "a " + not() + "IN (SELECT n FROM other WHERE n < " + random.nextInt(20) + ")";
      case 9 -> maybe("NOT ") + "EXISTS (SELECT 1 FROM other WHERE other.n = r.a)";
      case 10 ->
          "CASE WHEN ok THEN a ELSE "
              + random.nextInt(20)
              + " END "
              + comparison()
              + " "
              + number();
      case 11 -> "ok";
      default -> "COALESCE(x, a) " + comparison() + " " + number();
    };
  }

  private String number() {
    return switch (random.nextInt(6)) {
      case 0 -> "a";
      case 1 -> "x";
      case 2 -> "a + " + random.nextInt(10);
      case 3 -> "NULLIF(a, " + random.nextInt(20) + ")";
      case 4 -> random.nextInt(20) + ".5";
      default -> String.valueOf(random.nextInt(20));
    };
  }

  private String column() {
    return List.of("a", "x", "lang", "born", "seen", "ok", "body").get(random.nextInt(7));
  }

  private String text() {
    return "'" + "abcd".charAt(random.nextInt(4)) + random.nextInt(4) + "'";
  }

  private String time() {
    return "2026-01-0" + (1 + random.nextInt(9)) + " 00:00:00.00000" + random.nextInt(10);
  }

  private String word() {
    return WORDS.get(random.nextInt(WORDS.size()));
  }

  private String comparison() {
    return COMPARISONS.get(random.nextInt(COMPARISONS.size()));
  }

  private String not() {
    return maybe("NOT ");
  }

  private String maybe(String text) {
    return random.nextInt(3) == 0 ? text : "";
  }
}
