package io.loam.store;

/**
 * Requests to a remote store and the bytes of objects that they moved.
 *
 * @param requests attempts that failed included
 */
public record Traffic(long requests, long bytesRead, long bytesWritten) {
  static final Traffic NONE = new Traffic(0, 0, 0);

  private static final ThreadLocal<Traffic> OF_THREAD = ThreadLocal.withInitial(() -> NONE);

  /** All that the calling thread has caused so far; differences of it tell what some work took. */
  public static Traffic ofThread() {
    return OF_THREAD.get();
  }

  /** What came after {@code earlier}. */
  public Traffic since(Traffic earlier) {
    return new Traffic(
        requests - earlier.requests,
        bytesRead - earlier.bytesRead,
        bytesWritten - earlier.bytesWritten);
  }

  static void request() {
    addToThread(new Traffic(1, 0, 0));
  }

  static void read(long bytes) {
    addToThread(new Traffic(0, bytes, 0));
  }

  static void written(long bytes) {
    addToThread(new Traffic(0, 0, bytes));
  }

  /** Counts for the calling thread what another has caused for it. */
  public static void addToThread(Traffic t) {
    Traffic sum = OF_THREAD.get();
    OF_THREAD.set(
        new Traffic(
            sum.requests + t.requests,
            sum.bytesRead + t.bytesRead,
            sum.bytesWritten + t.bytesWritten));
  }
}
