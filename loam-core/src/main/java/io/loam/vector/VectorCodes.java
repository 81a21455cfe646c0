package io.loam.vector;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Short codes of the vectors of a leaf, from which dot products are estimated with a known spread:
 * one bit per dimension, after RaBitQ (Gao and Long, SIGMOD 2024).
 *
 * <p>A vector is v = c + u, with c the mean of all, if they have about one length. Rotated, u is r;
 * its code has the signs b of r. The dot product of a rotated query q with r is estimated as factor
 * · Σ b·q with factor = |r|² / Σ|r|. The estimate's standard deviation is |q| · spread with spread
 * = |r| · √(1 − f²) / f / √(D − 1), where f = Σ|r| / (|r| · √D).
 */
public final class VectorCodes {
  /** Fields after a row's bits: factor and spread, then squared norm and number of set bits. */
  static final int EXTRA_WORDS = 2;

  /** Belongs to the format: codes are compared with queries that are rotated likewise. */
  static final long SEED = 0x4C6F616D31L;

  private static final int MIN_DIMENSION = 64;
  private static final int MIN_DOCUMENTS = 1_000;

  /** The share of vectors that may be shorter than what is taken from all. */
  private static final double MOST_SHORTER = 0.005;

  private final int dimension;
  private final int documentCount;
  private final float[] centroid;
  private final CodeBlock[] blocks;

  /** Codes to be {@link #put}. */
  VectorCodes(int dimension, int documentCount, float[] centroid) {
    this.dimension = dimension;
    this.documentCount = documentCount;
    this.centroid = centroid;
    this.blocks = new CodeBlock[(documentCount + CodeBlock.SIZE - 1) / CodeBlock.SIZE];
    Arrays.setAll(blocks, i -> CodeBlock.ofWords(words(dimension)));
  }

  long[] newRecord() {
    return new long[words(dimension) + EXTRA_WORDS];
  }

  /**
   * Sets a document's code.
   *
   * @param record the bits in words from the lowest on; factor and spread as two floats in one
   *     word; squared norm and number of set bits likewise. A document without a vector has a
   *     factor of NaN.
   */
  void put(int doc, long[] record) {
    blocks[doc / CodeBlock.SIZE].put(record, doc % CodeBlock.SIZE, 1);
  }

  /** Reads what was put. */
  void get(int doc, long[] record) {
    blocks[doc / CodeBlock.SIZE].get(doc % CodeBlock.SIZE, record);
  }

  /** Gives the vector of a document, or null where it has none. */
  public interface Source {
    float @Nullable [] vector(int doc);
  }

  /** Whether codes of so many vectors are worth their bytes. */
  public static boolean areWorthwhile(int dimension, int documents) {
    return dimension >= MIN_DIMENSION && documents >= MIN_DOCUMENTS;
  }

  /** Codes of all vectors, each of which is asked for twice. */
  public static VectorCodes of(int dimension, int documents, Source source) {
    float[] centroid = centroid(dimension, documents, source);
    Rotation rotation = new Rotation(dimension, SEED);
    VectorCodes codes = new VectorCodes(dimension, documents, centroid);
    long[] record = codes.newRecord();
    float[] rotated = new float[dimension];
    for (int doc = 0; doc < documents; doc++) {
      float[] vector = source.vector(doc);
      Arrays.fill(record, 0);
      if (vector == null) {
        record[words(dimension)] = pair(Float.NaN, 0);
      } else {
        for (int i = 0; i < dimension; i++) {
          rotated[i] = vector[i] - centroid[i];
        }
        rotation.apply(rotated);
        encode(rotated, record, vector);
      }
      codes.put(doc, record);
    }
    return codes;
  }

  /**
   * The mean of all vectors; or nothing where the lengths of vectors differ so much that many are
   * far shorter than it. Less the mean, those would all have about the same code, whose error is
   * not one of chance.
   */
  private static float[] centroid(int dimension, int documents, Source source) {
    double[] sum = new double[dimension];
    double[] squaredNorms = new double[documents];
    int count = 0;
    for (int doc = 0; doc < documents; doc++) {
      float[] vector = source.vector(doc);
      if (vector != null && CodeRange.holds(vector)) {
        for (int i = 0; i < dimension; i++) {
          sum[i] += vector[i];
        }
        squaredNorms[count++] = ExactKernel.squaredNorm(vector, 0, dimension);
      }
    }
    float[] mean = new float[dimension];
    for (int i = 0; i < dimension && count > 0; i++) {
      mean[i] = (float) (sum[i] / count);
    }
    double least = ExactKernel.squaredNorm(mean, 0, dimension);
    long shorter = Arrays.stream(squaredNorms, 0, count).filter(n -> n > 0 && n < least).count();
    return shorter > count * MOST_SHORTER ? new float[dimension] : mean;
  }

  /**
   * Writes a record, where all is 0.
   *
   * @param rotated the vector less what it is compared with, rotated
   */
  static void encode(float[] rotated, long[] record, float[] vector) {
    int words = record.length - EXTRA_WORDS;
    double squaredNorm = ExactKernel.squaredNorm(vector, 0, vector.length);
    if (!CodeRange.holds(squaredNorm) || !CodeRange.holdsRest(rotated)) {
      // Nothing is known of it, so that it is always compared.
      record[words] = pair(0, Float.POSITIVE_INFINITY);
      record[words + 1] = pair(1, 0);
      return;
    }
    double sum = 0;
    double squares = 0;
    int setBits = 0;
    for (int i = 0; i < rotated.length; i++) {
      float r = rotated[i];
      sum += Math.abs(r);
      squares += (double) r * r;
      if (r >= 0) {
        record[i >>> 6] |= 1L << i;
        setBits++;
      }
    }
    record[words + 1] = pair((float) squaredNorm, setBits);
    if (sum == 0) {
      return; // the mean itself: factor and spread are 0
    }
    double norm = Math.sqrt(squares);
    double f = Math.min(1, sum / (norm * Math.sqrt(rotated.length)));
    double spread = norm * Math.sqrt(1 - f * f) / f / Math.sqrt(rotated.length - 1.0);
    record[words] = pair((float) (squares / sum), (float) spread);
  }

  static long pair(float high, float low) {
    return (long) Float.floatToRawIntBits(high) << 32
        | Integer.toUnsignedLong(Float.floatToRawIntBits(low));
  }

  static float high(long pair) {
    return Float.intBitsToFloat((int) (pair >>> 32));
  }

  static float low(long pair) {
    return Float.intBitsToFloat((int) pair);
  }

  static int words(int dimension) {
    return (dimension + 63) >>> 6;
  }

  public int dimension() {
    return dimension;
  }

  /** Not copied, not to be changed. */
  float[] centroid() {
    return centroid;
  }

  /** By document, {@link CodeBlock#SIZE} at a time; not copied, not to be changed. */
  CodeBlock[] blocks() {
    return blocks;
  }

  public int documentCount() {
    return documentCount;
  }

  public long sizeInBytes() {
    long record = Long.BYTES * ((long) words(dimension) + EXTRA_WORDS);
    return record * CodeBlock.SIZE * blocks.length + (long) Float.BYTES * centroid.length;
  }
}
