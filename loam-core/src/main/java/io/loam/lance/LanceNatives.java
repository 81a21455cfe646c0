package io.loam.lance;

import io.loam.arrow.ArrowAccess;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.lang.Thread.UncaughtExceptionHandler;
import org.jspecify.annotations.Nullable;
import org.lance.JniLoader;

/** Makes Lance usable in this process. */
final class LanceNatives {
  private static final String DISPATCHED_CLASS = "org.lance.ipc.AsyncScanner";

  private LanceNatives() {}

  /** Loads the native library; does nothing the second time. */
  static synchronized void load() {
    ArrowAccess.open();
    if (!isVisibleToSystemLoader()) {
      DispatcherFailure.expect();
    }
    try {
      JniLoader.ensureLoaded();
    } catch (LinkageError e) {
      if (e.getCause() instanceof LoamException failure) {
        throw failure;
      }
      throw new LoamException(
          ErrorCode.UNSUPPORTED,
          "native library of Lance cannot be loaded: reason="
              + e.getMessage()
              + "; use Linux on x86-64 or arm64 with glibc, or macOS on arm64",
          e);
    }
  }

  private static boolean isVisibleToSystemLoader() {
    try {
      Class.forName(DISPATCHED_CLASS, false, ClassLoader.getSystemClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /**
   * Swallows one error. On loading, Lance starts a native thread that looks up a class in the
   * system class loader; where Lance's classes are in another loader the thread ends with an error,
   * which has no effect but on a host whose default handler ends the process.
   */
  private static final class DispatcherFailure implements UncaughtExceptionHandler {
    private static boolean expected;

    private final @Nullable UncaughtExceptionHandler next;

    private DispatcherFailure(@Nullable UncaughtExceptionHandler next) {
      this.next = next;
    }

    static void expect() {
      if (!expected) {
        expected = true;
        Thread.setDefaultUncaughtExceptionHandler(
            new DispatcherFailure(Thread.getDefaultUncaughtExceptionHandler()));
      }
    }

    @Override
    public void uncaughtException(Thread thread, Throwable error) {
      if (error instanceof NoClassDefFoundError
          && DISPATCHED_CLASS.replace('.', '/').equals(error.getMessage())) {
        if (Thread.getDefaultUncaughtExceptionHandler() == this) {
          Thread.setDefaultUncaughtExceptionHandler(next);
        }
      } else if (next != null) {
        next.uncaughtException(thread, error);
      } else {
        System.err.print("Exception in thread \"" + thread.getName() + "\" "); // as the JVM does
        error.printStackTrace();
      }
    }
  }
}
