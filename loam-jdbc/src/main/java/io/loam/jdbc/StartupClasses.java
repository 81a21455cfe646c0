package io.loam.jdbc;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * Loads the classes that a first statement needs while the driver starts, so that another core does
 * a good part of the work. The build lists them in the driver jar. They are not initialized, which
 * is left to those who use them, in their own order.
 */
final class StartupClasses implements Runnable {
  static final String LIST = "META-INF/loam/startup-classes";

  private final InputStream list;
  private final ClassLoader loader;

  private StartupClasses(InputStream list, ClassLoader loader) {
    this.list = list;
    this.loader = loader;
  }

  /** Begins, if there is a list, and returns at once. */
  static void loadInBackground(ClassLoader outer, ClassLoader loader) {
    InputStream list = outer.getResourceAsStream(LIST);
    if (list != null) {
      Thread thread = new Thread(null, new StartupClasses(list, loader), "loam-startup", 0, false);
      thread.setDaemon(true);
      thread.setContextClassLoader(loader);
      thread.start();
    }
  }

  @Override
  public void run() {
    try (BufferedReader names =
        new BufferedReader(new InputStreamReader(list, StandardCharsets.UTF_8))) {
      for (String name = names.readLine(); name != null; name = names.readLine()) {
        load(name);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("list of classes in the driver jar cannot be read", e);
    }
  }

  private void load(String name) {
    try {
      Class.forName(name, false, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      // Whoever needs the class gets the error.
    }
  }
}
