package io.loam.lance;

import static io.loam.lance.LanceSamples.DENSE;
import static io.loam.lance.LanceSamples.DENSE_FIELD;
import static io.loam.lance.LanceSamples.SCHEMA;
import static io.loam.lance.LanceSamples.SPARSE;
import static io.loam.lance.LanceSamples.SPARSE_FIELD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.RowIdRange;
import io.loam.schema.SparseVector;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fragments that are replaced by one: rows keep their ids and values in every version. */
class LanceRewriteTest {
  @TempDir Path folder;
  private LanceStore store;
  private String uri;
  private int nextFragmentId = 1;
  private long nextRowId = 1;

  /**
   * What a version should hold.
   *
   * @param fragments row ids by physical offset
   */
  private record Model(
      long version, TreeMap<Integer, List<Long>> fragments, TreeMap<Long, LanceRow> live) {
    Model copy(long newVersion) {
      return new Model(newVersion, new TreeMap<>(fragments), new TreeMap<>(live));
    }
  }

  @BeforeEach
  void open() {
    store = LanceStore.open(64 << 20, 64 << 20);
    uri = folder.resolve("lance").toString();
    store.create(uri, SCHEMA);
  }

  @AfterEach
  void close() {
    store.close(); // fails where Arrow memory is still in use
  }

