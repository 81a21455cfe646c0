package io.loam.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;

/** The engines that are measured. */
enum EngineKind {
  LOAM,
  LUCENE,
  SQLITE;

  /** Opens a new, empty collection in a folder that is there. */
  Engine open(Path folder) throws IOException, SQLException {
    return switch (this) {
      case LOAM -> new LoamEngine(folder);
      case LUCENE -> new LuceneEngine(folder);
      case SQLITE -> new SqliteEngine(folder);
    };
  }
}
