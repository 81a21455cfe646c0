package io.loam.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenFileTest {
  @TempDir Path folder;

  private static TokenReader build(List<List<String>> docs) {
    TokenBuilder builder = new TokenBuilder();
    docs.forEach(builder::add);
    return builder.build();
  }

  private TokenReader roundTrip(TokenReader tokens) {
    Path file = folder.resolve(System.nanoTime() + ".tokens");
    TokenFile.write(tokens, file);
    return TokenFile.open(file, "name");
  }

  private static List<String> tokens(TokenReader reader, int doc) {
    int[] codes = reader.tokens(doc, new int[0]);
    return Arrays.stream(codes, 0, reader.length(doc)).mapToObj(reader::term).toList();
  }

  private static void assertHolds(TokenReader reader, List<List<String>> docs) {
    assertThat(reader.documentCount()).isEqualTo(docs.size());
    assertThat(reader.totalTokens()).isEqualTo(docs.stream().mapToInt(List::size).sum());
    assertThat(reader.longestDocument())
        .isEqualTo(docs.stream().mapToInt(List::size).max().orElse(0));
    for (int doc = 0; doc < docs.size(); doc++) {
      assertThat(tokens(reader, doc)).isEqualTo(docs.get(doc));
    }
    TreeSet<String> terms = new TreeSet<>();
    docs.forEach(terms::addAll);
    assertThat(reader.termCount()).isEqualTo(terms.size());
    for (String term : terms) {
      int code = reader.termCode(term);
      assertThat(reader.term(code)).isEqualTo(term);
      assertThat(reader.documentFrequency(code))
          .isEqualTo((int) docs.stream().filter(d -> d.contains(term)).count());
    }
    assertThat(reader.termCode("not there")).isEqualTo(-1);
    assertThat(reader.termCode("")).isEqualTo(-1);
  }

  private static List<List<String>> randomDocs(Random random, int count, int vocabulary) {
    List<List<String>> docs = new ArrayList<>();
    for (int doc = 0; doc < count; doc++) {
      docs.add(
          random.nextInt(4) == 0
              ? List.of()
              : TextFixtures.zipfTokens(random, random.nextInt(40), vocabulary));
    }
    return docs;
  }

  @Test
  void memoryFileAndCopyHoldWhatWasAdded() {
    for (int vocabulary : new int[] {1, 2, 3, 200, 5_000}) {
      List<List<String>> docs = randomDocs(new Random(vocabulary), 700, vocabulary);
      TokenReader memory = build(docs);
      assertHolds(memory, docs);
      TokenReader file = roundTrip(memory);
      assertHolds(file, docs);
      TokenBuilder copy = new TokenBuilder();
      for (int doc = 0; doc < docs.size(); doc++) {
        copy.addCopy(doc % 2 == 0 ? file : memory, doc);
      }
      assertHolds(copy.build(), docs);
    }
  }

  @Test
  void termsAreInTheOrderOfTheirBytesAndMayHoldAnything() {
    List<String> terms =
        List.of("\uFFFD", "\uD83D\uDE00", "a b", "\0", "Z", "é", "漢", "x".repeat(8_000));
    TokenReader reader = roundTrip(build(List.of(terms, List.of())));
    assertHolds(reader, List.of(terms, List.of()));
    assertThat(reader.termCode("\uFFFD")).isLessThan(reader.termCode("\uD83D\uDE00"));
    assertHolds(roundTrip(build(List.of())), List.of());
    assertHolds(roundTrip(build(List.of(List.of()))), List.of(List.of()));
  }

  @Test
  void p10DamageOfAnyByteIsFoundAndNamed() throws IOException {
    List<List<String>> docs = randomDocs(new Random(3), 60, 50);
    Path file = folder.resolve("whole");
    TokenFile.write(build(docs), file);
    byte[] whole = Files.readAllBytes(file);
    Path damaged = folder.resolve("damaged");
    for (int at = 0; at < whole.length; at++) {
      byte[] bytes = whole.clone();
      bytes[at] ^= (byte) (1 << (at % 8));
      Files.write(damaged, bytes);
      assertDamaged(damaged, docs);
    }
    for (int length : new int[] {0, 10, 60, whole.length - 1}) {
      Files.write(damaged, Arrays.copyOf(whole, length));
      assertDamaged(damaged, docs);
    }
    Files.write(damaged, Arrays.copyOf(whole, whole.length + 4));
    assertDamaged(damaged, docs);
  }

  private static void assertDamaged(Path file, List<List<String>> docs) {
    assertThatThrownBy(() -> assertHolds(TokenFile.open(file, "text/x.tokens"), docs))
        .isInstanceOfSatisfying(
            LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_OBJECT))
        .hasMessageContaining("object=text/x.tokens");
  }

  @Test
  void removedTermsAreThoseOfTheDeletedDocuments() {
    List<List<String>> docs = randomDocs(new Random(9), 300, 60);
    TokenReader reader = build(docs);
    DeleteBitmap deletes = DeleteBitmap.NONE;
    List<Integer> gone = new ArrayList<>();
    for (int[] step : new int[][] {{5, 3, 5}, {}, {3, 200, 7}, {299, 0}}) {
      deletes = deletes.with(step, Map.of(4, reader));
      for (int doc : step) {
        if (!gone.contains(doc)) {
          gone.add(doc);
        }
      }
      deletes = DeleteBitmap.decodeBody(deletes.encodeBody(), "x");
      assertThat(deletes.cardinality()).isEqualTo(gone.size());
      assertThat(deletes.live(300).cardinality()).isEqualTo(300 - gone.size());
      RemovedTerms removed = deletes.removed(4);
      assertThat(removed.tokens()).isEqualTo(gone.stream().mapToInt(d -> docs.get(d).size()).sum());
      for (int code = 0; code < reader.termCount(); code++) {
        String term = reader.term(code);
        assertThat(removed.documents(code))
            .isEqualTo((int) gone.stream().filter(d -> docs.get(d).contains(term)).count());
      }
    }
    byte[] body = deletes.encodeBody();
    assertThatThrownBy(() -> DeleteBitmap.decodeBody(Arrays.copyOf(body, body.length - 3), "a/b"))
        .hasMessageContaining("object=a/b");
  }
}
