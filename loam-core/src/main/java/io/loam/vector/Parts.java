package io.loam.vector;

import java.util.List;

/** Does work in parts: side by side where there is much of it and threads are idle. */
public interface Parts {
  /** One part of some work. */
  interface Work<T> {
    /** Does the part of this number, from 0 on, of so many. */
    T part(int part, int parts);
  }

  /**
   * The results of all parts.
   *
   * @param documents how many documents another step could look at in the time that the work takes
   */
  <T> List<T> map(long documents, Work<T> work);
}
