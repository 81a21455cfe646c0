package io.loam.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Sums of doubles against big decimals, in any order and however they are spread over leaves. */
class DoubleSumsTest {
  private static final int GROUPS = 3;

  /** The sums of numbers that several leaves have. */
  private static DoubleSums sums(List<Double> numbers, Random random) {
    DoubleSums sums = new DoubleSums();
    for (int from = 0; from < numbers.size(); ) {
      int to = Math.min(numbers.size(), from + 1 + random.nextInt(numbers.size()));
      double[] values = numbers.subList(from, to).stream().mapToDouble(d -> d).toArray();
      int[] docs = IntStream.range(0, values.length).toArray();
      int[] groups = Arrays.stream(docs).map(doc -> group(values[doc])).toArray();
      int half = docs.length / 2;
      sums.begin(values);
      // with a gap, and without
      int[] even = IntStream.range(0, half).filter(doc -> doc % 2 == 0).toArray();
      int[] odd = IntStream.range(0, half).filter(doc -> doc % 2 == 1).toArray();
      int[] rest = IntStream.range(half, docs.length).toArray();
      Stream.of(even, odd, rest).forEach(part -> sums.add(block(part, groups), GROUPS));
      sums.end();
      from = to;
    }
    return sums;
  }

  /**
   * @param groups by document
   */
  private static GroupedDocs block(int[] docs, int[] groups) {
    GroupedDocs block = new GroupedDocs();
    block.resize(docs.length);
    for (int i = 0; i < docs.length; i++) {
      block.docs[i] = docs[i];
      block.groups[i] = groups[docs[i]];
    }
    return block;
  }

  private static int group(double value) {
    return Math.floorMod(Double.hashCode(value), GROUPS);
  }

  private static void check(Supplier<Double> source, Random random) {
    List<Double> numbers =
        Stream.generate(source).limit(1 + random.nextInt(300)).collect(Collectors.toList());
    for (int order = 0; order < 3; order++) {
      DoubleSums sums = sums(numbers, random);
      for (int group = 0; group < GROUPS; group++) {
        int g = group;
        List<Double> members = numbers.stream().filter(d -> group(d) == g).toList();
        if (members.isEmpty()) {
          assertThat(sums.value(group)).isNull();
          continue;
        }
        double expected =
            members.stream()
                .map(BigDecimal::new)
                .reduce(BigDecimal::add)
                .orElseThrow()
                .doubleValue();
        assertThat(sums.value(group)).as("%s", members).isEqualTo(expected + 0.0);
      }
      Collections.shuffle(numbers, random);
    }
  }

  @Test
  void sumsAreRoundedOnce() {
    Random random = new Random(1);
    for (int i = 0; i < 150; i++) {
      check(() -> Math.round(random.nextDouble() * 10_000) / 100.0, random);
      check(() -> random.nextGaussian() * Math.pow(10, random.nextInt(40) - 20), random);
      check(() -> randomFinite(random), random);
      check(() -> random.nextInt(50) * Double.MIN_VALUE, random);
      check(() -> (random.nextBoolean() ? 1 : -1) * Double.MAX_VALUE, random);
      // Sums that lie just beside the middle between two doubles.
      check(() -> random.nextInt(3) == 0 ? 0x1p53 : random.nextInt(3) - 1 + 0x1p-60, random);
    }
  }

  private static double randomFinite(Random random) {
    double number = Double.longBitsToDouble(random.nextLong());
    return Double.isFinite(number) ? number : 0.0;
  }

  /** The most that a number can add to a limb, many times. */
  @Test
  void carriesArePassedOnInTime() {
    for (int field = 1; field < 2047; field += 15) {
      double greatest = Double.longBitsToDouble((long) field << 52 | (1L << 52) - 1);
      double[] values = new double[5000];
      Arrays.fill(values, greatest / 8192);
      double expected =
          new BigDecimal(values[0]).multiply(BigDecimal.valueOf(values.length)).doubleValue();
      assertThat(sum(values)).as("field=%d", field).isEqualTo(expected);
      Arrays.fill(values, -values[0]);
      assertThat(sum(values)).as("field=%d", field).isEqualTo(-expected);
    }
  }

  /** Parts of the documents, whose groups have other numbers in each part. */
  @Test
  void partsAddUp() {
    Random random = new Random(3);
    for (int round = 0; round < 100; round++) {
      DoubleSums all = new DoubleSums();
      List<Double> numbers = new ArrayList<>();
      for (int part = random.nextInt(5); part >= 0; part--) {
        List<Double> some =
            Stream.generate(() -> random.nextGaussian() * Math.pow(10, random.nextInt(40) - 20))
                .limit(1 + random.nextInt(50))
                .toList();
        numbers.addAll(some);
        int shift = random.nextInt(GROUPS);
        DoubleSums sums = new DoubleSums();
        sums.begin(some.stream().mapToDouble(d -> d).toArray());
        int[] groups = some.stream().mapToInt(d -> (group(d) + shift) % GROUPS).toArray();
        sums.add(block(IntStream.range(0, some.size()).toArray(), groups), GROUPS);
        sums.end();
        int[] numbersHere =
            IntStream.range(0, GROUPS).map(g -> Math.floorMod(g - shift, GROUPS)).toArray();
        all.merge(sums, numbersHere, GROUPS);
      }
      for (int group = 0; group < GROUPS; group++) {
        int g = group;
        Double expected =
            numbers.stream()
                .filter(d -> group(d) == g)
                .map(BigDecimal::new)
                .reduce(BigDecimal::add)
                .map(BigDecimal::doubleValue)
                .orElse(null);
        assertThat(all.value(group)).isEqualTo(expected);
      }
    }
  }

