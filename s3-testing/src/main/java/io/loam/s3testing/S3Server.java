package io.loam.s3testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An S3 server over a folder, on a free port of the loopback interface, in a process of its own
 * that ends with this one. Requests pass a front in this process, which can make faults.
 */
public final class S3Server implements AutoCloseable {
  public static final String BUCKET = "loam-test";
  public static final String REGION = "us-east-1";
  public static final String ACCESS_KEY_ID = "LOAMTESTKEYID";
  public static final String SECRET_ACCESS_KEY = "loam-test-secret";

  private final Process process;
  private final FaultFront front;

  private S3Server(Process process, FaultFront front) {
    this.process = process;
    this.front = front;
  }

  /** Starts a server whose objects lie under {@code folder}; {@link #BUCKET} is there. */
  public static S3Server start(Path folder) {
    try {
      Files.createDirectories(folder.resolve(BUCKET));
      Path classes =
          Path.of(S3Server.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-XX:+UseSerialGC",
                  "-Xmx512m",
                  "-cp",
                  classes + ":" + classes.resolveSibling("server") + "/*",
                  ServerMain.class.getName(),
                  folder.toString(),
                  ACCESS_KEY_ID,
                  SECRET_ACCESS_KEY)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      return new S3Server(process, new FaultFront(readPort(process)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int readPort(Process process) throws IOException {
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = output.readLine();
    if (line == null) {
      throw new IOException("S3 server did not start");
    }
    return Integer.parseInt(line.strip());
  }

  public String endpoint() {
    return "http://127.0.0.1:" + front.port();
  }

  /** From now on requests fail as the plan says. */
  public void plan(FaultPlan plan) {
    front.plan(plan);
  }

  /** From now on each request takes so much longer. */
  public void latencyMillis(long millis) {
    front.latencyMillis(millis);
  }

  /** Requests since the last call, in order of arrival. */
  public List<SeenRequest> takeSeen() {
    return front.takeSeen();
  }

  /** Bytes of the bodies of answers since the last call. */
  public long takeBytesSent() {
    return front.takeBytesSent();
  }

  @Override
  public void close() {
    front.close();
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
