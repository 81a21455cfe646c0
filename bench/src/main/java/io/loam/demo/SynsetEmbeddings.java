package io.loam.demo;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;

/**
 * Embeddings of synsets, kept in a file so that a second run need not compute them again. What is
 * embedded is the lemmas and the definition. The file is a sequence of id and components,
 * big-endian.
 */
public final class SynsetEmbeddings {
  private static final int RECORD_BYTES = Long.BYTES + Embedder.DIMENSION * Float.BYTES;
  private static final int CHUNK = 200;

  private final Path file;
  private final Map<Long, float[]> byId;

  private SynsetEmbeddings(Path file, Map<Long, float[]> byId) {
    this.file = file;
    this.byId = byId;
  }

  /** Reads the file, where there is one. */
  public static SynsetEmbeddings open(Path file) throws IOException {
    Map<Long, float[]> byId = new HashMap<>();
    if (Files.exists(file)) {
      long records = Files.size(file) / RECORD_BYTES;
      try (DataInputStream in =
          new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
        for (long r = 0; r < records; r++) {
          long id = in.readLong();
          float[] vector = new float[Embedder.DIMENSION];
          for (int i = 0; i < vector.length; i++) {
            vector[i] = in.readFloat();
          }
          byId.put(id, vector);
        }
      }
    }
    return new SynsetEmbeddings(file, byId);
  }

  /** In a user's cache folder. */
  public static Path defaultFile() {
    return Path.of(
        System.getProperty("user.home"),
        ".cache",
        "loam",
        "embeddings",
        "wordnet31-all-minilm-l6-v2-q.bin");
  }

  public Optional<float[]> get(Synset synset) {
    return Optional.ofNullable(byId.get(synset.id()));
  }

  /** How many of the synsets have an embedding. */
  public int count(List<Synset> synsets) {
    return (int) synsets.stream().filter(s -> byId.containsKey(s.id())).count();
  }

  /**
   * Embeds, in order, those of the synsets that have no embedding yet, and saves all.
   *
   * @param least how many of the synsets to embed however long it takes
   * @param budget time after which no more than {@code least} are embedded
   * @param progress told how many of the synsets have an embedding
   */
  public void complete(
      Embedder embedder, List<Synset> synsets, int least, Duration budget, IntConsumer progress)
      throws IOException {
    List<Synset> missing = synsets.stream().filter(s -> !byId.containsKey(s.id())).toList();
    int done = synsets.size() - missing.size();
    if (missing.isEmpty()) {
      progress.accept(done);
      return;
    }
    long start = System.nanoTime();
    for (int from = 0; from < missing.size(); from += CHUNK) {
      if (done >= least && System.nanoTime() - start > budget.toNanos()) {
        break;
      }
      List<Synset> chunk = missing.subList(from, Math.min(missing.size(), from + CHUNK));
      List<float[]> vectors =
          embedder.embedAll(chunk.stream().map(SynsetEmbeddings::text).toList());
      for (int i = 0; i < chunk.size(); i++) {
        byId.put(chunk.get(i).id(), vectors.get(i));
      }
      done += chunk.size();
      progress.accept(done);
    }
    save();
  }

  private static String text(Synset synset) {
    return String.join(", ", synset.lemmas()) + ": " + synset.definition();
  }

  private void save() throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    Files.createDirectories(folder);
    Path temporary = Files.createTempFile(folder, "embeddings", ".tmp");
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(temporary), 1 << 16))) {
      for (Map.Entry<Long, float[]> e : byId.entrySet()) {
        out.writeLong(e.getKey());
        for (float component : e.getValue()) {
          out.writeFloat(component);
        }
      }
    }
    Files.move(
        temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
