package io.loam.verify;

import java.util.List;

/**
 * What was looked at in a version, and what is wrong with it.
 *
 * @param version 0 where damage hides which version it would be
 * @param objects objects that were read, missing ones included
 * @param bytes of those objects
 * @param documents that were read and compared with their indexes
 */
public record Verification(
    long version, int objects, long bytes, long documents, List<Finding> findings) {
  public Verification {
    findings = List.copyOf(findings);
  }
}
