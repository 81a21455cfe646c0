package io.loam.lance;

import io.loam.arrow.ArrowAccess;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import org.lance.JniLoader;

/** Makes Lance usable in this process. */
final class LanceNatives {
  private LanceNatives() {}

  /** Loads the native library; does nothing the second time. */
  static synchronized void load() {
    ArrowAccess.open();
    try {
      DispatchedClass.provide();
      JniLoader.ensureLoaded();
    } catch (Throwable e) { // a MethodHandle declares it
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
}
