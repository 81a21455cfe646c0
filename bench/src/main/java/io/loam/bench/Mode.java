package io.loam.bench;

/** How the words of a question are to match. */
enum Mode {
  OR,
  AND,
  PHRASE
}
