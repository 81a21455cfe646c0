package io.loam.write;

import io.loam.lance.WrittenFragment;
import io.loam.maintain.MaintenanceStorage;
import io.loam.manifest.FragmentRef;
import io.loam.manifest.SplitRef;
import io.loam.manifest.TailRef;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What is to stand for some inputs, on stable storage. */
sealed interface Replacing extends MaintenanceStorage.Prepared {

  /** A fragment that no version has yet. */
  record NewFragment(WrittenFragment fragment, FragmentRef ref) {}

  /** A split and a fragment for a part of the tail. */
  record Fold(List<TailRef> inputs, SplitRef split, NewFragment fragment) implements Replacing {}

  /**
   * A split for others.
   *
   * @param inputs their names
   * @param split of the inputs' live documents, or nothing where there are none
   */
  record Merge(Set<String> inputs, Optional<SplitRef> split) implements Replacing {}

  /**
   * A fragment for others.
   *
   * @param inputs their ids
   */
  record Compaction(Set<Integer> inputs, NewFragment fragment) implements Replacing {}
}
