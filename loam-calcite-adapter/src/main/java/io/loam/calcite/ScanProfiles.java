package io.loam.calcite;

import io.loam.query.QueryProfile;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the scans of one execution of a statement did. Used by one thread. */
final class ScanProfiles {
  private final Map<ScanSpec, QueryProfile> profiles = new LinkedHashMap<>();

  /** The profile of all runs of a scan. */
  QueryProfile of(ScanSpec spec) {
    return profiles.computeIfAbsent(spec, s -> new QueryProfile());
  }

  /** One line for each scan. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    profiles.forEach(
        (spec, profile) ->
            text.append(spec.collection())
                .append(": ")
                .append(profile)
                .append(System.lineSeparator()));
    return text.toString();
  }
}
