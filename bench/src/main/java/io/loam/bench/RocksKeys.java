package io.loam.bench;

import io.loam.schema.Key;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.DataBlockIndexType;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** Row ids by key in RocksDB, with the settings that it recommends for lookups of single keys. */
final class RocksKeys implements AutoCloseable {
  private static final long CACHE_BYTES = 512L << 20;
  private static final long BUFFER_BYTES = 64L << 20;
  private static final byte[] WATERMARK = {0};

  private final Options options;
  private final RocksDB db;

  /** When a write reaches the disk. */
  enum Durability {
    NOW,
    LATER
  }

  private RocksKeys(Options options, RocksDB db) {
    this.options = options;
    this.db = db;
  }

  static RocksKeys open(Path folder) throws RocksDBException {
    RocksDB.loadLibrary();
    Options options =
        new Options()
            .setCreateIfMissing(true)
            .setWriteBufferSize(BUFFER_BYTES)
            .setCompressionType(CompressionType.LZ4_COMPRESSION)
            .setTableFormatConfig(
                new BlockBasedTableConfig()
                    .setFilterPolicy(new BloomFilter(10, false))
                    .setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash)
                    .setBlockCache(new LRUCache(CACHE_BYTES)));
    return new RocksKeys(options, RocksDB.open(options, folder.toString()));
  }

  /** Puts rows and a watermark, as a commit would. */
  void put(Map<Key, Long> rows, Durability durability) throws RocksDBException {
    try (WriteBatch batch = new WriteBatch();
        WriteOptions write =
            durability == Durability.NOW
                ? new WriteOptions().setSync(true)
                : new WriteOptions().setDisableWAL(true)) {
      for (Map.Entry<Key, Long> row : rows.entrySet()) {
        batch.put(row.getKey().bytes(), ByteBuffer.allocate(8).putLong(row.getValue()).array());
      }
      batch.put(WATERMARK, new byte[80]);
      db.write(write, batch);
    }
  }

  /** Brings all to disk and merges it, so that each key is in one place. */
  void settle() throws RocksDBException {
    try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
      db.flush(flush);
    }
    db.compactRange();
  }

  Map<Key, Long> find(Set<Key> keys) throws RocksDBException {
    List<Key> sorted = new ArrayList<>(keys);
    sorted.sort(null);
    List<byte[]> values =
        sorted.size() == 1
            ? Collections.singletonList(db.get(sorted.get(0).bytes()))
            : db.multiGetAsList(sorted.stream().map(Key::bytes).toList());
    Map<Key, Long> found = new HashMap<>();
    for (int i = 0; i < sorted.size(); i++) {
      byte[] value = values.get(i);
      if (value != null) {
        found.put(sorted.get(i), ByteBuffer.wrap(value).getLong());
      }
    }
    return found;
  }

  @Override
  public void close() {
    db.close();
    options.close();
  }
}
