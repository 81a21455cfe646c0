package io.loam.column;

import io.loam.column.Column.LongKind;
import java.util.Optional;

/** What a block of a column file holds; the ordinal plus one is its number in the file. */
enum BlockKind {
  BIGINT,
  INTEGER,
  BOOLEAN,
  DATE,
  TIMESTAMP,
  DOUBLE,
  REAL,
  DECIMAL,
  UUID,
  VARCHAR,
  VARCHAR_ARRAY;

  int number() {
    return ordinal() + 1;
  }

  static Optional<BlockKind> ofNumber(int number) {
    return number >= 1 && number <= values().length
        ? Optional.of(values()[number - 1])
        : Optional.empty();
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
