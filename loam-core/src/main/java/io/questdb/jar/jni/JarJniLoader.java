package io.questdb.jar.jni;

import io.loam.lance.NativeLibrary;

/**
 * Stands in for the artifact {@code org.questdb:jar-jni}, which unpacks Lance's library into a new
 * temporary file in every process. Lance's static initialiser calls it by this name.
 */
public interface JarJniLoader {
  /**
   * Loads a library.
   *
   * @param anchor a class of the jar that holds the library
   * @param folder the folder of the libraries in that jar
   * @param name the library's name without prefix and suffix
   */
  static void loadLib(Class<?> anchor, String folder, String name) {
    NativeLibrary.load(anchor, folder, name);
  }
}
