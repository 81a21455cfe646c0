package io.loam.index;

/** Builds the parts of a stored plan, here or elsewhere. */
public interface PartRunner {
  /**
   * Builds all parts; when this returns, their files are in the store. What it throws says which
   * part failed, and why.
   *
   * @param planPath of the plan in the warehouse
   * @param checkpoint called now and then; what it throws ends the work
   */
  void run(String planPath, BuildPlan plan, Runnable checkpoint);
}
