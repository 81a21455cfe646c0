package io.loam;

import static org.assertj.core.api.Assertions.assertThat;

import io.loam.commit.WriteBatch;
import io.loam.error.LoamException;
import io.loam.query.OutputColumn;
import io.loam.query.SearchRequest;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import io.loam.s3testing.Fault;
import io.loam.s3testing.S3Server;
import io.loam.schema.FieldType;
import io.loam.schema.SchemaBuilder;
import io.loam.schema.TypeKind;
import io.loam.store.ObjectStore;
import io.loam.store.S3Settings;
import io.loam.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Buckets without keys in the connection: AWS's default chain is asked. */
class S3DefaultKeysTest {
  private static final CollectionName DOCS = CollectionName.of("docs");

  @TempDir static Path served;
  private static S3Server server;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    server = S3Server.start(served);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** Where a process has its keys. */
  private enum Keys {
    PROPERTIES,
    ENVIRONMENT,
    PROFILE
  }

  /** Writes and reads a table; prints what came of it. */
  static final class User {
    private User() {}

    public static void main(String[] args) {
      S3Settings settings = new S3Settings(S3Server.BUCKET, args[0], args[1], null, true, null);
      StoreLocation place = new StoreLocation.Bucket(settings);
      try (Warehouse warehouse = Warehouse.open(new WarehouseOptions(place, Path.of(args[2]), 0));
          ObjectStore store = place.open()) {
        Collection docs =
            warehouse.create(
                DOCS,
                new SchemaBuilder()
                    .add("id", FieldType.of(TypeKind.BIGINT), false, "", "")
                    .primaryKey("id")
                    .build());
        docs.commit(WriteBatch.create().insert(1L).insert(2L));
        try (Snapshot snapshot = docs.snapshot(new VersionSpec.Latest())) {
          List<OutputColumn> output = List.of(OutputColumn.field(1));
          System.out.println("rows=" + Reads.rows(snapshot, SearchRequest.scan(output)).size());
        }
        System.out.println("native=" + store.nativeOptions().containsKey("aws_access_key_id"));
      } catch (LoamException e) {
        System.out.println("code=" + e.code());
        e.printStackTrace(System.out);
      }
    }
  }

  private String use(String prefix, List<String> properties, Map<String, String> environment)
      throws IOException, InterruptedException {
    List<String> flags = new ArrayList<>(properties);
    flags.addAll(
        List.of(
            "-Xmx256m", "-XX:TieredStopAtLevel=1", "--add-opens=java.base/java.nio=ALL-UNNAMED"));
    Map<String, String> alone = new HashMap<>();
    alone.put("AWS_EC2_METADATA_DISABLED", "true");
    alone.put("AWS_CONFIG_FILE", folder.resolve("config").toString());
    alone.put("AWS_SHARED_CREDENTIALS_FILE", folder.resolve("credentials").toString());
    alone.putAll(environment);
    List<String> arguments = List.of(prefix, server.endpoint(), folder.resolve("cache").toString());
    return ChildJvm.run(folder, flags, User.class, arguments, 60, alone);
  }

  @ParameterizedTest
  @EnumSource(Keys.class)
  void keysOfTheDefaultChainAreUsed(Keys where) throws Exception {
    List<String> properties = new ArrayList<>();
    Map<String, String> environment = new HashMap<>();
    switch (where) {
      case PROPERTIES -> {
        properties.add("-Daws.accessKeyId=" + S3Server.ACCESS_KEY_ID);
        properties.add("-Daws.secretAccessKey=" + S3Server.SECRET_ACCESS_KEY);
      }
      case ENVIRONMENT -> {
        environment.put("AWS_ACCESS_KEY_ID", S3Server.ACCESS_KEY_ID);
        environment.put("AWS_SECRET_ACCESS_KEY", S3Server.SECRET_ACCESS_KEY);
      }
      case PROFILE -> {
        Files.writeString(
            folder.resolve("credentials"),
            "[search]\naws_access_key_id = %s\naws_secret_access_key = %s\n"
                .formatted(S3Server.ACCESS_KEY_ID, S3Server.SECRET_ACCESS_KEY));
        environment.put("AWS_PROFILE", "search");
      }
    }
    String printed = use("chain/" + where, properties, environment);
    assertThat(printed).contains("rows=2", "native=true");
  }

  @Test
  void noKeysAtAllAreToldSo() throws Exception {
    assertThat(use("chain/none", List.of(), Map.of()))
        .contains("code=STORE_UNAVAILABLE", "check the bucket, its region, the keys")
        .doesNotContain("rows=");
  }

  @Test
  void keysThatWereFoundAreNotShownEither() throws Exception {
    server.plan(request -> Fault.REFUSED_WITH_KEYS);
    try {
      String printed =
          use(
              "chain/refused",
              List.of(),
              Map.of(
                  "AWS_ACCESS_KEY_ID",
                  S3Server.ACCESS_KEY_ID,
                  "AWS_SECRET_ACCESS_KEY",
                  S3Server.SECRET_ACCESS_KEY));
      assertThat(printed)
          .contains("key *** and secret ***")
          .doesNotContain(S3Server.ACCESS_KEY_ID, S3Server.SECRET_ACCESS_KEY);
    } finally {
      server.plan(request -> Fault.NONE);
    }
  }
}
