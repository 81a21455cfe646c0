package io.loam.jdbc;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Prepares what a first statement needs while the driver starts, so that another core does a good
 * part of the work. First a class of Arrow is initialized, whose work nothing else waits for in
 * between; then the classes that the build lists in the driver jar are loaded. These are not
 * initialized, which is left to those who use them, in their own order.
 */
final class StartupClasses implements Runnable {
  static final String LIST = "META-INF/loam/startup-classes";

  /** Makes a reader of JSON, which takes long, when it is initialized. */
  private static final String SCHEMA = "org.apache.arrow.vector.types.pojo.Schema";

  private final @Nullable InputStream list;
  private final ClassLoader loader;

  private StartupClasses(@Nullable InputStream list, ClassLoader loader) {
    this.list = list;
    this.loader = loader;
  }

  /** Begins, and returns at once. Only the driver jar has a list. */
  static void loadInBackground(ClassLoader outer, ClassLoader loader) {
    StartupClasses classes = new StartupClasses(outer.getResourceAsStream(LIST), loader);
    Thread thread = new Thread(null, classes, "loam-startup", 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(loader);
    thread.start();
  }

  @Override
  public void run() {
    load(SCHEMA, true);
    if (list != null) {
      loadAll(list);
    }
  }

  private void loadAll(InputStream list) {
    try (BufferedReader names =
        new BufferedReader(new InputStreamReader(list, StandardCharsets.UTF_8))) {
      for (String name = names.readLine(); name != null; name = names.readLine()) {
        load(name, false);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("list of classes in the driver jar cannot be read", e);
    }
  }

  private void load(String name, boolean initialize) {
    try {
      Class.forName(name, initialize, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      // Whoever needs the class gets the error.
    }
  }
}
