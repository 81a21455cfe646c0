package io.loam.vector;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * What all segments of one build have in common, learned from a sample: the centroids of the lists,
 * and what the kind of index needs to make codes. Immutable, and safe for use by several threads.
 * Under cosine, vectors are brought to length 1 first.
 */
public final class Training {
  /** Vectors of the sample for each list. */
  public static final int SAMPLE_PER_LIST = 64;

  /** Vectors that a sample has at least, where there are so many. */
  public static final int LEAST_SAMPLE = 16_384;

  private static final long SEED = 0x4C6F616D32L;
  private static final int CODEBOOK_SAMPLE = 16_384;
  private static final float[] NONE = {};

  private final IndexKind kind;
  private final Metric metric;
  private final int dimension;
  private final float[] centroids;
  private final float[] low;
  private final float[] step;
  private final int subVectors;
  private final float[] codebook;
  private final float[] mean;
  private final NearestCentroid nearestCentroid;

  /** By part, the codebook's vectors, to be multiplied with many at once. */
  private final NearestCentroid[] words;

  private byte @Nullable [] digest;

  private Training(
      IndexKind kind,
      Metric metric,
      int dimension,
      float[] centroids,
      float[] low,
      float[] step,
      int subVectors,
      float[] codebook) {
    this.kind = kind;
    this.metric = metric;
    this.dimension = dimension;
    this.centroids = centroids;
    this.low = low;
    this.step = step;
    this.subVectors = subVectors;
    this.codebook = codebook;
    this.mean = NearestCentroid.mean(centroids, dimension);
    this.nearestCentroid = new NearestCentroid(centroids, dimension, metric == Metric.COSINE);
    this.words = new NearestCentroid[subVectors];
    int wordsLength = subVectors == 0 ? 0 : codebook.length / subVectors;
    for (int part = 0; part < subVectors; part++) {
      float[] ofPart = Arrays.copyOfRange(codebook, part * wordsLength, (part + 1) * wordsLength);
      words[part] = new NearestCentroid(ofPart, dimension / subVectors, true);
    }
  }

  /**
   * Learns from a sample.
   *
   * @param sample vectors that follow each other, at least one; changed
   * @param lists wanted; there are fewer where the sample has fewer vectors
   * @param subVectors for {@link IndexKind#IVF_PQ}, a divisor of the dimension
   * @param checkpoint called now and then; what it throws ends the work
   */
  public static Training learn(
      IndexKind kind,
      Metric metric,
      int dimension,
      float[] sample,
      int lists,
      int subVectors,
      Runnable checkpoint) {
    if (metric == Metric.COSINE) {
      for (int at = 0; at < sample.length; at += dimension) {
        normalise(sample, at, dimension);
      }
    }
    float[] centroids =
        new KMeans(sample, dimension, metric == Metric.COSINE, SEED).centroids(lists, checkpoint);
    Training coarse = new Training(kind, metric, dimension, centroids, NONE, NONE, 0, NONE);
    return switch (kind) {
      case IVF_FLAT -> coarse;
      case IVF_SQ -> coarse.withRanges(sample);
      case IVF_PQ -> coarse.withCodebook(sample, subVectors, checkpoint);
    };
  }

  /** Whether a vector may be part of a sample: others would make the lists useless. */
  public static boolean canLearn(Metric metric, float[] vector) {
    return metric == Metric.COSINE || CodeRange.holds(vector);
  }

  private Training withRanges(float[] sample) {
    float[] least = new float[dimension];
    float[] greatest = new float[dimension];
    Arrays.fill(least, Float.POSITIVE_INFINITY);
    Arrays.fill(greatest, Float.NEGATIVE_INFINITY);
    for (int i = 0; i < sample.length; i++) {
      int d = i % dimension;
      least[d] = Math.min(least[d], sample[i]);
      greatest[d] = Math.max(greatest[d], sample[i]);
    }
    for (int d = 0; d < dimension; d++) {
      greatest[d] = (greatest[d] - least[d]) / ScalarCode.LEVELS;
    }
    return new Training(kind, metric, dimension, centroids, least, greatest, 0, NONE);
  }

  private Training withCodebook(float[] all, int parts, Runnable checkpoint) {
    float[] sample = spread(all, CODEBOOK_SAMPLE);
    int count = sample.length / dimension;
    int[] nearest = nearestCentroid.nearest(sample, count);
    int width = dimension / parts;
    float[] codebook = new float[ProductCode.WORDS * dimension];
    float[] residuals = new float[count * width];
    for (int part = 0; part < parts; part++) {
      for (int i = 0; i < count; i++) {
        for (int d = 0; d < width; d++) {
          int component = part * width + d;
          residuals[i * width + d] =
              sample[i * dimension + component] - centroids[nearest[i] * dimension + component];
        }
      }
      float[] words =
          new KMeans(residuals, width, false, SEED + part).centroids(ProductCode.WORDS, checkpoint);
      System.arraycopy(words, 0, codebook, part * ProductCode.WORDS * width, words.length);
    }
    return new Training(kind, metric, dimension, centroids, NONE, NONE, parts, codebook);
  }

  /** Vectors of all parts of a sample: rows that were written together may be alike. */
  private float[] spread(float[] sample, int most) {
    int all = sample.length / dimension;
    if (all <= most) {
      return sample;
    }
    float[] chosen = new float[most * dimension];
    for (int i = 0; i < most; i++) {
      int from = (int) ((long) i * all / most);
      System.arraycopy(sample, from * dimension, chosen, i * dimension, dimension);
    }
    return chosen;
  }

