package io.loam;

import io.loam.s3testing.S3Server;
import io.loam.store.S3Keys;
import io.loam.store.S3Settings;
import io.loam.store.StoreLocation;

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
}
