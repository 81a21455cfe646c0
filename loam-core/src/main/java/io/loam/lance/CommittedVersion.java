package io.loam.lance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A detached Lance version just made. Paths are relative to the dataset; the files are not yet on
 * stable storage.
 *
 * @param version Lance's number, negative
 * @param manifestFile Lance's manifest of this version
 * @param transactionFile Lance's record of the change
 * @param deletionFiles the new deletion file by fragment, for fragments that lost rows and keep
 *     some
 * @param removedFragments fragments that lost their last row
 */
public record CommittedVersion(
    long version,
    String manifestFile,
    String transactionFile,
    Map<Integer, String> deletionFiles,
    Set<Integer> removedFragments) {
  public CommittedVersion {
    deletionFiles = Map.copyOf(deletionFiles);
    removedFragments = Set.copyOf(removedFragments);
  }

  /** All files that the commit wrote; data files are the {@link WrittenFragment}s'. */
  public List<String> files() {
    List<String> files = new ArrayList<>(deletionFiles.values());
    files.add(transactionFile);
    files.add(manifestFile);
    return files;
  }
}