  public IndexKind kind() {
    return kind;
  }

  public Metric metric() {
    return metric;
  }

  public int dimension() {
    return dimension;
  }

  public int lists() {
    return centroids.length / dimension;
  }

  NearestCentroid nearestCentroid() {
    return nearestCentroid;
  }

  /** The centroids of the lists, one after another; not copied, not to be changed. */
  float[] centroids() {
    return centroids;
  }

  /**
   * The mean of the centroids, which is part of what {@link ProductCorrection} stores; not copied,
   * not to be changed.
   */
  float[] mean() {
    return mean;
  }

  /** A vector's dot product with the centroid of a list. */
  float centroidDot(float[] vector, int list) {
    return (float) ExactKernel.dot(vector, centroids, list * dimension, dimension);
  }

  /** For {@link IndexKind#IVF_SQ}, by component: the value of code 0. */
  float[] low() {
    return low;
  }

  /** Likewise, by how much a code's value grows. */
  float[] step() {
    return step;
  }

  /** For {@link IndexKind#IVF_PQ}: how many parts of as many components a vector has. */
  int subVectors() {
    return subVectors;
  }

  /** Likewise, by part, 256 vectors. */
  float[] codebook() {
    return codebook;
  }

  /** By part and word of the codebook: the dot product with that part of a vector. */
  float[] codebookProducts(float[] vector) {
    float[] products = new float[words.length * ProductCode.WORDS];
    int width = words.length == 0 ? 0 : dimension / words.length;
    for (int part = 0; part < words.length; part++) {
      float[] ofPart =
          words[part].nearness(Arrays.copyOfRange(vector, part * width, (part + 1) * width));
      System.arraycopy(ofPart, 0, products, part * ProductCode.WORDS, ofPart.length);
    }
    return products;
  }

  public long sizeInBytes() {
    return 8L * centroids.length + 4L * (low.length + step.length) + 8L * codebook.length;
  }

  /** A vector as it is compared with centroids and coded. */
  void prepare(float[] vector) {
    if (metric == Metric.COSINE) {
      normalise(vector, 0, dimension);
    }
  }

  private static void normalise(float[] vectors, int offset, int dimension) {
    double norm = Math.sqrt(ExactKernel.squaredNorm(vectors, offset, dimension));
    if (norm > 0) {
      for (int d = offset; d < offset + dimension; d++) {
        vectors[d] = (float) (vectors[d] / norm);
      }
    }
  }

  /** The training as bytes, without header or checksum; all numbers are little-endian. */
  public byte[] encode() {
    long floats = (long) centroids.length + low.length + step.length + codebook.length;
    ByteBuffer bytes =
        ByteBuffer.allocate(Math.toIntExact(20 + 4 * floats)).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(kind.code()).putInt(code(metric)).putInt(dimension).putInt(lists());
    bytes.putInt(subVectors);
    for (float[] part : new float[][] {centroids, low, step, codebook}) {
      bytes.asFloatBuffer().put(part);
      bytes.position(bytes.position() + 4 * part.length);
    }
    return bytes.array();
  }

  /** Reads what {@link #encode} gave; fails with {@code CORRUPT_OBJECT}. */
  public static Training decode(byte[] encoded, String nameForErrors) {
    ByteBuffer bytes = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN);
    try {
      IndexKind kind = IndexKind.ofCode(bytes.getInt()).orElseThrow();
      int code = bytes.getInt();
      Metric metric =
          Arrays.stream(Metric.values()).filter(m -> code(m) == code).findFirst().orElseThrow();
      int dimension = bytes.getInt();
      int lists = bytes.getInt();
      int subVectors = bytes.getInt();
      float[] centroids = floats(bytes, Math.multiplyExact(lists, dimension));
      int scalars = kind == IndexKind.IVF_SQ ? dimension : 0;
      float[] low = floats(bytes, scalars);
      float[] step = floats(bytes, scalars);
      float[] codebook =
          floats(bytes, kind == IndexKind.IVF_PQ ? ProductCode.WORDS * dimension : 0);
      if (!bytes.hasRemaining() && lists > 0 && dimension > 0) {
        return new Training(kind, metric, dimension, centroids, low, step, subVectors, codebook);
      }
    } catch (BufferUnderflowException | NoSuchElementException | ArithmeticException e) {
      throw corrupt(nameForErrors, e);
    }
    throw corrupt(nameForErrors, null);
  }

  /**
   * SHA-256 of {@link #encode}, which tells trainings of the same shape apart; not to be changed.
   */
  synchronized byte[] digest() {
    byte[] known = digest;
    if (known == null) {
      known = sha256(encode());
      digest = known;
    }
    return known;
  }

  private static byte[] sha256(byte[] content) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(content);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static int code(Metric metric) {
    return switch (metric) {
      case COSINE -> 1;
      case L2 -> 2;
      case DOT -> 3;
    };
  }

  private static float[] floats(ByteBuffer bytes, int count) {
    if (count < 0 || count > bytes.remaining() / 4) {
      throw new BufferUnderflowException();
    }
    float[] floats = new float[count];
    bytes.asFloatBuffer().get(floats);
    bytes.position(bytes.position() + 4 * count);
    return floats;
  }

  private static LoamException corrupt(String name, @Nullable Exception e) {
    return new LoamException(
        ErrorCode.CORRUPT_OBJECT,
        "training of a vector index is damaged: object=" + name + "; restore it from a copy",
        e);
  }
}
