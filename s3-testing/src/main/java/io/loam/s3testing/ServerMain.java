package io.loam.s3testing;

import java.net.URI;
import java.util.Properties;
import org.gaul.s3proxy.BlobStores;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;

/**
 * The server's process: serves the folder {@code args[0]}, whose folders are buckets, to the access
 * key {@code args[1]} with the secret {@code args[2]}. Prints its port and ends with its input.
 */
final class ServerMain {
  private static final String PROVIDER = "filesystem-nio2";

  private ServerMain() {}

  public static void main(String[] args) throws Exception {
    Properties properties = new Properties();
    properties.setProperty("jclouds.provider", PROVIDER);
    properties.setProperty("jclouds.filesystem.basedir", args[0]);
    properties.setProperty("jclouds.identity", "local");
    properties.setProperty("jclouds.credential", "local");
    S3Proxy server =
        S3Proxy.builder()
            .blobStore(BlobStores.create(PROVIDER, properties))
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, args[1], args[2])
            .build();
    server.start();
    while (!server.getState().equals("STARTED")) {
      Thread.sleep(5);
    }
    System.out.println(server.getPort());
    System.out.flush();
    while (System.in.read() >= 0) {
      // Input ends when the process that started this one does.
    }
    Runtime.getRuntime().halt(0);
  }
}
