package io.loam.lance;

import java.util.List;
import java.util.Optional;
import org.lance.FragmentMetadata;

/**
 * A fragment as Lance's manifest has it. Paths are relative to the dataset.
 *
 * @param physicalRows rows in its files, deleted ones included
 * @param files data files
 */
public record LanceFragment(
    int id, long physicalRows, List<String> files, Optional<String> deletion) {

  static LanceFragment of(FragmentMetadata metadata) {
    return new LanceFragment(
        metadata.getId(),
        metadata.getPhysicalRows(),
        metadata.getFiles().stream().map(f -> LanceNames.data(f.getPath())).toList(),
        Optional.ofNullable(metadata.getDeletionFile())
            .map(f -> LanceNames.deletion(metadata.getId(), f)));
  }
}
