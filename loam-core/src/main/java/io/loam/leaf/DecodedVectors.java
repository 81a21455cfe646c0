package io.loam.leaf;

import io.loam.lance.FragmentVectors;
import io.loam.vector.ExactKernel;

/**
 * A fragment's vectors of one field. Rows that were deleted by the version it was read from are
 * null, so it serves that version and later ones.
 *
 * @param version that it was read from
 * @param squaredNorms by row
 */
record DecodedVectors(long version, FragmentVectors vectors, double[] squaredNorms) {

  static DecodedVectors of(long version, FragmentVectors vectors) {
    return new DecodedVectors(
        version, vectors, ExactKernel.squaredNorms(vectors.data(), vectors.dimension()));
  }

  boolean serves(long readerVersion) {
    return version <= readerVersion;
  }

  long sizeInBytes() {
    return 4L * vectors.data().length + 8L * vectors.nulls().length + 8L * squaredNorms.length;
  }
}
