package io.loam.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SourceCodecTest {
  private static final CollectionSchema ALL = all();

  private static CollectionSchema all() {
    SchemaBuilder builder = new SchemaBuilder();
    for (TypeKind kind : TypeKind.values()) {
      FieldType type =
          kind == TypeKind.VECTOR
              ? FieldType.vector(2)
              : kind == TypeKind.DECIMAL ? FieldType.decimal(38, 10) : FieldType.of(kind);
      builder.add(kind.name(), type, true, "", "");
    }
    return builder.build();
  }

  private static @Nullable Object[] row(Random random) {
    List<@Nullable Object> row = new ArrayList<>();
    for (Field field : ALL.fields()) {
      row.add(random.nextInt(4) == 0 ? null : value(field, random));
    }
    return Values.canonical(ALL, row.toArray());
  }

  private static Object value(Field field, Random random) {
    return switch (field.kind()) {
      case BIGINT -> random.nextLong();
      case INTEGER -> random.nextInt();
      case REAL -> random.nextInt(9) == 0 ? Float.NaN : Float.intBitsToFloat(random.nextInt());
      case DOUBLE -> random.nextInt(9) == 0 ? 1 / 0.0 : Double.longBitsToDouble(random.nextLong());
      case DECIMAL -> BigDecimal.valueOf(random.nextLong(), random.nextInt(20));
      case BOOLEAN -> random.nextBoolean();
      case DATE -> LocalDate.ofEpochDay(random.nextInt(80_000) - 40_000);
      case TIMESTAMP -> LocalDateTime.of(2020, 1, 1, 0, 0).plusNanos(random.nextLong() >> 2);
      case UUID -> new UUID(random.nextLong(), random.nextLong());
      case VARCHAR, TEXT -> text(random);
      case JSON ->
          List.of("5", "-1.50", "\"x y\"", "[1, {\"a\": []}]", "{ \"k\" : \"}\" }", "null", "true")
              .get(random.nextInt(7));
      case VARCHAR_ARRAY -> List.of(text(random), "").subList(0, random.nextInt(3));
      case VECTOR -> new float[] {1, 2};
      case SPARSEVECTOR -> "{\"1\":1}";
    };
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(30); i > 0; i--) {
      text.appendCodePoint("ab \"\\\n\0ü数😀\u202e".codePoints().toArray()[random.nextInt(11)]);
    }
    return text.toString();
  }

  @Test
  void randomRowsComeBackWithoutTheirVectors() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      @Nullable Object[] row = row(random);
      String json = SourceCodec.encode(ALL, row);
      new ObjectMapper().readTree(json);
      @Nullable Object[] wanted = row.clone();
      for (Field field : ALL.fields()) {
        int place = ALL.position(field.number());
        wanted[place] = SourceCodec.isInBody(field) ? wanted[place] : null;
        assertThat(SourceCodec.read(json, field)).as("seed %d", seed).isEqualTo(wanted[place]);
      }
      assertThat(SourceCodec.decode(ALL, json)).as("seed %d: %s", seed, json).isEqualTo(wanted);
      List<Field> some = List.of(ALL.fields().get(12), ALL.fields().get(0), ALL.fields().get(9));
      assertThat(SourceCodec.read(json, some)).containsExactly(wanted[12], wanted[0], wanted[9]);
    }
  }

  @Test
  void formIsFixed() {
    CollectionSchema schema =
        new SchemaBuilder()
            .add("Id", FieldType.of(TypeKind.BIGINT), true, "", "")
            .add("paid", FieldType.decimal(12, 7), true, "", "")
            .add("extra", FieldType.of(TypeKind.JSON), true, "", "")
            .add("born", FieldType.of(TypeKind.DATE), true, "", "")
            .add("seen", FieldType.of(TypeKind.TIMESTAMP), true, "", "")
            .add("tags", FieldType.of(TypeKind.VARCHAR_ARRAY), true, "", "")
            .add("v", FieldType.vector(1), true, "", "")
            .add("none", FieldType.of(TypeKind.TEXT), true, "", "")
            .add("x", FieldType.of(TypeKind.DOUBLE), true, "", "")
            .build();
    Object[] row = {
      1,
      new BigDecimal("0.0000001"),
      "{ \"a\": 1.10 }",
      LocalDate.of(2024, 2, 29),
      LocalDateTime.of(2024, 2, 29, 1, 2),
      List.of("a", "\""),
      new float[] {1},
      null,
      Double.NaN
    };
    assertThat(SourceCodec.encode(schema, Values.canonical(schema, row)))
        .isEqualTo(
            "{\"Id\":1,\"paid\":0.0000001,\"extra\":{\"a\":1.10},\"born\":\"2024-02-29\","
                + "\"seen\":\"2024-02-29T01:02\",\"tags\":[\"a\",\"\\\"\"],\"x\":\"NaN\"}");
  }

  @Test
  void deepestJsonIsReadBack() {
    CollectionSchema schema =
        new SchemaBuilder().add("j", FieldType.of(TypeKind.JSON), true, "", "").build();
    String deep = "[".repeat(1000) + "]".repeat(1000);
    String json = SourceCodec.encode(schema, Values.canonical(schema, new Object[] {deep}));
    assertThat(SourceCodec.decode(schema, json)).containsExactly(deep);
  }

  @Test
  void largestDocumentFitsAndOneByteMoreDoesNot() {
    CollectionSchema schema =
        new SchemaBuilder().add("t", FieldType.of(TypeKind.TEXT), true, "", "").build();
    int room = Limits.MAX_DOCUMENT_BYTES - "{\"t\":\"\"}".length();
    for (String unit : List.of("a", "ü", "数", "😀")) {
      int bytes = unit.getBytes(StandardCharsets.UTF_8).length;
      String most = unit.repeat(room / bytes) + "b".repeat(room % bytes);
      String json = SourceCodec.encode(schema, new Object[] {most});
      assertThat(SourceCodec.decode(schema, json)[0]).isEqualTo(most);
      assertThatThrownBy(() -> SourceCodec.encode(schema, new Object[] {most + "b"}))
          .isInstanceOfSatisfying(
              LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED))
          .hasMessageContaining("bytes=16777217, limit=16777216");
    }
  }

  @Test
  void damagedBodiesAreNoticed() {
    Field field = ALL.fields().get(0);
    for (String bad : List.of("", "[]", "{\"x\":", "{\"BIGINT\":\"a\"}", "{\"BIGINT\":1.5e99}")) {
      assertThatThrownBy(() -> SourceCodec.read(bad, field))
          .isInstanceOfSatisfying(
              LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_OBJECT));
    }
  }
}
