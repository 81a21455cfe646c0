package io.loam.calcite;

import io.loam.Collection;
import io.loam.calcite.parser.Listings;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.query.VersionSpec;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.calcite.schema.Table;

/** Tables about one collection: their names are the collection's with a suffix. */
final class SystemTables {
  /** Makes the table about a collection at a version. */
  interface Maker {
    Table make(Collection collection, VersionSpec version);
  }

  private static final Map<String, Maker> BY_SUFFIX =
      Map.of(
          "$files",
          FilesTable::new,
          "$maintenance",
          (collection, version) -> new MaintenanceTable(unversioned(collection, version)),
          "$manifests",
          (collection, version) -> new ManifestsTable(unversioned(collection, version)),
          "$segments",
          SegmentsTable::new,
          "$splits",
          SplitsTable::new,
          "$tags",
          (collection, version) -> new TagsTable(unversioned(collection, version)),
          Listings.COLUMNS,
          (collection, version) -> new ColumnsTable(collection.schema(version)));

  private SystemTables() {}

  /** A collection for a table about all of its versions. */
  private static Collection unversioned(Collection collection, VersionSpec version) {
    if (version instanceof VersionSpec.Latest) {
      return collection;
    }
    throw new LoamException(
        ErrorCode.UNSUPPORTED,
        "a table about all versions has none itself: collection=%s; leave%s out"
            .formatted(collection.name(), VersionedName.describe(version)));
  }

  static Optional<Maker> maker(String name) {
    return suffix(name).map(BY_SUFFIX::get);
  }

  /** The name of the collection that a system table is about; other names as they are. */
  static String collection(String name) {
    return name.substring(0, name.length() - suffix(name).map(String::length).orElse(0));
  }

  private static Optional<String> suffix(String name) {
    String folded = name.toLowerCase(Locale.ROOT);
    return BY_SUFFIX.keySet().stream().filter(folded::endsWith).findFirst();
  }

  /** What the names of system tables end in. */
  static Stream<String> suffixes() {
    return BY_SUFFIX.keySet().stream().sorted();
  }
}
