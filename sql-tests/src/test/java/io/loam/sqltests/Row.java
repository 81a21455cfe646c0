package io.loam.sqltests;

import java.math.BigDecimal;
import java.sql.Date;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A random row with a column of each type; all but {@code id} and {@code code} may be null. */
record Row(
    long id,
    String code,
    @Nullable Integer n,
    @Nullable Double x,
    @Nullable Float r,
    @Nullable BigDecimal price,
    @Nullable Boolean ok,
    @Nullable Date born,
    @Nullable Timestamp seen,
    @Nullable UUID ref,
    @Nullable String lang,
    @Nullable String body,
    @Nullable List<String> tags,
    @Nullable String extra,
    float @Nullable [] v,
    @Nullable String s) {

  /** The columns in the order of the components, with {@code %s} where a key is declared. */
  static final String COLUMNS =
      "id BIGINT%s, code VARCHAR%s, n INTEGER, x DOUBLE, r REAL, price DECIMAL(10,2), ok BOOLEAN,"
          + " born DATE, seen TIMESTAMP, ref UUID, lang VARCHAR, body TEXT ANALYZER 'whitespace',"
          + " tags VARCHAR ARRAY, extra JSON, v VECTOR(11), s SPARSEVECTOR";

  static final List<String> LANGUAGES = List.of("en", "de", "fr", "es", "e%", "it's");
  static final List<String> WORDS =
      List.of("wing", "plate", "flow", "shear", "heat", "body", "speed", "mach");
  static final List<String> TAGS = List.of("t0", "t1", "t2", "t3");
  static final int DIMENSION = 11;

  static Row random(Random random, long id) {
    return new Row(
        id,
        "c" + id,
        some(random, random.nextInt(10)),
        some(random, random.nextInt(40) / 8.0),
        some(random, random.nextInt(40) / 4f),
        some(random, BigDecimal.valueOf(random.nextInt(2000), 2)),
        some(random, random.nextBoolean()),
        some(random, Date.valueOf("2020-01-%02d".formatted(1 + random.nextInt(28)))),
        some(random, Timestamp.valueOf("2020-01-01 %02d:30:00".formatted(random.nextInt(24)))),
        some(random, new UUID(0, random.nextInt(8))),
        some(random, pick(random, LANGUAGES)),
        some(random, text(random)),
        some(random, TAGS.stream().filter(t -> random.nextInt(3) == 0).toList()),
        some(random, "{\"a\":" + random.nextInt(5) + "}"),
        some(random, vector(random)),
        some(random, sparse(random)));
  }

  private static <T> @Nullable T some(Random random, T value) {
    return random.nextInt(6) == 0 ? null : value;
  }

  static <T> T pick(Random random, List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  static String text(Random random) {
    List<String> words = new ArrayList<>();
    for (int i = random.nextInt(40); i >= 0; i--) {
      words.add(pick(random, WORDS));
    }
    return String.join(" ", words);
  }

  static float[] vector(Random random) {
    float[] vector = new float[DIMENSION];
    for (int i = 0; i < DIMENSION; i++) {
      vector[i] = (float) random.nextGaussian();
    }
    return vector;
  }

  static String sparse(Random random) {
    List<String> entries = new ArrayList<>();
    for (int index = 0; index < 12; index++) {
      if (random.nextInt(4) == 0) {
        int sixteenths = random.nextInt(1, 100);
        String weight =
            sixteenths % 16 == 0 ? "" + sixteenths / 16 : Float.toString(sixteenths / 16f);
        entries.add("\"" + index * 1_000 + "\":" + weight);
      }
    }
    return "{" + String.join(",", entries) + "}";
  }

  @Nullable Object[] values() {
    return new @Nullable Object[] {
      id, code, n, x, r, price, ok, born, seen, ref, lang, body, tags, extra, v, s
    };
  }

  /** As {@link Sql#rows} gives it. */
  List<@Nullable Object> plain() {
    List<@Nullable Object> plain = new ArrayList<>(Arrays.asList(values()));
    if (v != null) {
      List<Float> components = new ArrayList<>();
      for (float component : v) {
        components.add(component);
      }
      plain.set(plain.size() - 2, components);
    }
    return plain;
  }
}
