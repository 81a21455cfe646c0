package io.loam.column;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.Field;
import io.loam.schema.FieldType;
import io.loam.schema.TypeKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ColumnFileTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 63, 64, 65, 1000, 65_536, 65_600})
  void givesBackEveryValue(int size) {
    long seed = 11L + size;
    Random random = new Random(seed);
    for (double nullShare : new double[] {0, 0.3, 1}) {
      TreeMap<Integer, Column> columns = new TreeMap<>();
      TreeMap<Integer, List<@Nullable Object>> values = new TreeMap<>();
      for (Field field : RandomValues.FIELDS) {
        values.put(field.number(), RandomValues.list(random, field, size, nullShare));
        columns.put(field.number(), RandomValues.column(field, values.get(field.number())));
      }
      Path file = folder.resolve("c" + nullShare);
      ColumnFile.write(file, size, columns);
      ColumnFile open = ColumnFile.open(file, "c");
      assertThat(open.documentCount()).isEqualTo(size);
      assertThat(open.fieldNumbers()).isEqualTo(columns.keySet());
      values.forEach(
          (number, expected) -> {
            Column column = open.read(number).orElseThrow();
            assertThat(toList(column)).as("seed=%d field=%d", seed, number).isEqualTo(expected);
            assertThat(column.sizeInBytes()).isEqualTo(columns.get(number).sizeInBytes());
          });
      assertThat(open.read(99)).isEmpty();
    }
  }

  /** Equal lists of doubles have equal bits here but for the payloads of NaNs. */
  private static List<@Nullable Object> toList(Column column) {
    List<@Nullable Object> values = new ArrayList<>(column.size());
    for (int doc = 0; doc < column.size(); doc++) {
      if (column.isNull(doc) != (column.value(doc) == null)) {
        throw new AssertionError("doc=" + doc);
      }
      values.add(column.value(doc));
    }
    return values;
  }

  @ParameterizedTest
  @ValueSource(ints = {127, 128, 32_767, 32_768, 70_000})
  void givesBackCodesOfEveryWidth(int strings) {
    Field keyword = RandomValues.field(1, FieldType.of(TypeKind.VARCHAR));
    Field list = RandomValues.field(2, FieldType.of(TypeKind.VARCHAR_ARRAY));
    List<@Nullable Object> values = new ArrayList<>();
    List<@Nullable Object> lists = new ArrayList<>();
    for (int i = 0; i < strings; i++) {
      values.add("s" + i * 7919L % strings);
      lists.add(List.of("s" + i, "s" + i / 2));
    }
    TreeMap<Integer, Column> columns = new TreeMap<>();
    columns.put(1, RandomValues.column(keyword, values));
    columns.put(2, RandomValues.column(list, lists));
    ColumnFile.write(folder.resolve("c"), strings, columns);
    ColumnFile open = ColumnFile.open(folder.resolve("c"), "c");
    assertThat(toList(open.read(1).orElseThrow())).isEqualTo(values);
    assertThat(toList(open.read(2).orElseThrow())).isEqualTo(lists);
  }

  @Test
  void everyDamagedByteIsFound() throws IOException {
    Random random = new Random(5);
    TreeMap<Integer, Column> columns = new TreeMap<>();
    for (Field field : RandomValues.FIELDS.subList(7, 10)) {
      columns.put(
          field.number(), RandomValues.column(field, RandomValues.list(random, field, 10, 0.2)));
    }
    Path file = folder.resolve("c");
    ColumnFile.write(file, 10, columns);
    byte[] good = Files.readAllBytes(file);
    for (int i = 0; i < good.length; i++) {
      byte[] bad = good.clone();
      bad[i] ^= (byte) (1 << random.nextInt(8));
      assertDamaged(bad);
    }
    for (int length = 0; length < good.length; length += 37) {
      assertDamaged(Arrays.copyOf(good, length));
    }
  }

  private void assertDamaged(byte[] bytes) throws IOException {
    Path file = folder.resolve("bad");
    Files.write(file, bytes);
    assertThatThrownBy(
            () -> {
              ColumnFile open = ColumnFile.open(file, "text/one.columns");
              open.fieldNumbers().forEach(open::read);
            })
        .isInstanceOfSatisfying(
            LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_OBJECT))
        .hasMessageContaining("object=text/one.columns");
  }

  @Test
  void namesTheMissingFile() {
    assertThatThrownBy(() -> ColumnFile.open(folder.resolve("none"), "text/none.columns"))
        .isInstanceOfSatisfying(
            LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MISSING_OBJECT))
        .hasMessageContaining("object=text/none.columns");
  }

  @Test
  void refusesHalfASurrogatePair() {
    Field field = RandomValues.field(1, FieldType.of(TypeKind.VARCHAR));
    TreeMap<Integer, Column> columns = new TreeMap<>();
    columns.put(1, RandomValues.column(field, List.of("a\uD83D")));
    assertThatThrownBy(() -> ColumnFile.write(folder.resolve("c"), 1, columns))
        .isInstanceOfSatisfying(
            LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_TEXT));
  }

  @Test
  void aLaterFieldIsNullEverywhere() {
    for (Field field : RandomValues.FIELDS) {
      Column column = ColumnBuilder.allNull(field, 70);
      assertThat(column.size()).isEqualTo(70);
      assertThat(toList(column)).containsOnlyNulls();
    }
  }
}