  private Model append(Model parent, List<LanceRow> rows, int fragmentId) {
    RowIdRange ids = new RowIdRange(nextRowId, rows.size());
    nextRowId += rows.size();
    WrittenFragment fragment = store.write(uri, SCHEMA, fragmentId, List.of(ids), rows);
    Model next =
        parent.copy(store.commit(uri, parent.version(), List.of(fragment), Map.of()).version());
    List<Long> order = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      order.add(ids.start() + i);
      next.live().put(ids.start() + i, rows.get(i));
    }
    next.fragments().put(fragmentId, order);
    return next;
  }

  private Model delete(Model parent, int fragmentId, int[] offsets) {
    CommittedVersion committed =
        store.commit(uri, parent.version(), List.of(), Map.of(fragmentId, offsets));
    Model next = parent.copy(committed.version());
    remove(next, fragmentId, offsets);
    assertThat(committed.removedFragments().contains(fragmentId))
        .isEqualTo(!next.fragments().containsKey(fragmentId));
    return next;
  }

  private static void remove(Model model, int fragmentId, int[] offsets) {
    List<Long> order = model.fragments().get(fragmentId);
    for (int offset : offsets) {
      model.live().remove(order.get(offset));
    }
    if (order.stream().noneMatch(model.live()::containsKey)) {
      model.fragments().remove(fragmentId);
    }
  }

  /** Replaces fragments that were read in {@code read} by one on top of {@code parent}. */
  private Model rewrite(
      Model read, Model parent, List<Integer> fragments, Random random, boolean withDeletes) {
    WrittenFragment copy;
    int id = nextFragmentId++;
    try (LanceReader reader = store.open(LanceAddress.local(uri), read.version())) {
      copy = store.copy(uri, reader, SCHEMA, fragments, id, () -> {});
    }
    List<Long> expected = new ArrayList<>();
    for (int fragment : fragments) {
      read.fragments().get(fragment).stream()
          .filter(read.live()::containsKey)
          .forEach(expected::add);
    }
    List<Long> order = new ArrayList<>();
    for (long rowId : LanceSamples.rowIds(copy.rowIds())) {
      order.add(rowId);
    }
    assertThat(order).isEqualTo(expected);
    int[] offsets =
        withDeletes
            ? random.ints(0, order.size()).limit(1 + random.nextInt(order.size())).toArray()
            : new int[0];
    CommittedVersion committed =
        store.rewrite(uri, parent.version(), Set.copyOf(fragments), copy, offsets);
    Model next = parent.copy(committed.version());
    next.fragments().keySet().removeAll(fragments);
    next.fragments().put(id, order);
    remove(next, id, offsets);
    return next;
  }

  private void assertHolds(Model model, Random random) {
    try (LanceReader reader = store.open(LanceAddress.local(uri), model.version())) {
      assertThat(reader.rowCount()).isEqualTo(model.live().size());
      model
          .fragments()
          .forEach(
              (id, order) -> {
                List<Long> live = new ArrayList<>();
                reader.scan(
                    id,
                    List.of(DENSE_FIELD, SPARSE_FIELD),
                    (rowId, row) -> {
                      live.add(rowId);
                      assertSame(row, model.live().get(rowId));
                    });
                assertThat(live)
                    .isEqualTo(order.stream().filter(model.live()::containsKey).toList());
              });
      List<Long> some = new ArrayList<>(model.live().keySet());
      Collections.shuffle(some, random);
      long[] ids = some.stream().limit(50).mapToLong(Long::longValue).toArray();
      byte[][] keys = reader.keys(ids);
      String[] sources = reader.sources(ids);
      float[][] dense = reader.vectors(DENSE, ids);
      SparseVector[] sparse = reader.sparse(SPARSE, ids);
      for (int i = 0; i < ids.length; i++) {
        LanceRow row = new LanceRow(keys[i], sources[i], new Object[] {dense[i], sparse[i]});
        assertSame(row, model.live().get(ids[i]));
      }
    }
  }

  private static void assertSame(LanceRow row, LanceRow expected) {
    assertThat(row.key()).isEqualTo(expected.key());
    assertThat(row.source()).isEqualTo(expected.source());
    assertThat(row.vectors()).usingRecursiveComparison().isEqualTo(expected.vectors());
  }

  private Model empty() {
    return new Model(LanceStore.EMPTY_VERSION, new TreeMap<>(), new TreeMap<>());
  }

  @Test
  void hundredFragmentsOfOneRowBecomeOne() {
    Random random = new Random(1);
    Model model = empty();
    for (int i = 0; i < 100; i++) {
      model = append(model, LanceSamples.rows(random, 1), nextFragmentId++);
    }
    Model before = model;
    List<Integer> all = List.copyOf(model.fragments().keySet());
    Model after = rewrite(model, model, all, random, false);
    assertThat(after.fragments()).hasSize(1);
    assertHolds(after, random);
    assertHolds(before, random);
  }

  @Test
  void fragmentsThatCameOutOfTurnAreReplaced() {
    Random random = new Random(2);
    Model model = empty();
    for (int id : new int[] {7, 3, 9, 1, 5, 8}) {
      model = append(model, LanceSamples.rows(random, 3), id);
    }
    nextFragmentId = 20;
    model = delete(model, 9, new int[] {1});
    Model some = rewrite(model, model, List.of(1, 7, 9), random, false);
    assertHolds(some, random);
    Model rest = rewrite(some, some, List.of(8, 20, 3), random, true);
    assertHolds(rest, random);
    assertHolds(append(rest, LanceSamples.rows(random, 2), nextFragmentId++), random);
    assertHolds(model, random);
  }

  @ParameterizedTest
  @ValueSource(longs = {3, 4})
  void randomChangesAndRewritesInABranchingHistory(long seed) {
    Random random = new Random(seed);
    List<Model> versions = new ArrayList<>(List.of(empty()));
    for (int step = 0; step < 80; step++) {
      Model parent = versions.get(Math.max(0, versions.size() - 1 - random.nextInt(3)));
      List<Integer> ids = new ArrayList<>(parent.fragments().keySet());
      Collections.shuffle(ids, random);
      Model next;
      if (ids.size() < 3 || random.nextInt(3) == 0) {
        int rows = 1 + random.nextInt(random.nextInt(10) == 0 ? 2_000 : 4);
        next = append(parent, LanceSamples.rows(random, rows), nextFragmentId++);
      } else if (random.nextInt(2) == 0) {
        int rows = parent.fragments().get(ids.get(0)).size();
        int[] offsets = random.ints(1 + random.nextInt(rows), 0, rows).toArray();
        next = delete(parent, ids.get(0), offsets);
      } else {
        List<Integer> group = ids.subList(0, 1 + random.nextInt(Math.min(6, ids.size())));
        next = rewrite(parent, parent, group, random, random.nextInt(3) == 0);
      }
      versions.add(next);
      assertHolds(next, random);
      assertHolds(versions.get(random.nextInt(versions.size())), random);
    }
  }

  @Test
  void fragmentsThatAreNotThereAreRefused() {
    Random random = new Random(5);
    Model model = append(empty(), LanceSamples.rows(random, 3), nextFragmentId++);
    WrittenFragment copy;
    try (LanceReader reader = store.open(LanceAddress.local(uri), model.version())) {
      copy = store.copy(uri, reader, SCHEMA, List.of(1), nextFragmentId++, () -> {});
    }
    for (Set<Integer> wrong : List.of(Set.of(1, 5), new LinkedHashSet<>(List.of(1, copy.id())))) {
      assertThatThrownBy(() -> store.rewrite(uri, model.version(), wrong, copy, new int[0]))
          .isInstanceOfSatisfying(
              LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL))
          .hasMessageContaining("not there");
    }
    assertHolds(model, random);
  }
}
