package io.loam.column;

import static org.assertj.core.api.Assertions.assertThat;

import io.loam.schema.Field;
import io.loam.schema.FieldType;
import io.loam.schema.Key;
import io.loam.schema.TypeKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KeyIndexTest {
  @Test
  void agreesWithAHashMap() {
    for (long seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      TypeKind kind = List.of(TypeKind.BIGINT, TypeKind.VARCHAR, TypeKind.UUID).get((int) seed % 3);
      Field field = RandomValues.field(1, FieldType.of(kind));
      List<@Nullable Object> keys = RandomValues.list(random, field, random.nextInt(400), 0);
      if (random.nextBoolean()) {
        keys.sort(Comparator.comparing(k -> Key.ofValue(k)));
      }
      Map<Object, List<Integer>> expected = new HashMap<>();
      for (int doc = 0; doc < keys.size(); doc++) {
        expected.computeIfAbsent(keys.get(doc), k -> new ArrayList<>()).add(doc);
      }
      List<Object> probes = new ArrayList<>(expected.keySet());
      RandomValues.list(random, field, 200, 0).stream()
          .filter(k -> !expected.containsKey(k))
          .distinct()
          .forEach(probes::add);
      assertFinds(KeyIndex.of(RandomValues.column(field, keys)), probes, expected);
    }
  }

  @Test
  void keysThatComeInNoOrderAreFoundAmongMany() {
    Random random = new Random(5);
    long[] values = random.longs(200_000).toArray();
    KeyIndex index = KeyIndex.of(new Column.Longs(Column.LongKind.BIGINT, values, null));
    long[] found = new long[values.length];
    List<Long> wanted = new ArrayList<>(Arrays.stream(values).boxed().toList());
    random.longs(10_000).forEach(wanted::add);
    index.find(KeyIndex.Wanted.of(wanted), (key, doc) -> found[doc] = (Long) key);
    assertThat(found).isEqualTo(values);
  }

  private static void assertFinds(
      KeyIndex index, List<Object> probes, Map<Object, List<Integer>> expected) {
    for (Object probe : probes) {
      List<Integer> docs = new ArrayList<>();
      index.find(KeyIndex.Wanted.of(List.of(probe)), (key, doc) -> docs.add(doc));
      assertThat(docs).isEqualTo(expected.getOrDefault(probe, List.of()));
    }
    Map<Object, List<Integer>> found = new HashMap<>();
    index.find(
        KeyIndex.Wanted.of(probes),
        (key, doc) -> found.computeIfAbsent(key, k -> new ArrayList<>()).add(doc));
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void comparesAsKeysDo() {
    for (TypeKind kind : List.of(TypeKind.BIGINT, TypeKind.VARCHAR, TypeKind.UUID)) {
      Random random = new Random(3);
      Field field = RandomValues.field(1, FieldType.of(kind));
      List<@Nullable Object> left = RandomValues.list(random, field, 60, 0);
      List<@Nullable Object> right = RandomValues.list(random, field, 60, 0);
      KeyIndex a = KeyIndex.of(RandomValues.column(field, left));
      KeyIndex b = KeyIndex.of(RandomValues.column(field, right));
      for (int i = 0; i < 60; i++) {
        for (int j = 0; j < 60; j++) {
          int expected = Key.ofValue(left.get(i)).compareTo(Key.ofValue(right.get(j)));
          assertThat(Integer.signum(a.compare(i, b, j)))
              .as("%s %s", left.get(i), right.get(j))
              .isEqualTo(Integer.signum(expected));
        }
      }
    }
  }

  @Test
  void ascendingKeysNeedNoTable() {
    Field field = RandomValues.field(1, FieldType.of(TypeKind.BIGINT));
    Column ascending = RandomValues.column(field, List.of(1L, 2L, 2L, 5L));
    Column mixed = RandomValues.column(field, List.of(2L, 1L, 2L, 5L));
    // What the first search adds is counted before it.
    assertThat(KeyIndex.of(ascending).sizeInBytes()).isEqualTo(ascending.sizeInBytes());
    assertThat(KeyIndex.of(mixed).sizeInBytes()).isEqualTo(mixed.sizeInBytes() + 4 * 8);
  }
}
