package io.loam.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * What {@code java -jar} of the driver jar runs: a main class of those inside it, named by the
 * first argument. So the driver starts processes of its own, such as those that build parts of an
 * index.
 */
public final class InnerMain {
  private static final int USAGE = 2;

  private InnerMain() {}

  /** Runs the main class with the other arguments. */
  public static void main(String[] args) throws Throwable {
    if (args.length == 0) {
      System.err.println(
          "This is a JDBC driver: put it on a class path, and connect to jdbc:loam:<folder>.");
      System.exit(USAGE);
    }
    ClassLoader own = InnerMain.class.getClassLoader();
    ClassLoader loader = InnerClassLoader.isPackedIn(own) ? new InnerClassLoader(own) : own;
    Thread.currentThread().setContextClassLoader(loader);
    try {
      Class.forName(args[0], true, loader)
          .getMethod("main", String[].class)
          .invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
