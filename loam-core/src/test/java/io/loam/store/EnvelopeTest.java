package io.loam.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class EnvelopeTest {
  private static final byte[] BODY = {1, 2, 3};

  @Test
  void formIsFixed() {
    assertThat(HexFormat.of().formatHex(Envelope.wrap("LOAM", 258, BODY)))
        .isEqualTo("4c4f414d0201010203" + "cabbb9b3");
  }

  @Test
  void currentAndPreviousVersionsAreRead() {
    byte[] framed = Envelope.wrap("LOAM", 3, BODY);
    assertThat(Envelope.unwrap("LOAM", 3, framed, "p")).isEqualTo(BODY);
    assertThat(Envelope.unwrap("LOAM", 4, framed, "p")).isEqualTo(BODY);
    assertCorrupt(2, framed, "upgrade Loam");
    assertCorrupt(5, framed, "old format");
  }

  @Test
  void otherKindAndEveryDamageAreNoticed() {
    assertThatThrownBy(() -> Envelope.unwrap("LOAX", 1, Envelope.wrap("LOAM", 1, BODY), "p"))
        .hasMessageContaining("another kind");
    byte[] framed = Envelope.wrap("LOAM", 1, BODY);
    for (int i = 0; i < framed.length; i++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] damaged = framed.clone();
        damaged[i] ^= (byte) (1 << bit);
        assertCorrupt(1, damaged, "");
      }
      assertCorrupt(1, Arrays.copyOf(framed, i), "");
    }
    assertCorrupt(1, Arrays.copyOf(framed, framed.length + 1), "");
  }

  private static void assertCorrupt(int version, byte[] framed, String message) {
    assertThatThrownBy(() -> Envelope.unwrap("LOAM", version, framed, "some/path"))
        .isInstanceOfSatisfying(
            LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_OBJECT))
        .hasMessageContaining("path=some/path")
        .hasMessageContaining(message);
  }

  @Test
  void ulidsAscendAndCarryTheTime() {
    List<String> ulids = IntStream.range(0, 10_000).mapToObj(i -> Ulid.next()).toList();
    assertThat(ulids)
        .isSorted()
        .doesNotHaveDuplicates()
        .allMatch(u -> u.matches("[0-9a-hjkmnp-tv-z]{26}"));
    long millis = 0;
    for (char c : ulids.get(0).substring(0, 10).toCharArray()) {
      millis = millis * 32 + "0123456789abcdefghjkmnpqrstvwxyz".indexOf(c);
    }
    assertThat(millis).isBetween(System.currentTimeMillis() - 60_000, System.currentTimeMillis());
  }
}
