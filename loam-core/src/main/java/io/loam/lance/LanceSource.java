package io.loam.lance;

import io.loam.manifest.FileRef;
import java.util.Collection;
import java.util.function.Supplier;

/** How Lance reads one version of a dataset. Safe for use by several threads. */
public interface LanceSource extends AutoCloseable {

  /** Where it reads; another than before once keys were renewed. */
  LanceAddress address();

  /**
   * Makes files ready to be read, which may cost requests. Fails with {@code MISSING_OBJECT} or
   * {@code CORRUPT_OBJECT}, naming the path.
   *
   * @param files asked for only where it matters
   */
  void require(Supplier<Collection<FileRef>> files);

  /** Called once nobody reads any more. */
  @Override
  void close();
}
