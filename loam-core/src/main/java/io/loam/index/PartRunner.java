package io.loam.index;

/** Builds the parts of a stored plan, here or elsewhere. */
public interface PartRunner {
  /**
   * Builds all parts; when this returns, their files are in the store. What it throws says which
   * part failed, and why.
   *
   * @param planPath of the plan in the warehouse
   * @param progress told how far the work is
   */
  void run(String planPath, BuildPlan plan, Progress progress);

  /** Takes part in the work. */
  interface Progress {
    /** Called now and then; what it throws ends the work. */
    void checkpoint();

    /** One more part is built. */
    void built();
  }
}
