package io.loam.bench;

import java.io.IOException;
import java.sql.SQLException;

/**
 * One engine's way to do a piece of work.
 *
 * @param name the engine, as the report calls it
 * @param askers makes an asker for each thread
 */
record Contestant(String name, Askers askers) {
  /** Makes askers. */
  interface Askers {
    Asker open() throws IOException, SQLException;
  }
}
