package io.loam;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.Head;
import io.loam.manifest.Metastore;
import io.loam.manifest.StoredManifest;
import io.loam.manifest.VersionFinder;
import io.loam.manifest.Versioned;
import io.loam.query.VersionSpec;
import java.util.Optional;
import java.util.function.Function;

/** Reads of one collection as of a head, while others may collect garbage or drop the table. */
final class HeadReads {
  /** How often something is read anew where garbage was collected meanwhile. */
  static final int ATTEMPTS = 5;

  private final CollectionName name;
  private final Metastore metastore;
  private final VersionFinder finder;

  HeadReads(CollectionName name, Metastore metastore) {
    this.name = name;
    this.metastore = metastore;
    this.finder = new VersionFinder(metastore, name.toString());
  }

  VersionFinder finder() {
    return finder;
  }

  /** The head as the calling statement sees it. */
  Versioned<Head> seen() {
    return Glance.of(metastore, metastore::head);
  }

  /** The head now, which the calling statement sees from here on. */
  private Head newest() {
    return Glance.anew(metastore, metastore::head).value();
  }

  /** Reads as of a head; where garbage was collected meanwhile, as of the head there is then. */
  <T> T read(Function<Head, T> read) {
    for (int attempt = 1; ; attempt++) {
      Head head = attempt == 1 ? seen().value() : newest();
      try {
        return read.apply(head);
      } catch (LoamException e) {
        if (attempt == ATTEMPTS
            || !isStorage(e)
            || after(e).map(Head::gcEpoch).equals(Optional.of(head.gcEpoch()))) {
          throw explained(e, head);
        }
      }
    }
  }

  StoredManifest find(Head head, VersionSpec spec) {
    if (spec instanceof VersionSpec.At at) {
      return finder.at(head, at.version());
    }
    if (spec instanceof VersionSpec.AsOf asOf) {
      return finder.asOf(head, asOf.time());
    }
    if (spec instanceof VersionSpec.Tag tag) {
      return finder.tagged(head, tag.name());
    }
    return finder.latest(head);
  }

  /** The head's epoch, or nothing where the head is damaged. */
  Optional<Long> gcEpoch() {
    try {
      return Optional.of(newest().gcEpoch());
    } catch (LoamException e) {
      if (isStorage(e)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** What it means for a statement that saw a head that an object is gone. */
  LoamException explained(LoamException failure, Head seen) {
    if (failure.code() != ErrorCode.MISSING_OBJECT) {
      return failure;
    }
    try {
      Head now = newest();
      return now.gcEpoch() == seen.gcEpoch()
          ? failure
          : new LoamException(
              ErrorCode.CONFLICT,
              "garbage was collected while the statement ran: collection=%s, version=%d, oldestRetained=%d; run the statement again"
                  .formatted(name, seen.version(), now.oldestVersion()),
              failure);
    } catch (LoamException e) {
      if (e.code() == ErrorCode.MISSING_OBJECT) {
        return new LoamException(
            ErrorCode.UNKNOWN_COLLECTION,
            "table was dropped while the statement ran: table=" + name + "; create it again",
            failure);
      }
      failure.addSuppressed(e);
      return failure;
    }
  }

  /** What it means for a reader of a version that an object is gone. */
  LoamException explained(LoamException failure, long version) {
    return Optional.of(failure)
        .filter(HeadReads::isStorage)
        .flatMap(this::after)
        .filter(head -> !head.retains(version))
        .map(head -> finder.collected(head, "version=" + version, failure))
        .orElse(failure);
  }

  /** Whether an error may come from objects that are gone. */
  private static boolean isStorage(LoamException e) {
    return e.code() == ErrorCode.MISSING_OBJECT
        || e.code() == ErrorCode.CORRUPT_OBJECT
        || e.code() == ErrorCode.STORE_UNAVAILABLE;
  }

  /** The head after a failure, if it can be read. */
  private Optional<Head> after(LoamException failure) {
    try {
      return Optional.of(newest());
    } catch (LoamException e) {
      failure.addSuppressed(e);
      return Optional.empty();
    }
  }
}
