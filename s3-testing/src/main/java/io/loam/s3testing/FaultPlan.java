package io.loam.s3testing;

/** Decides about each request. Called by many threads. */
@FunctionalInterface
public interface FaultPlan {
  FaultPlan NONE = request -> Fault.NONE;

  Fault fault(SeenRequest request);
}
