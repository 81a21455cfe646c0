package io.loam.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenEncodingTest {
  @TempDir Path folder;

  private static String randomToken(Random random) {
    StringBuilder token = new StringBuilder();
    int length = random.nextInt(20) == 0 ? 150 + random.nextInt(150) : 1 + random.nextInt(6);
    for (int i = 0; i < length; i++) {
      int codePoint =
          switch (random.nextInt(5)) {
            case 0 -> random.nextInt(0x80);
            case 1 -> random.nextInt(0x600);
            case 2 -> "\\#;aA ".charAt(random.nextInt(6));
            case 3 -> random.nextInt(0x10000);
            default -> random.nextInt(0x110000);
          };
      token.appendCodePoint(codePoint >= 0xD800 && codePoint < 0xE000 ? 'q' : codePoint);
    }
    return token.toString();
  }

  /** Every code point alone, and random tokens: each is found by itself and by nothing else. */
  @Test
  void tantivyTakesEachEncodedTokenAsItIs() throws Exception {
    Set<String> tokens = new LinkedHashSet<>();
    for (int codePoint = 0; codePoint < 0x3100; codePoint++) {
      tokens.add(Character.toString(codePoint));
    }
    Random random = new Random(4);
    while (tokens.size() < 20_000) {
      tokens.add(randomToken(random));
    }
    List<String> all = List.copyOf(tokens);
    Map<String, String> encoded = new HashMap<>();
    TokenBuilder builder = new TokenBuilder();
    for (String token : all) {
      assertThat(encoded.put(TokenEncoding.encode(token), token)).isNull();
      builder.add(List.of(token, "end"));
    }
    TokenReader reader = builder.build();
    try (TantivySplit index =
        TantivySplit.write(all.size(), new TreeMap<>(Map.of(1, reader)), folder)) {
      assertThat(index.segments()).isEqualTo(1);
      assertThat(index.documents()).isEqualTo(all.size());
      for (int doc = 0; doc < all.size(); doc += doc < 0x3100 ? 3 : 11) {
        assertThat(index.phrase(1, List.of(all.get(doc), "end"), 3))
            .as(all.get(doc))
            .containsExactly(doc);
      }
    }
  }
}
