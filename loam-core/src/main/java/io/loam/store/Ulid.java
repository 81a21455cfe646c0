package io.loam.store;

import java.security.SecureRandom;

/**
 * Unique names that sort by time of making: 48 bits of milliseconds since 1970 and 80 random bits,
 * as 26 lower-case characters of Crockford's base 32. Names made by one process ascend strictly,
 * whatever its clock does.
 */
public final class Ulid {
  private static final char[] DIGITS = "0123456789abcdefghjkmnpqrstvwxyz".toCharArray();
  private static final int LENGTH = 26;
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Milliseconds in the upper 48 bits, then 16 random bits. */
  private static long lastHigh;

  private static long lastLow;

  private Ulid() {}

  /** A name that nothing else has. */
  public static String next() {
    long high;
    long low;
    synchronized (Ulid.class) {
      long now = System.currentTimeMillis();
      if (now > lastHigh >>> 16) {
        lastHigh = now << 16 | RANDOM.nextInt(1 << 16);
        lastLow = RANDOM.nextLong();
      } else if (++lastLow == 0) {
        lastHigh++;
      }
      high = lastHigh;
      low = lastLow;
    }
    return format(high, low);
  }

  private static String format(long high, long low) {
    char[] text = new char[LENGTH];
    for (int i = LENGTH - 1; i >= 0; i--) {
      text[i] = DIGITS[(int) low & 31];
      low = low >>> 5 | high << 59;
      high >>>= 5;
    }
    return new String(text);
  }
}
