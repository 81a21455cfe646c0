package io.loam.sparse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.doc.DocSet;
import io.loam.doc.Hit;
import io.loam.doc.KeyOrder;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.SparseVector;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SparseTest {
  @TempDir Path folder;

  /** Indices at both ends of the unsigned range. */
  private static int index(Random random, int vocabulary) {
    int i = random.nextInt(vocabulary);
    return (i & 1) == 0 ? i : -i;
  }

  private static SparseVector vector(Random random, int vocabulary, int size) {
    TreeSet<Integer> indices = new TreeSet<>(Integer::compareUnsigned);
    for (int i = 0; i < size; i++) {
      indices.add(index(random, vocabulary));
    }
    float[] weights = new float[indices.size()];
    for (int i = 0; i < weights.length; i++) {
      // Few distinct weights, so that scores tie.
      weights[i] = random.nextBoolean() ? 1 + random.nextInt(3) : (float) random.nextGaussian();
      weights[i] = weights[i] == 0 ? 1 : weights[i];
    }
    return new SparseVector(indices.stream().mapToInt(Integer::intValue).toArray(), weights);
  }

  @Test
  void agreesWithScoringEveryDocumentInEveryLayout() {
    for (long seed = 0; seed < 12; seed++) {
      Random random = new Random(seed);
      int size = seed == 0 ? 20_000 : random.nextInt(3000);
      List<@Nullable SparseVector> vectors = new ArrayList<>();
      boolean[] live = new boolean[size];
      for (int i = 0; i < size; i++) {
        vectors.add(random.nextInt(10) == 0 ? null : vector(random, 60, random.nextInt(12)));
        live[i] = random.nextInt(4) > 0;
      }
      SparseVector query = vector(random, 80, 10);
      List<String> expected = oracle(query, vectors, live, 25);
      for (int leaves = 1; leaves <= 4; leaves++) {
        assertThat(search(query, vectors, live, leaves, 25))
            .as("seed=%d leaves=%d", seed, leaves)
            .isEqualTo(expected);
      }
    }
  }

  /** Document and score bits, best first. */
  private static List<String> oracle(
      SparseVector query, List<@Nullable SparseVector> vectors, boolean[] live, int k) {
    List<Hit> hits = new ArrayList<>();
    for (int doc = 0; doc < live.length; doc++) {
      SparseVector vector = vectors.get(doc);
      if (vector == null || !live[doc]) {
        continue;
      }
      double sum = 0;
      BigDecimal exact = BigDecimal.ZERO;
      double magnitude = 0;
      boolean shares = false;
      for (int i = 0; i < query.size(); i++) {
        for (int j = 0; j < vector.size(); j++) {
          if (query.indices()[i] == vector.indices()[j]) {
            double product = (double) query.values()[i] * (double) vector.values()[j];
            sum += product;
            magnitude += Math.abs(product);
            exact = exact.add(new BigDecimal(product));
            shares = true;
          }
        }
      }
      if (shares) {
        if (Math.abs(sum - exact.doubleValue()) > 1e-12 * magnitude) {
          throw new AssertionError("sum=" + sum + ", exact=" + exact);
        }
        hits.add(new Hit(0, doc, sum));
      }
    }
    hits.sort(Comparator.comparingDouble(Hit::score).reversed().thenComparing(h -> -h.doc()));
    return hits.stream().limit(k).map(h -> describe(h.doc(), h.score())).toList();
  }

  private static String describe(int doc, double score) {
    return doc + ":" + Long.toHexString(Double.doubleToLongBits(score));
  }

  private List<String> search(
      SparseVector query,
      List<@Nullable SparseVector> vectors,
      boolean[] live,
      int leafCount,
      int k) {
    int per = vectors.size() / leafCount + 1;
    List<SparseIndex> leaves = new ArrayList<>();
    List<DocSet> allowed = new ArrayList<>();
    for (int from = 0; from < vectors.size(); from += per) {
      int to = Math.min(vectors.size(), from + per);
      SparseBuilder builder = new SparseBuilder();
      vectors.subList(from, to).forEach(builder::add);
      SparseIndex index = builder.build();
      leaves.add(leaves.size() % 2 == 0 ? stored(index) : index);
      long[] words = new long[DocSet.wordCount(to - from)];
      for (int doc = from; doc < to; doc++) {
        words[(doc - from) >>> 6] |= (live[doc] ? 1L : 0L) << (doc - from);
      }
      allowed.add(DocSet.ofWords(words, to - from));
    }
    // Keys descend with the document's place.
    KeyOrder keys = (l1, d1, l2, d2) -> Integer.compare(l2 * per + d2, l1 * per + d1);
    return SparseSearch.search(SparseQuery.of(query), leaves, allowed, k, keys).toList().stream()
        .map(h -> describe(h.leaf() * per + h.doc(), h.score()))
        .toList();
  }

  private SparseIndex stored(SparseIndex index) {
    try {
      Path file = Files.createTempFile(folder, "s", ".sparse");
      Files.delete(file);
      SparseFile.write(index, file);
      return SparseFile.open(file, "s");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void givesBackEveryList() {
    for (int size : new int[] {0, 1, 500}) {
      Random random = new Random(size);
      SparseBuilder builder = new SparseBuilder();
      for (int i = 0; i < size; i++) {
        builder.add(random.nextInt(5) == 0 ? null : vector(random, 90, 8));
      }
      SparseIndex built = builder.build();
      SparseIndex read = stored(built);
      assertThat(read.documentCount()).isEqualTo(size);
      assertThat(read.listCount()).isEqualTo(built.listCount());
      for (int i = -90; i < 90; i++) {
        assertThat(read.documentFrequency(i)).isEqualTo(built.documentFrequency(i));
        assertThat(read.postings(i)).isEqualTo(built.postings(i));
      }
    }
  }

  @Test
  void everyDamagedByteIsFoundBeforeUse() throws IOException {
    Random random = new Random(9);
    SparseBuilder builder = new SparseBuilder();
    for (int i = 0; i < 20; i++) {
      builder.add(vector(random, 30, 6));
    }
    Path file = folder.resolve("good");
    SparseFile.write(builder.build(), file);
    byte[] good = Files.readAllBytes(file);
    for (int i = 0; i < good.length; i++) {
      byte[] bad = good.clone();
      bad[i] ^= (byte) (1 << random.nextInt(8));
      assertDamaged(bad);
    }
    for (int length = 0; length < good.length; length += 13) {
      assertDamaged(Arrays.copyOf(good, length));
    }
    assertDamaged(Arrays.copyOf(good, good.length + 1));
  }

  private void assertDamaged(byte[] bytes) throws IOException {
    Path file = Files.write(Files.createTempFile(folder, "bad", ".sparse"), bytes);
    assertThatThrownBy(
            () -> {
              SparseIndex index = SparseFile.open(file, "text/one.2.sparse");
              for (int place = 0; place < index.listCount(); place++) {
                index.list(place);
              }
            })
        .isInstanceOfSatisfying(
            LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_OBJECT))
        .hasMessageContaining("object=text/one.2.sparse");
  }

  @Test
  void namesTheMissingFile() {
    assertThatThrownBy(() -> SparseFile.open(folder.resolve("none"), "text/none.2.sparse"))
        .isInstanceOfSatisfying(
            LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MISSING_OBJECT))
        .hasMessageContaining("object=text/none.2.sparse");
  }
}
