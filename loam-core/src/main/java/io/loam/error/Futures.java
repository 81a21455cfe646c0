package io.loam.error;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Waits for work that runs beside its caller. */
public final class Futures {

  /** The result; what the work threw is thrown as it was. */
  public static <T> T join(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** Waits for all to end; what the first of those that failed threw is thrown as it was. */
  public static void joinAll(List<CompletableFuture<Void>> futures) {
    CompletableFuture<Void> all =
        CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new));
    all.exceptionally(e -> null).join();
    futures.forEach(Futures::join);
  }

  private Futures() {}
}
