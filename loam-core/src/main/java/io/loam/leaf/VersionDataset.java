package io.loam.leaf;

import io.loam.lance.LanceAddress;
import io.loam.lance.LanceReader;
import io.loam.lance.LanceSource;
import io.loam.manifest.FileRef;
import io.loam.manifest.FragmentRef;
import io.loam.manifest.Manifest;
import io.loam.manifest.RowIdRange;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A version's Lance dataset, opened when first read; files are made ready before they are read.
 * Safe for use by several threads.
 */
final class VersionDataset implements AutoCloseable {
  private final CollectionFiles files;
  private final Manifest manifest;
  private final FragmentMap fragments;

  /** The last one is in use; others had keys that are outdated, and somebody may still read. */
  private final Deque<LanceReader> readers = new ArrayDeque<>();

  private @Nullable LanceSource source;

  VersionDataset(CollectionFiles files, Manifest manifest, FragmentMap fragments) {
    this.files = files;
    this.manifest = manifest;
    this.fragments = fragments;
  }

  /** Ready to read these rows. To find them, Lance reads the deletion files of all fragments. */
  LanceReader reader(long[] rowIds) {
    return reader(
        () -> {
          Set<FileRef> wanted = new LinkedHashSet<>();
          manifest.fragments().forEach(f -> f.deletion().ifPresent(wanted::add));
          for (long rowId : rowIds) {
            for (FragmentMap.Run run : fragments.runs(new RowIdRange(rowId, 1))) {
              wanted.addAll(manifest.fragments().get(run.fragment()).files());
            }
          }
          return wanted;
        });
  }

  /** Ready to read a fragment. */
  LanceReader reader(FragmentRef fragment) {
    return reader(fragment::allFiles);
  }

  private synchronized LanceReader reader(Supplier<Collection<FileRef>> wanted) {
    LanceSource from = source;
    if (from == null) {
      List<FileRef> all =
          manifest.fragments().stream().flatMap(f -> f.allFiles().stream()).toList();
      from = files.lanceFiles().source(manifest.lanceManifest(), all);
      source = from;
    }
    from.require(wanted);
    LanceAddress address = from.address();
    LanceReader current = readers.peekLast();
    if (current == null || !current.address().equals(address)) {
      current = files.lance().open(address, manifest.lanceVersion());
      readers.add(current);
    }
    return current;
  }

  @Override
  public synchronized void close() {
    readers.forEach(LanceReader::close);
    readers.clear();
    if (source != null) {
      source.close();
      source = null;
    }
  }
}
