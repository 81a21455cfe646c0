package io.loam.column;

import io.loam.schema.Field;
import io.loam.schema.FieldType;
import io.loam.schema.TypeKind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Random values of fields, rich in limits and in repeats. */
final class RandomValues {
  /** One field of each typed kind, and two decimals; field n is at place n - 1. */
  static final List<Field> FIELDS =
      List.of(
          field(1, FieldType.of(TypeKind.BIGINT)),
          field(2, FieldType.of(TypeKind.INTEGER)),
          field(3, FieldType.of(TypeKind.REAL)),
          field(4, FieldType.of(TypeKind.DOUBLE)),
          field(5, FieldType.of(TypeKind.BOOLEAN)),
          field(6, FieldType.of(TypeKind.DATE)),
          field(7, FieldType.of(TypeKind.TIMESTAMP)),
          field(8, FieldType.of(TypeKind.UUID)),
          field(9, FieldType.of(TypeKind.VARCHAR)),
          field(10, FieldType.of(TypeKind.VARCHAR_ARRAY)),
          field(11, FieldType.decimal(12, 2)),
          field(12, FieldType.decimal(38, 5)));

  private static final List<String> STRINGS =
      List.of(
          "",
          "a",
          "ab",
          "abc",
          "abd",
          "b",
          "B",
          "a\0b",
          "\0",
          "é",
          "日本語",
          "😀",
          "a😀b",
          "\uFFFD",
          "%",
          "_",
          "a_b",
          "line\nbreak",
          "zzz");

  private RandomValues() {}

  static Field field(int number, FieldType type) {
    return new Field(number, "f" + number, type, true, "", "");
  }

  static List<@Nullable Object> list(Random random, Field field, int size, double nullShare) {
    List<@Nullable Object> values = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      values.add(random.nextDouble() < nullShare ? null : value(random, field));
    }
    return values;
  }

  static Column column(Field field, List<@Nullable Object> values) {
    ColumnBuilder builder = ColumnBuilder.of(field);
    values.forEach(builder::add);
    return builder.build();
  }

  static Object value(Random random, Field field) {
    return switch (field.kind()) {
      case BIGINT ->
          pick(
              random,
              random.nextLong(),
              (long) random.nextInt(10),
              9007199254740993L,
              Long.MIN_VALUE,
              Long.MAX_VALUE);
      case INTEGER ->
          pick(random, random.nextInt(), random.nextInt(10), Integer.MIN_VALUE, Integer.MAX_VALUE);
      case REAL ->
          pick(
              random,
              (float) random.nextGaussian(),
              (float) random.nextInt(5),
              -0.0f,
              Float.NaN,
              Float.NEGATIVE_INFINITY,
              Float.MIN_VALUE);
      case DOUBLE ->
          pick(
              random,
              random.nextGaussian(),
              (double) random.nextInt(5),
              0.0,
              -0.0,
              Double.NaN,
              Double.longBitsToDouble(0xFFF8000000000000L),
              Double.POSITIVE_INFINITY,
              Double.NEGATIVE_INFINITY,
              Double.MIN_VALUE,
              Double.MAX_VALUE,
              9007199254740992.0);
      case BOOLEAN -> random.nextBoolean();
      case DATE ->
          pick(
              random,
              LocalDate.ofEpochDay(random.nextInt(40000) - 20000),
              LocalDate.EPOCH,
              LocalDate.of(1, 1, 1),
              LocalDate.of(9999, 12, 31));
      case TIMESTAMP ->
          pick(
              random,
              LocalDateTime.of(1970, 1, 1, 0, 0)
                  .plus(random.nextInt() * 1_000_003L, ChronoUnit.MICROS),
              LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_999_000),
              LocalDateTime.of(9999, 12, 31, 23, 59, 59, 999_999_000));
      case UUID ->
          pick(
              random,
              new UUID(random.nextLong(), random.nextLong()),
              new UUID(random.nextInt(3) - 1, random.nextInt(3) - 1));
      case VARCHAR -> string(random);
      case VARCHAR_ARRAY -> {
        List<String> items = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          items.add(string(random));
        }
        yield List.copyOf(items);
      }
      case DECIMAL -> decimal(random, field.type());
      case TEXT, JSON, VECTOR, SPARSEVECTOR -> throw new IllegalArgumentException();
    };
  }

  private static BigDecimal decimal(Random random, FieldType type) {
    BigInteger most = BigInteger.TEN.pow(type.precision()).subtract(BigInteger.ONE);
    BigInteger unscaled =
        pick(
            random,
            new BigInteger(random.nextInt(100) + 1, random).mod(most),
            BigInteger.valueOf(random.nextInt(7) - 3),
            most,
            most.negate());
    return new BigDecimal(unscaled, type.scale());
  }

  private static String string(Random random) {
    return STRINGS.get(random.nextInt(STRINGS.size()));
  }

  @SafeVarargs
  private static <T> T pick(Random random, T... values) {
    return values[random.nextInt(values.length)];
  }
}
