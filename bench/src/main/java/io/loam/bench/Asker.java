package io.loam.bench;

import java.io.IOException;
import java.sql.SQLException;

/** Asks one engine numbered questions. Used by one thread. */
interface Asker extends AutoCloseable {
  /** The ids that answer a question, in order. */
  long[] ask(int question) throws IOException, SQLException;

  @Override
  default void close() throws IOException, SQLException {}
}
