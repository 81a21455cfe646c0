package io.loam.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ValuesTest {
  private static void assertFails(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(LoamException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void wholeNumbers() {
    assertThat(Values.toLong(" 9223372036854775807 ")).isEqualTo(Long.MAX_VALUE);
    assertThat(Values.toLong(new BigDecimal("-1.9"))).isEqualTo(-1);
    assertThat(Values.toLong(2.5)).isEqualTo(2);
    assertThat(Values.toLong(true)).isEqualTo(1);
    assertThat(Values.toInt(Integer.MIN_VALUE)).isEqualTo(Integer.MIN_VALUE);
    assertFails(ErrorCode.OUT_OF_RANGE, () -> Values.toInt(1L << 31));
    assertFails(ErrorCode.OUT_OF_RANGE, () -> Values.toLong(BigInteger.TWO.pow(63)));
    assertFails(ErrorCode.INVALID_TEXT, () -> Values.toLong("1x"));
    assertFails(ErrorCode.INVALID_TEXT, () -> Values.toLong(""));
    assertFails(ErrorCode.TYPE_MISMATCH, () -> Values.toLong(List.of()));
    assertFails(ErrorCode.INVALID_TEXT, () -> Values.toLong(Double.NaN));
  }

  @Test
  void fractions() {
    assertThat(Values.toDouble("1e3")).isEqualTo(1000);
    assertThat(Values.toDecimal(0.1)).isEqualByComparingTo("0.1");
    assertThat(Values.toDecimal(0.1f)).isEqualByComparingTo("0.1");
    assertThat(Values.toDecimal("2.345", 2)).isEqualByComparingTo("2.35");
    assertThat(Values.toFloat(Double.POSITIVE_INFINITY)).isEqualTo(Float.POSITIVE_INFINITY);
    assertFails(ErrorCode.OUT_OF_RANGE, () -> Values.toFloat(1e300));
  }

  @Test
  void booleans() {
    assertThat(List.of("TRUE", "t", "yes", "1")).allMatch(Values::toBoolean);
    assertThat(List.of("False", "f", "no", "0")).noneMatch(Values::toBoolean);
    assertThat(Values.toBoolean(0.0)).isFalse();
    assertFails(ErrorCode.INVALID_TEXT, () -> Values.toBoolean("maybe"));
  }

  @Test
  void datesAndTimes() {
    LocalDateTime noon = LocalDateTime.of(2026, 1, 31, 12, 0, 0, 123_456_000);
    assertThat(Values.toTimestamp("2026-01-31 12:00:00.123456")).isEqualTo(noon);
    assertThat(Values.toTimestamp("2026-01-31T12:00:00.123456")).isEqualTo(noon);
    assertThat(Values.toTimestamp(Timestamp.valueOf(noon))).isEqualTo(noon);
    assertThat(Values.toTimestamp(Instant.parse("2026-01-31T12:00:00.123456Z"))).isEqualTo(noon);
    assertThat(Values.toTimestamp(OffsetDateTime.parse("2026-01-31T13:00:00.123456+01:00")))
        .isEqualTo(noon);
    assertThat(Values.toTimestamp("2026-01-31")).isEqualTo("2026-01-31T00:00:00");
    assertThat(Values.toDate("2026-01-31")).isEqualTo(LocalDate.of(2026, 1, 31));
    assertThat(Values.toDate(noon)).isEqualTo(LocalDate.of(2026, 1, 31));
    assertThat(Values.toDate(java.sql.Date.valueOf("2026-01-31"))).isEqualTo("2026-01-31");
    assertThat(Values.toText(noon)).isEqualTo("2026-01-31 12:00:00.123456");
    assertThat(Values.toText(noon.withNano(0))).isEqualTo("2026-01-31 12:00:00");
    assertFails(ErrorCode.INVALID_TEXT, () -> Values.toDate("2026-02-30"));
    assertFails(ErrorCode.TYPE_MISMATCH, () -> Values.toTimestamp(1L));
  }

  @Test
  void uuids() {
    UUID uuid = new UUID(1, 2);
    assertThat(Values.toUuid(uuid.toString().toUpperCase(java.util.Locale.ROOT))).isEqualTo(uuid);
    assertFails(ErrorCode.INVALID_TEXT, () -> Values.toUuid("1-2-3-4-5"));
  }

  @Test
  void vectors() {
    float[] expected = {0.5f, -2f, 3f};
    assertThat(Values.toVector(new double[] {0.5, -2, 3})).isEqualTo(expected);
    assertThat(Values.toVector(List.of(0.5, -2, 3L))).isEqualTo(expected);
    assertThat(Values.toVector(new Object[] {0.5f, "-2", 3})).isEqualTo(expected);
    assertThat(Values.toVector(" [0.5, -2 ,3e0] ")).isEqualTo(expected);
    assertThat(Values.toVector("[]")).isEmpty();
    assertThat(Values.toText(expected)).isEqualTo("[0.5,-2.0,3.0]");
    assertThat(Values.toText(List.of("a", "b \"c\""))).isEqualTo("[\"a\",\"b \\\"c\\\"\"]");
    assertFails(ErrorCode.INVALID_TEXT, () -> Values.toVector("0.5,1"));
    assertFails(ErrorCode.INVALID_TEXT, () -> Values.toVector("[1,]"));
    assertFails(ErrorCode.TYPE_MISMATCH, () -> Values.toVector(7));
    assertFails(
        ErrorCode.NULL_NOT_ALLOWED, () -> Values.toVector(java.util.Arrays.asList(1f, null)));
  }
}
