package io.loam.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TermPatternTest {
  @ParameterizedTest
  @CsvSource({
    "a, a",
    "*, *",
    "w***g, w*g",
    "**a**?**, *a*?*",
    "\\*, \\*",
    "\\***, \\**",
    "\\\\**, \\\\*",
    "**\\**\\***, *\\**\\**",
    "a**\\, a*\\",
  })
  void starsThatStandTogetherAreOne(String pattern, String single) {
    assertThat(new TermPattern(TermPattern.Kind.WILDCARD, pattern, 0).withSingleStars())
        .isEqualTo(single);
  }
}
