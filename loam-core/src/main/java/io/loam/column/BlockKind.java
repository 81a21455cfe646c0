package io.loam.column;

import io.loam.column.Column.LongKind;
import java.util.Arrays;
import java.util.Optional;

/** What a block of a column file holds, with its number in the file. */
enum BlockKind {
  BIGINT(1),
  INTEGER(2),
  BOOLEAN(3),
  DATE(4),
  TIMESTAMP(5),
  DOUBLE(6),
  REAL(7),
  DECIMAL(8),
  UUID(9),
  VARCHAR(10),
  VARCHAR_ARRAY(11);

  private final int number;

  BlockKind(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  static Optional<BlockKind> ofNumber(int number) {
    return Arrays.stream(values()).filter(k -> k.number == number).findFirst();
  }

  static BlockKind of(Column column) {
    if (column instanceof Column.Longs c) {
      return of(c.kind());
    }
    if (column instanceof Column.Doubles c) {
      return c.real() ? REAL : DOUBLE;
    }
    if (column instanceof Column.Decimals) {
      return DECIMAL;
    }
    if (column instanceof Column.Uuids) {
      return UUID;
    }
    return column instanceof Column.Keywords ? VARCHAR : VARCHAR_ARRAY;
  }

  private static BlockKind of(LongKind kind) {
    return switch (kind) {
      case BIGINT -> BIGINT;
      case INTEGER -> INTEGER;
      case BOOLEAN -> BOOLEAN;
      case DATE -> DATE;
      case TIMESTAMP -> TIMESTAMP;
    };
  }
}
