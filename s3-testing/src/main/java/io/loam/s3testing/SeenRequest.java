package io.loam.s3testing;

/**
 * A request as it arrived.
 *
 * @param key of the object, percent-encoded and without the bucket; of a listing, empty
 * @param range the range that is asked for, empty for all
 * @param bodyBytes that came with it
 */
public record SeenRequest(String method, String key, String query, String range, int bodyBytes) {
  public boolean isList() {
    return key.isEmpty() && method.equals("GET");
  }

  public boolean isWrite() {
    return method.equals("PUT") || method.equals("POST") || method.equals("DELETE");
  }
}
