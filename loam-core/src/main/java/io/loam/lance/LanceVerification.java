package io.loam.lance;

/** Which Lance files have their bytes checked before a process first reads them. */
public enum LanceVerification {
  /** Lengths only. */
  NEVER,
  /** Files of at most 64 MiB; lengths of all. */
  SMALL,
  /** All files. */
  ALWAYS
}
