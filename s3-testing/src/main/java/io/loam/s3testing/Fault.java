package io.loam.s3testing;

/** What can go wrong with a request. */
public enum Fault {
  NONE,
  /** The connection breaks before the server sees the request. */
  RESET,
  /** Answered by 500 without being applied. */
  ERROR_BEFORE,
  /** Applied, then answered by 500. */
  ERROR_AFTER,
  /** Applied, then the connection breaks. */
  LOST_REPLY,
  /** No answer for a long time, and never applied. */
  HANG,
  /** The connection breaks, and the request is applied a while later. */
  LATE,
  /** Answered by 503 SlowDown. */
  THROTTLED,
  /** Answered by 409 ConditionalRequestConflict. */
  CONFLICT,
  /** The connection breaks in the middle of the answer's body. */
  TORN_ANSWER,
  /** Applied; the connection ends after the first line of the answer. */
  CUT_HEADERS,
  /** Refused by 403, in words that repeat the keys. */
  REFUSED_WITH_KEYS
}