  /** Each part holds almost as much as it may before it passes carries on. */
  @Test
  void carriesOfPartsArePassedOnInTime() {
    for (int field = 1; field < 2047; field += 15) {
      double greatest = Double.longBitsToDouble((long) field << 52 | (1L << 52) - 1) / 8192;
      double[] values = new double[1_000];
      Arrays.fill(values, greatest);
      DoubleSums all = new DoubleSums();
      for (int part = 0; part < 5; part++) {
        all.merge(sumsOf(values), new int[] {0}, 1);
      }
      assertThat(all.value(0))
          .as("field=%d", field)
          .isEqualTo(new BigDecimal(greatest).multiply(BigDecimal.valueOf(5_000)).doubleValue());
    }
  }

  @Test
  void infinitiesAndNaNsAddUpAsIeee754HasIt() {
    assertThat(sum(1, Double.POSITIVE_INFINITY, -2)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(sum(1, Double.NEGATIVE_INFINITY)).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(sum(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY)).isNaN();
    assertThat(sum(1, Double.NaN)).isNaN();
    assertThat(sum(Double.MAX_VALUE, Double.MAX_VALUE, -Double.MAX_VALUE))
        .isEqualTo(Double.MAX_VALUE);
    assertThat(sum(-0.0)).isEqualTo(0.0);
  }

  /** 2^53 + 1 lies in the middle between two doubles; what is far smaller decides. */
  @Test
  void theLeastPartDecidesInTheMiddle() {
    assertThat(sum(0x1p53, 1)).isEqualTo(0x1p53);
    assertThat(sum(0x1p53, 1, 0x1p-60)).isEqualTo(0x1p53 + 2);
    assertThat(sum(0x1p53, 1, -0x1p-60)).isEqualTo(0x1p53);
    assertThat(sum(-0x1p53, -1, Double.MIN_VALUE)).isEqualTo(-0x1p53);
    assertThat(sum(-0x1p53, -1, -Double.MIN_VALUE)).isEqualTo(-0x1p53 - 2);
  }

  /** Many numbers of like size, which are added as doubles; some are too large or too small. */
  @Test
  void numbersOfLikeSizeLoseNothing() {
    Random random = new Random(5);
    double[] values = new double[300_000];
    for (int exponent = -8; exponent <= 12; exponent++) {
      int[] numbers = new int[values.length];
      for (int i = 0; i < values.length; i++) {
        values[i] = Math.scalb(1.9 + random.nextDouble() / 10, exponent);
        numbers[i] = random.nextInt(100) == 0 ? 1 : 0;
      }
      values[0] = 1;
      checkBlocks(values, numbers);
    }
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextGaussian() * Math.scalb(1.0, random.nextInt(60) - 30);
    }
    checkBlocks(values, Arrays.stream(values).mapToInt(DoubleSumsTest::group).toArray());
  }

  private static void checkBlocks(double[] values, int[] numbers) {
    DoubleSums sums = new DoubleSums();
    sums.begin(values);
    BigDecimal[] expected = new BigDecimal[GROUPS];
    for (int from = 0; from < values.length; from += GroupedDocs.MOST) {
      int to = Math.min(values.length, from + GroupedDocs.MOST);
      sums.add(block(IntStream.range(from, to).toArray(), numbers), GROUPS);
    }
    sums.end();
    for (int i = 0; i < values.length; i++) {
      BigDecimal value = new BigDecimal(values[i]);
      BigDecimal before = expected[numbers[i]];
      expected[numbers[i]] = before == null ? value : before.add(value);
    }
    for (int group = 0; group < GROUPS; group++) {
      BigDecimal sum = expected[group];
      assertThat(sums.value(group)).isEqualTo(sum == null ? null : (Double) sum.doubleValue());
    }
  }

  private static double sum(double... values) {
    return Objects.requireNonNull(sumsOf(values).value(0));
  }

  private static DoubleSums sumsOf(double... values) {
    DoubleSums sums = new DoubleSums();
    sums.begin(values);
    for (int from = 0; from < values.length; from += GroupedDocs.MOST) {
      int to = Math.min(values.length, from + GroupedDocs.MOST);
      sums.add(block(IntStream.range(from, to).toArray(), new int[values.length]), 1);
    }
    sums.end();
    return sums;
  }
}
