package io.loam;

import io.loam.error.LoamException;
import io.loam.index.ChildParts;
import io.loam.store.S3Settings;
import io.loam.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Builds one part of a planned vector index: {@code build-part <folder or s3://bucket/prefix>
 * <plan> <part>}. All that it needs is in the warehouse. A bucket's keys come from AWS's default
 * chain, and what else is said of it from the environment.
 */
public final class BuildPart {
  static final String ENDPOINT = "LOAM_S3_ENDPOINT";
  static final String REGION = "LOAM_S3_REGION";
  static final String PATH_STYLE = "LOAM_S3_PATH_STYLE";

  /** Says that a process is at the other end of standard input, and this one ends with it. */
  static final String CHILD = "--child";

  private static final String BUCKET = "s3://";
  private static final long PROGRESS_NANOS = 1_000_000_000;
  private static final int FAILED = 1;
  private static final int USAGE = 2;

  private BuildPart() {}

  /** Exits with 0, 1 where the part cannot be built, 2 after wrong arguments. */
  public static void main(String[] args) {
    boolean child = args.length > 0 && args[0].equals(CHILD);
    int first = child ? 1 : 0;
    if (args.length != first + 3 || !args[first + 2].matches("\\d{1,9}")) {
      System.err.println(
          "usage: build-part <folder or s3://bucket/prefix> <plan> <part, counted from 0>");
      System.exit(USAGE);
    }
    if (child) {
      endWithParent();
    }
    System.exit(run(args[first], args[first + 1], Integer.parseInt(args[first + 2]), child));
  }

  private static int run(String location, String plan, int part, boolean child) {
    String cache = System.getProperty("loam.cache");
    WarehouseOptions options =
        new WarehouseOptions(
            location(location, System.getenv()), cache == null ? null : Path.of(cache), 0);
    AtomicLong told = new AtomicLong(System.nanoTime());
    Runnable progress =
        () -> {
          long now = System.nanoTime();
          if (child && now - told.get() >= PROGRESS_NANOS) {
            told.set(now);
            System.out.println(ChildParts.PROGRESS);
          }
        };
    try (LoamWarehouse warehouse = new LoamWarehouse(options)) {
      warehouse.buildPart(plan, part, progress);
      return 0;
    } catch (LoamException e) {
      System.err.println("error " + e.code().sqlState() + ": " + e.getMessage());
      return FAILED;
    }
  }

  static StoreLocation location(String text, Map<String, String> environment) {
    if (!text.startsWith(BUCKET)) {
      return new StoreLocation.Folder(Path.of(text));
    }
    String path = text.substring(BUCKET.length());
    int slash = path.indexOf('/');
    return new StoreLocation.Bucket(
        new S3Settings(
            slash < 0 ? path : path.substring(0, slash),
            slash < 0 ? "" : path.substring(slash + 1),
            environment.get(ENDPOINT),
            environment.get(REGION),
            Boolean.parseBoolean(environment.get(PATH_STYLE)),
            null));
  }

  private static void endWithParent() {
    Thread watch =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {
                  // Nothing is said; what counts is the end.
                }
              } catch (IOException e) {
                // As good as the end.
              }
              Runtime.getRuntime().halt(FAILED);
            },
            "loam-parent");
    watch.setDaemon(true);
    watch.start();
  }
}
