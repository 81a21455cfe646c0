package io.loam.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.CharBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class ValuesTest {
  private static Field field(FieldType type) {
    return new Field(1, "c", type, true, "", "");
  }

  private static @Nullable Object canonical(TypeKind kind, Object value) {
    return Values.canonical(field(FieldType.of(kind)), value);
  }

  private static void assertRefused(FieldType type, Object value, ErrorCode code, String message) {
    assertThatThrownBy(() -> Values.canonical(field(type), value))
        .isInstanceOfSatisfying(LoamException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining("column=c")
        .hasMessageContaining(message);
  }

  private static void assertRefused(TypeKind kind, Object value, ErrorCode code) {
    assertRefused(FieldType.of(kind), value, code, "");
  }

  @Test
  void nullsNeedANullableColumn() {
    assertThat(Values.canonical(field(FieldType.of(TypeKind.TEXT)), null)).isNull();
    Field strict = new Field(1, "c", FieldType.of(TypeKind.TEXT), false, "", "");
    assertThatThrownBy(() -> Values.canonical(strict, null))
        .isInstanceOfSatisfying(
            LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NULL_NOT_ALLOWED))
        .hasMessage("column does not allow NULL: column=c; give a value");
  }

  @Test
  void rowsAreOfTheSchemasWidth() {
    CollectionSchema schema =
        new SchemaBuilder().add("a", FieldType.of(TypeKind.BIGINT), true, "", "").build();
    assertThat(Values.canonical(schema, new Object[] {1})).containsExactly(1L);
    assertThatThrownBy(() -> Values.canonical(schema, new Object[] {1, 2}))
        .hasMessageContaining("given=2, columns=1");
  }

  @Test
  void wholeNumbersConvertWhereNothingIsLost() {
    for (Object seven :
        List.of(
            7L, 7, (short) 7, (byte) 7, 7.0, 7f, new BigDecimal("7.00"), BigInteger.valueOf(7))) {
      assertThat(canonical(TypeKind.BIGINT, seven)).isEqualTo(7L);
      assertThat(canonical(TypeKind.INTEGER, seven)).isEqualTo(7);
    }
    assertThat(canonical(TypeKind.BIGINT, new BigDecimal("7e2"))).isEqualTo(700L);
    assertThat(canonical(TypeKind.BIGINT, 0.0)).isEqualTo(0L);
    assertThat(canonical(TypeKind.BIGINT, BigInteger.valueOf(Long.MIN_VALUE)))
        .isEqualTo(Long.MIN_VALUE);
    assertRefused(TypeKind.INTEGER, 1L << 31, ErrorCode.OUT_OF_RANGE);
    assertRefused(TypeKind.BIGINT, BigInteger.ONE.shiftLeft(63), ErrorCode.OUT_OF_RANGE);
    assertRefused(TypeKind.BIGINT, 1e19, ErrorCode.OUT_OF_RANGE);
    assertRefused(TypeKind.BIGINT, Double.NaN, ErrorCode.OUT_OF_RANGE);
    assertRefused(TypeKind.BIGINT, 1.5, ErrorCode.TYPE_MISMATCH);
    assertRefused(TypeKind.BIGINT, 0.5, ErrorCode.TYPE_MISMATCH);
    assertRefused(TypeKind.BIGINT, "7", ErrorCode.TYPE_MISMATCH);
    assertRefused(TypeKind.INTEGER, true, ErrorCode.TYPE_MISMATCH);
  }

  @Test
  void floatsRoundAndKeepWhatTheyWereGiven() {
    assertThat(canonical(TypeKind.DOUBLE, new BigDecimal("0.1"))).isEqualTo(0.1);
    assertThat(canonical(TypeKind.DOUBLE, 3)).isEqualTo(3.0);
    assertThat(canonical(TypeKind.DOUBLE, Double.NaN)).isEqualTo(Double.NaN);
    assertThat(canonical(TypeKind.DOUBLE, Float.POSITIVE_INFINITY)).isEqualTo(1 / 0.0);
    assertThat(canonical(TypeKind.REAL, 0.1)).isEqualTo(0.1f);
    assertThat(canonical(TypeKind.REAL, Double.NEGATIVE_INFINITY)).isEqualTo(-1 / 0f);
    assertRefused(TypeKind.REAL, 1e39, ErrorCode.OUT_OF_RANGE);
    assertRefused(TypeKind.DOUBLE, new BigDecimal("1e400"), ErrorCode.OUT_OF_RANGE);
    assertRefused(TypeKind.DOUBLE, "1", ErrorCode.TYPE_MISMATCH);
  }

  @Test
  @Timeout(5)
  void decimalsRoundHalfUpAndHugeExponentsCostNothing() {
    FieldType type = FieldType.decimal(5, 2);
    Map<Object, String> cases =
        Map.of(
            new BigDecimal("1.005"),
            "1.01",
            new BigDecimal("-1.005"),
            "-1.01",
            7,
            "7.00",
            0.1,
            "0.10",
            0.1f,
            "0.10",
            new BigDecimal("999.994"),
            "999.99",
            new BigDecimal("0.005"),
            "0.01",
            new BigDecimal("0.0049"),
            "0.00",
            new BigDecimal("1e-999999999"),
            "0.00",
            new BigDecimal("0e999999999"),
            "0.00");
    cases.forEach(
        (value, wanted) ->
            assertThat(Values.canonical(field(type), value))
                .as("%s", value)
                .isEqualTo(new BigDecimal(wanted)));
    assertRefused(type, new BigDecimal("999.995"), ErrorCode.OUT_OF_RANGE, "DECIMAL(5,2)");
    assertRefused(type, 1000, ErrorCode.OUT_OF_RANGE, "at most 3 digits");
    assertRefused(
        type, new BigDecimal("1e999999999"), ErrorCode.OUT_OF_RANGE, "value=1E+999999999");
    assertRefused(type, Double.NaN, ErrorCode.OUT_OF_RANGE, "finite");
    assertRefused(type, "1", ErrorCode.TYPE_MISMATCH, "given=String");
    assertRefused(TypeKind.BIGINT, new BigDecimal("1e999999999"), ErrorCode.OUT_OF_RANGE);
    assertRefused(TypeKind.BIGINT, new BigDecimal("1e-999999999"), ErrorCode.TYPE_MISMATCH);
    assertThat(Values.canonical(field(FieldType.decimal(2, 2)), new BigDecimal("0.994")))
        .isEqualTo(new BigDecimal("0.99"));
    assertRefused(
        FieldType.decimal(2, 2), new BigDecimal("0.995"), ErrorCode.OUT_OF_RANGE, "0.995");
  }

  @Test
  void datesTimesBooleansAndUuids() {
    LocalDate date = LocalDate.of(2024, 2, 29);
    assertThat(canonical(TypeKind.DATE, date)).isEqualTo(date);
    assertRefused(TypeKind.DATE, LocalDate.of(10_000, 1, 1), ErrorCode.OUT_OF_RANGE);
    assertRefused(TypeKind.DATE, "2024-02-29", ErrorCode.TYPE_MISMATCH);
    assertThat(canonical(TypeKind.TIMESTAMP, LocalDateTime.parse("2024-02-29T01:02:03.123456789")))
        .isEqualTo(LocalDateTime.parse("2024-02-29T01:02:03.123456"));
    assertRefused(TypeKind.TIMESTAMP, LocalDateTime.of(0, 1, 1, 0, 0), ErrorCode.OUT_OF_RANGE);
    assertRefused(TypeKind.TIMESTAMP, date, ErrorCode.TYPE_MISMATCH);
    assertThat(canonical(TypeKind.BOOLEAN, true)).isEqualTo(true);
    assertRefused(TypeKind.BOOLEAN, 1, ErrorCode.TYPE_MISMATCH);
    UUID uuid = new UUID(-1, 5);
    assertThat(canonical(TypeKind.UUID, uuid)).isEqualTo(uuid);
    assertThat(canonical(TypeKind.UUID, "FFFFFFFF-ffff-FFFF-0000-000000000005")).isEqualTo(uuid);
    assertRefused(TypeKind.UUID, "1-1-1-1-1", ErrorCode.INVALID_TEXT);
    assertRefused(TypeKind.UUID, "x".repeat(36), ErrorCode.INVALID_TEXT);
    assertRefused(TypeKind.UUID, 5, ErrorCode.TYPE_MISMATCH);
  }

  @Test
  void textIsUnicode() {
    for (String text : List.of("", "a\0b", "数据 😀 \u202eRTL", "'\"")) {
      assertThat(canonical(TypeKind.TEXT, text)).isEqualTo(text);
      assertThat(canonical(TypeKind.VARCHAR, CharBuffer.wrap(text))).isEqualTo(text);
    }
    for (String text : List.of("\ud83d", "\ude00", "\ude00\ud83d", "a\ud83db", "😀\ud83d")) {
      assertRefused(TypeKind.TEXT, text, ErrorCode.INVALID_TEXT);
    }
    assertRefused(TypeKind.TEXT, 5, ErrorCode.TYPE_MISMATCH);
    assertRefused(
        FieldType.of(TypeKind.BIGINT),
        "x".repeat(99),
        ErrorCode.TYPE_MISMATCH,
        "x".repeat(60) + "…");
  }

  @Test
  void jsonBecomesCompactAndKeepsItsDigits() {
    Map<String, String> cases =
        Map.of(
            " { \"b\" : [ 1 , 2.50 , 1e400 , -0.0 ] , \"a\" : null } ",
            "{\"b\":[1,2.50,1e400,-0.0],\"a\":null}",
            " 5 ",
            "5",
            "\"x\\u00fc\"",
            "\"xü\"",
            "[]",
            "[]",
            "true",
            "true",
            "12345678901234567890123.10",
            "12345678901234567890123.10");
    cases.forEach((json, wanted) -> assertThat(canonical(TypeKind.JSON, json)).isEqualTo(wanted));
    for (String bad :
        List.of("", " ", "{", "[1,]", "{a:1}", "1 2", "{} {}", "[] 1", "NaN", "'x'", "nul", "1x")) {
      assertRefused(FieldType.of(TypeKind.JSON), bad, ErrorCode.INVALID_TEXT, "JSON");
    }
    assertRefused(TypeKind.JSON, "\"\\ud800\"", ErrorCode.INVALID_TEXT);
    assertRefused(TypeKind.JSON, "[".repeat(1001) + "]".repeat(1001), ErrorCode.INVALID_TEXT);
  }

  @Test
  void arraysHoldTexts() {
    assertThat(canonical(TypeKind.VARCHAR_ARRAY, List.of("b", "a"))).isEqualTo(List.of("b", "a"));
    assertThat(canonical(TypeKind.VARCHAR_ARRAY, new String[] {"b"})).isEqualTo(List.of("b"));
    assertThat(canonical(TypeKind.VARCHAR_ARRAY, List.of())).isEqualTo(List.of());
    assertRefused(TypeKind.VARCHAR_ARRAY, "a", ErrorCode.TYPE_MISMATCH);
    assertRefused(TypeKind.VARCHAR_ARRAY, List.of(1), ErrorCode.TYPE_MISMATCH);
    assertRefused(
        TypeKind.VARCHAR_ARRAY, Collections.singletonList(null), ErrorCode.NULL_NOT_ALLOWED);
  }

  @Test
  void vectorsComeInManyForms() {
    FieldType type = FieldType.vector(2);
    float[] given = {0.5f, -2};
    for (Object value :
        List.of(
            given,
            new double[] {0.5, -2},
            new Float[] {0.5f, -2f},
            List.of(0.5, -2),
            "[0.5,-2]",
            " [ 5e-1 , -2.0 ] ")) {
      assertThat((float[]) Values.canonical(field(type), value)).containsExactly(0.5f, -2f);
    }
    assertThat(Values.canonical(field(type), given)).isNotSameAs(given);
    assertRefused(type, "[1]", ErrorCode.INVALID_ARGUMENT, "given=1, wanted=2");
    assertRefused(type, new float[] {1, 2, 3}, ErrorCode.INVALID_ARGUMENT, "given=3, wanted=2");
    assertRefused(type, new float[] {1, Float.NaN}, ErrorCode.OUT_OF_RANGE, "NaN");
    assertRefused(type, new double[] {1, 1e39}, ErrorCode.OUT_OF_RANGE, "Infinity");
    assertRefused(type, "[1,1e39]", ErrorCode.OUT_OF_RANGE, "1e39");
    for (String bad :
        List.of("", "1,2", "[1 2]", "[1,]", "[,]", "[1,NaN]", "[1,0x1p3]", "[1,2f]", "[1,2]]")) {
      assertRefused(type, bad, ErrorCode.INVALID_TEXT, "write numbers like");
    }
    assertRefused(type, 5, ErrorCode.TYPE_MISMATCH, "VECTOR(2)");
    assertRefused(type, List.of("a", "b"), ErrorCode.TYPE_MISMATCH, "item=a");
    assertRefused(type, Arrays.asList(1, null), ErrorCode.TYPE_MISMATCH, "item=null");
  }

  @Test
  void sparseVectorsComeInManyForms() {
    FieldType type = FieldType.of(TypeKind.SPARSEVECTOR);
    SparseVector wanted = new SparseVector(new int[] {7, -1}, new float[] {0.5f, -2});
    for (Object value :
        List.of(
            new SparseVector(new int[] {-1, 7, 3}, new float[] {-2, 0.5f, 0}),
            "{\"4294967295\":-2,\"7\":0.5,\"9\":0.0}",
            Map.of(4294967295L, -2, 7, 0.5))) {
      assertThat(Values.canonical(field(type), value)).isEqualTo(wanted);
    }
    assertThat(Values.canonical(field(type), "{}"))
        .isEqualTo(new SparseVector(new int[0], new float[0]));
    assertRefused(type, "{\"1\":1,\"1\":0}", ErrorCode.INVALID_ARGUMENT, "twice");
    assertRefused(type, "{\"4294967296\":1}", ErrorCode.OUT_OF_RANGE, "index=4294967296");
    assertRefused(type, "{\"-1\":1}", ErrorCode.OUT_OF_RANGE, "index=-1");
    assertRefused(type, "{\"1\":1e39}", ErrorCode.OUT_OF_RANGE, "weight");
    assertRefused(type, Map.of(1, Float.NaN), ErrorCode.OUT_OF_RANGE, "NaN");
    assertRefused(type, Map.of(1, "x"), ErrorCode.TYPE_MISMATCH, "item=x");
    assertRefused(type, Map.of(1.5, 1), ErrorCode.TYPE_MISMATCH, "");
    for (String bad :
        List.of(
            "", "[1]", "{\"a\":1}", "{\"1\":\"x\"}", "{\"1\":null}", "{1:1}", "{} x", "{\"1\":1")) {
      assertRefused(type, bad, ErrorCode.INVALID_TEXT, "write weights by index");
    }
    assertRefused(type, 5, ErrorCode.TYPE_MISMATCH, "SPARSEVECTOR");
    assertThat((SparseVector) Values.canonical(field(type), sparse(65_536)))
        .satisfies(v -> assertThat(v.size()).isEqualTo(65_536));
    assertRefused(type, sparse(65_537), ErrorCode.LIMIT_EXCEEDED, "limit=65536");
  }

  private static String sparse(int entries) {
    return IntStream.range(0, entries)
        .mapToObj(i -> "\"" + i + "\":1")
        .collect(Collectors.joining(",", "{", "}"));
  }

  @Test
  void textFormsOfVectorsComeBackBitForBit() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    float[] vector = new float[20_000];
    for (int i = 0; i < vector.length; i++) {
      float bits = Float.intBitsToFloat(random.nextInt());
      vector[i] = Float.isFinite(bits) ? bits : random.nextFloat();
    }
    vector[0] = -0f;
    vector[1] = Float.MIN_VALUE;
    vector[2] = Float.MAX_VALUE;
    float[] read = VectorText.parse(VectorText.format(vector));
    for (int i = 0; i < vector.length; i++) {
      assertThat(Float.floatToRawIntBits(read[i]))
          .as("seed %d, component %d", seed, i)
          .isEqualTo(Float.floatToRawIntBits(vector[i]));
    }
    assertThat(VectorText.format(new float[] {1, -0.5f, 0.1f, 2.0E-3f, 1e10f}))
        .isEqualTo("[1,-0.5,0.1,0.002,1E+10]");
    SparseVector sparse = new SparseVector(new int[] {3, -1}, new float[] {0.25f, -3});
    assertThat(SparseText.format(sparse)).isEqualTo("{\"3\":0.25,\"4294967295\":-3}");
    assertThat(SparseText.parse(SparseText.format(sparse))).isEqualTo(sparse);
    assertThatThrownBy(() -> SparseText.parse("x"))
        .hasMessage(
            "not a sparse vector: value=x; write weights by index like {\"12\":0.5,\"907\":1.25}");
  }
}
