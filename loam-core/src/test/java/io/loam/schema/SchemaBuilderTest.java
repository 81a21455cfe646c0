package io.loam.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SchemaBuilderTest {
  private static final FieldType TEXT = FieldType.of(TypeKind.TEXT);
  private static final FieldType BIGINT = FieldType.of(TypeKind.BIGINT);

  private static void assertRefused(SchemaBuilder builder, ErrorCode code, String message) {
    assertThatThrownBy(builder::build)
        .isInstanceOfSatisfying(LoamException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(message);
  }

  private static SchemaBuilder column(FieldType type) {
    return new SchemaBuilder().add("c", type, true, "", "");
  }

  @Test
  void columnsGetNumbersAndDefaults() {
    CollectionSchema schema =
        new SchemaBuilder()
            .add("Id", BIGINT, true, "", "")
            .add("Body", TEXT, true, "", "")
            .add("Title", TEXT, false, "English", "")
            .add("Embedding", FieldType.vector(3), true, "", "")
            .add("Other", FieldType.vector(3), true, "", "DOT")
            .primaryKey("ID")
            .option("METRIC.embedding", "L2")
            .build();
    assertThat(schema)
        .isEqualTo(
            new CollectionSchema(
                1,
                List.of(
                    new Field(1, "Id", BIGINT, false, "", ""),
                    new Field(2, "Body", TEXT, true, "standard", ""),
                    new Field(3, "Title", TEXT, false, "english", ""),
                    new Field(4, "Embedding", FieldType.vector(3), true, "", "l2"),
                    new Field(5, "Other", FieldType.vector(3), true, "", "dot")),
                1,
                6,
                Map.of("metric.embedding", "L2")));
    assertThat(column(FieldType.vector(1)).build().fields().get(0).metric()).isEqualTo("cosine");
    assertThat(column(TEXT).build().hasHiddenKey()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"_source", "_Row_Id", "_version", "_score", "_DISTANCE", "_rank_1", "_score_x"})
  void reservedNamesAreRefused(String name) {
    assertRefused(
        new SchemaBuilder().add(name, TEXT, true, "", ""),
        ErrorCode.INVALID_SCHEMA,
        "column=" + name);
  }

  @Test
  void namesAreCheckedTogether() {
    assertRefused(new SchemaBuilder(), ErrorCode.INVALID_SCHEMA, "no columns");
    assertRefused(
        new SchemaBuilder().add("", TEXT, true, "", ""), ErrorCode.INVALID_SCHEMA, "empty");
    assertRefused(
        column(TEXT).add("C", BIGINT, true, "", ""), ErrorCode.DUPLICATE_COLUMN, "column=C");
    SchemaBuilder most = new SchemaBuilder();
    for (int i = 0; i < Limits.MAX_FIELDS; i++) {
      most.add("c" + i, BIGINT, true, "", "");
    }
    assertThat(most.build().fields()).hasSize(Limits.MAX_FIELDS);
    assertRefused(most.add("x", BIGINT, true, "", ""), ErrorCode.LIMIT_EXCEEDED, "columns=1001");
  }

  @Test
  void keysAreOfThreeKinds() {
    for (TypeKind kind : List.of(TypeKind.BIGINT, TypeKind.VARCHAR, TypeKind.UUID)) {
      assertThat(column(FieldType.of(kind)).primaryKey("c").build().keyKind()).isEqualTo(kind);
    }
    assertRefused(column(TEXT).primaryKey("c"), ErrorCode.INVALID_SCHEMA, "use BIGINT");
    assertRefused(column(TEXT).primaryKey("x"), ErrorCode.UNKNOWN_COLUMN, "column=x");
    assertThatThrownBy(() -> column(BIGINT).primaryKey("c").primaryKey("d"))
        .hasMessageContaining("two primary keys");
  }

  @Test
  void typesHaveBounds() {
    assertThat(column(FieldType.vector(65_536)).build().fields()).hasSize(1);
    assertRefused(column(FieldType.vector(65_537)), ErrorCode.INVALID_SCHEMA, "1 to 65536");
    assertRefused(column(FieldType.vector(0)), ErrorCode.INVALID_SCHEMA, "dimension");
    assertThat(column(FieldType.decimal(38, 38)).build().fields()).hasSize(1);
    assertRefused(column(FieldType.decimal(39, 0)), ErrorCode.INVALID_SCHEMA, "precision");
    assertRefused(column(FieldType.decimal(0, 0)), ErrorCode.INVALID_SCHEMA, "precision");
    assertRefused(column(FieldType.decimal(5, 6)), ErrorCode.INVALID_SCHEMA, "scale");
    assertRefused(column(FieldType.decimal(5, -1)), ErrorCode.INVALID_SCHEMA, "scale");
  }

  @Test
  void analyzersMetricsAndOptionsAreKnownOnes() {
    assertRefused(
        new SchemaBuilder().add("c", TEXT, true, "klingon", ""),
        ErrorCode.INVALID_SCHEMA,
        "known analyzers: standard, english");
    assertRefused(
        new SchemaBuilder().add("c", BIGINT, true, "english", ""),
        ErrorCode.INVALID_SCHEMA,
        "only TEXT");
    assertRefused(
        new SchemaBuilder().add("c", TEXT, true, "", "l2"),
        ErrorCode.INVALID_SCHEMA,
        "only VECTOR");
    assertRefused(
        new SchemaBuilder().add("c", FieldType.vector(2), true, "", "l3"),
        ErrorCode.INVALID_SCHEMA,
        "known metrics: cosine, l2, dot");
    assertRefused(
        new SchemaBuilder().add("c", FieldType.vector(2), true, "", "l2").option("metric.c", "dot"),
        ErrorCode.INVALID_SCHEMA,
        "two metrics");
    assertRefused(column(TEXT).option("metric.c", "l2"), ErrorCode.INVALID_SCHEMA, "only VECTOR");
    assertRefused(column(TEXT).option("metric.d", "l2"), ErrorCode.INVALID_SCHEMA, "known options");
    assertRefused(column(TEXT).option("color", "red"), ErrorCode.INVALID_SCHEMA, "option=color");
  }

  @Test
  void formatIsFixed() {
    CollectionSchema schema =
        new SchemaBuilder()
            .add("id", BIGINT, false, "", "")
            .add("v", FieldType.vector(2), true, "", "")
            .primaryKey("id")
            .option("metric.v", "l2")
            .build();
    String members =
        "\"version\":1,\"keyField\":1,\"nextFieldNumber\":3,\"fields\":["
            + "{\"number\":1,\"name\":\"id\",\"type\":\"BIGINT\",\"precision\":0,\"scale\":0,"
            + "\"nullable\":false,\"analyzer\":\"\",\"metric\":\"\"},"
            + "{\"number\":2,\"name\":\"v\",\"type\":\"VECTOR\",\"precision\":2,\"scale\":0,"
            + "\"nullable\":true,\"analyzer\":\"\",\"metric\":\"l2\"}],"
            + "\"options\":{\"metric.v\":\"l2\"}";
    byte[] bytes = SchemaCodec.encode(schema);
    assertThat(new String(bytes, StandardCharsets.UTF_8))
        .isEqualTo("{\"format\":2," + members + ",\"dropped\":[],\"crc32c\":\"6d248e73\"}\n");
    String before = "{\"format\":1," + members + ",\"crc32c\":\"5b38e359\"}\n";
    assertThat(SchemaCodec.decode(before.getBytes(StandardCharsets.UTF_8), "p")).isEqualTo(schema);
    assertThat(SchemaCodec.decode(bytes, "p")).isEqualTo(schema);
  }

  @Test
  void everyKindComesBackAndEveryDamagedByteIsNoticed() {
    SchemaBuilder builder = new SchemaBuilder();
    for (TypeKind kind : TypeKind.values()) {
      FieldType type =
          kind == TypeKind.VECTOR
              ? FieldType.vector(7)
              : kind == TypeKind.DECIMAL ? FieldType.decimal(12, 2) : FieldType.of(kind);
      builder.add("ü \"" + kind, type, true, "", "");
    }
    CollectionSchema schema = SchemaChanges.drop(builder.build(), "ü \"JSON");
    byte[] bytes = SchemaCodec.encode(schema);
    assertThat(SchemaCodec.decode(bytes, "p")).isEqualTo(schema);
    for (int i = 0; i < bytes.length; i++) {
      byte[] damaged = bytes.clone();
      damaged[i] ^= (byte) (1 << (i % 8));
      assertThatThrownBy(() -> SchemaCodec.decode(damaged, "some/path"))
          .isInstanceOfSatisfying(
              LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_OBJECT))
          .hasMessageContaining("path=some/path");
    }
    byte[] newer = SealedJson.seal(SealedJson.ofFormat(3));
    assertThatThrownBy(() -> SchemaCodec.decode(newer, "p")).hasMessageContaining("upgrade Loam");
    byte[] other = SealedJson.seal(SealedJson.ofFormat(1).put("fields", 3));
    assertThatThrownBy(() -> SchemaCodec.decode(other, "p"))
        .hasMessageContaining("fields is not an array");
  }
}
