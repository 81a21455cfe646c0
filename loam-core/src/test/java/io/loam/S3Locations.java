package io.loam;

import io.loam.s3testing.S3Server;
import io.loam.store.S3Keys;
import io.loam.store.S3Settings;
import io.loam.store.StoreLocation;
import java.nio.file.Path;

/** Places on a test server. */
public final class S3Locations {
  private S3Locations() {}

  public static StoreLocation of(S3Server server, String prefix) {
    return new StoreLocation.Bucket(
        new S3Settings(
            S3Server.BUCKET,
            prefix,
            server.endpoint(),
            null,
            true,
            new S3Keys(S3Server.ACCESS_KEY_ID, S3Server.SECRET_ACCESS_KEY, null)));
  }

  /** The same place as text, for a process of its own. */
  public static String argument(S3Server server, String prefix) {
    return String.join(
        " ",
        S3Server.BUCKET,
        prefix,
        server.endpoint(),
        S3Server.ACCESS_KEY_ID,
        S3Server.SECRET_ACCESS_KEY);
  }

  /** The place that a text means: that of {@link #argument}, or a folder. */
  public static StoreLocation parse(String text) {
    String[] parts = text.split(" ", -1);
    return parts.length == 1
        ? new StoreLocation.Folder(Path.of(text))
        : new StoreLocation.Bucket(
            new S3Settings(
                parts[0], parts[1], parts[2], null, true, new S3Keys(parts[3], parts[4], null)));
  }
}
