package io.loam.jdbc;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Prepares what a first statement needs while the driver starts, so that another core does a good
 * part of the work: loads the classes that {@link StartupPacker} put into the driver jar, in the
 * order in which they will be asked for. They are not initialized, which is left to those who use
 * them, in their own order; but for a class of Arrow, whose work nothing else waits for in between.
 */
final class StartupClasses implements Runnable {
  /** Of each class its name, as {@link DataInputStream#readUTF} has it, its length and its file. */
  static final String ENTRY = "META-INF/loam/startup-classes";

  /** Makes a reader of JSON, which takes long, when it is initialized. */
  static final String SCHEMA = "org.apache.arrow.vector.types.pojo.Schema";

  private static final int BUFFER_BYTES = 1 << 16;

  private final ClassLoader loader;

  private StartupClasses(ClassLoader loader) {
    this.loader = loader;
  }

  /** Begins where there is a processor for it, and returns at once. */
  static void loadInBackground(ClassLoader loader) {
    if (Runtime.getRuntime().availableProcessors() > 1) {
      Thread thread = new Thread(null, new StartupClasses(loader), "loam-startup", 0, false);
      thread.setDaemon(true);
      thread.setContextClassLoader(loader);
      thread.start();
    }
  }

  @Override
  public void run() {
    if (loader instanceof InnerClassLoader inner) {
      loadAll(inner);
    }
    initializeSchema(); // On a plain class path all that there is to do.
  }

  private void loadAll(InnerClassLoader inner) {
    try (InputStream classes = inner.open(ENTRY)) {
      if (classes != null) {
        loadAll(new DataInputStream(new BufferedInputStream(classes, BUFFER_BYTES)), inner);
      }
    } catch (IOException e) {
      return; // Loaded from the jar when they are needed, which gives the error if there is one.
    }
  }

  private void loadAll(DataInputStream classes, InnerClassLoader inner) throws IOException {
    for (String name = nextName(classes); name != null; name = nextName(classes)) {
      load(inner, name, classes.readNBytes(classes.readInt()));
      if (name.equals(SCHEMA)) {
        initializeSchema();
      }
    }
  }

  private static @Nullable String nextName(DataInputStream classes) throws IOException {
    try {
      return classes.readUTF();
    } catch (EOFException e) {
      return null;
    }
  }

  private static void load(InnerClassLoader inner, String name, byte[] file) {
    try {
      inner.define(name, file);
    } catch (LinkageError e) {
      // Whoever needs the class gets the error.
    }
  }

  private void initializeSchema() {
    try {
      Class.forName(SCHEMA, true, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      // Whoever needs the class gets the error.
    }
  }
}
