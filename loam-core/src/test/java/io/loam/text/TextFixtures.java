package io.loam.text;

import io.loam.doc.DocSet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/** Leaves, splits and random text for tests of this package. */
final class TextFixtures {

  /** A leaf over given parts. */
  record TestLeaf(
      int documentCount, DocSet live, Map<Integer, TokenReader> readers, DeleteBitmap deletes)
      implements TextLeaf {
    @Override
    public Optional<TokenReader> tokens(int fieldNumber) {
      return Optional.ofNullable(readers.get(fieldNumber));
    }

    @Override
    public RemovedTerms removed(int fieldNumber) {
      return deletes.removed(fieldNumber);
    }
  }

  /** Documents as lists of tokens by field number, and which of them are deleted. */
  record TestDocs(List<Map<Integer, List<String>>> docs, boolean[] deleted) {
    TestDocs slice(int from, int to) {
      return new TestDocs(docs.subList(from, to), Arrays.copyOfRange(deleted, from, to));
    }
  }

  /** Field 1 is in all documents, field 2 in two of three; lengths vary by {@code bands}. */
  static TestDocs zipfDocs(Random random, int count, int vocabulary, int bands) {
    List<Map<Integer, List<String>>> docs = new ArrayList<>();
    boolean[] deleted = new boolean[count];
    for (int doc = 0; doc < count; doc++) {
      int band = 1 + doc * bands / count;
      Map<Integer, List<String>> fields = new HashMap<>();
      fields.put(1, zipfTokens(random, random.nextInt(12 * band * band), vocabulary));
      if (random.nextInt(3) > 0) {
        fields.put(2, zipfTokens(random, 1 + random.nextInt(4), vocabulary));
      }
      docs.add(fields);
      deleted[doc] = random.nextInt(5) == 0;
    }
    return new TestDocs(docs, deleted);
  }

  static List<String> zipfTokens(Random random, int count, int vocabulary) {
    List<String> tokens = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      tokens.add(zipfTerm(random, vocabulary));
    }
    return tokens;
  }

  static String zipfTerm(Random random, int vocabulary) {
    int rank = (int) Math.exp(random.nextDouble() * Math.log(vocabulary));
    return (rank % 7 == 0 ? "Wé" : "w") + rank;
  }

  /** The tokens of one field, through a token file. */
  static TokenReader tokenFile(TestDocs docs, int field, Path folder) {
    TokenBuilder builder = new TokenBuilder();
    docs.docs().forEach(d -> builder.add(d.getOrDefault(field, List.of())));
    Path file = folder.resolve(System.nanoTime() + ".tokens");
    TokenFile.write(builder.build(), file);
    return TokenFile.open(file, file.toString());
  }

  static TestLeaf tailLeaf(TestDocs docs) {
    Map<Integer, TokenReader> readers = new HashMap<>();
    for (int field = 1; field <= 2; field++) {
      TokenBuilder builder = new TokenBuilder();
      for (Map<Integer, List<String>> d : docs.docs()) {
        builder.add(d.getOrDefault(field, List.of()));
      }
      readers.put(field, builder.build());
    }
    return leaf(docs, readers);
  }

  /** A split. */
  static TestLeaf splitLeaf(TestDocs docs, Path folder) {
    TreeMap<Integer, TokenReader> readers = new TreeMap<>();
    readers.put(1, tokenFile(docs, 1, folder));
    readers.put(2, tokenFile(docs, 2, folder));
    return leaf(docs, readers);
  }

  private static TestLeaf leaf(TestDocs docs, Map<Integer, TokenReader> readers) {
    List<Integer> gone = new ArrayList<>();
    for (int doc = 0; doc < docs.deleted().length; doc++) {
      if (docs.deleted()[doc]) {
        gone.add(doc);
      }
    }
    int[] half = gone.stream().filter(d -> d % 2 == 0).mapToInt(d -> d).toArray();
    int[] all = gone.stream().mapToInt(d -> d).toArray();
    DeleteBitmap deletes =
        DeleteBitmap.decodeBody(
            DeleteBitmap.NONE.with(half, readers).with(all, readers).encodeBody(), "deletes");
    int count = docs.docs().size();
    return new TestLeaf(count, deletes.live(count), readers, deletes);
  }

  private TextFixtures() {}
}
