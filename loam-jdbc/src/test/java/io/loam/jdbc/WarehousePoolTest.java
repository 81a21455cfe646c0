package io.loam.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.WarehouseOptions;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WarehousePoolTest {
  private final List<FakeWarehouse> opened = new ArrayList<>();
  private final WarehousePool<String> pool =
      new WarehousePool<>(
          options -> {
            opened.add(new FakeWarehouse());
            return opened.get(opened.size() - 1);
          },
          warehouse -> "companion " + opened.size());

  private static WarehouseOptions at(String path) {
    return WarehouseOptions.at(Path.of(path));
  }

  @Test
  void sharedUntilTheLastCloses() {
    WarehousePool<String>.Lease first = pool.lease(at("/a"));
    WarehousePool<String>.Lease second = pool.lease(at("/a"));
    assertThat(second.companion()).isSameAs(first.companion());
    first.close();
    first.close();
    assertThat(opened.get(0).closed).isZero();
    second.close();
    assertThat(opened.get(0).closed).isEqualTo(1);
    pool.lease(at("/a")).close();
    assertThat(opened).hasSize(2).allMatch(w -> w.closed == 1);
  }

  @Test
  void otherOptionsAreAnotherWarehouse() {
    try (WarehousePool<String>.Lease one = pool.lease(at("/a"));
        WarehousePool<String>.Lease two =
            pool.lease(new WarehouseOptions(Path.of("/a"), null, 1 << 20))) {
      assertThat(one.companion()).isNotEqualTo(two.companion());
      assertThat(opened).hasSize(2);
    }
  }

  @Test
  void failureToOpenLeavesNothing() {
    WarehousePool<String> failing =
        new WarehousePool<>(
            options -> {
              throw new LoamException(ErrorCode.STORE_UNAVAILABLE, "no");
            },
            warehouse -> "");
    assertThatThrownBy(() -> failing.lease(at("/a"))).hasMessage("no");
    assertThatThrownBy(() -> failing.lease(at("/a"))).hasMessage("no");
  }
}
