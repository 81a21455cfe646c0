package io.loam.demo;

import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.embedding.onnx.allminilml6v2q.AllMiniLmL6V2QuantizedEmbeddingModel;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Sentence embeddings of all-MiniLM-L6-v2 (quantised), computed on this machine. */
public final class Embedder implements AutoCloseable {
  /** Components of an embedding; its length is 1. */
  public static final int DIMENSION = 384;

  static {
    // The tokenizer's library reports its use to its makers from EC2 machines unless told not to.
    System.setProperty("OPT_OUT_TRACKING", "true");
  }

  private final ExecutorService threads =
      Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
  private final AllMiniLmL6V2QuantizedEmbeddingModel model =
      new AllMiniLmL6V2QuantizedEmbeddingModel(threads);

  public float[] embed(String text) {
    return model.embed(text).content().vector();
  }

  /** Embeds on all cores. */
  public List<float[]> embedAll(List<String> texts) {
    List<TextSegment> segments = texts.stream().map(TextSegment::from).toList();
    return model.embedAll(segments).content().stream().map(e -> e.vector()).toList();
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}
