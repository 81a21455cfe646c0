package io.loam.write;

import io.loam.commit.CommitStorage.Contents;
import io.loam.lance.CommittedVersion;
import io.loam.lance.LanceFiles;
import io.loam.lance.LanceWorkspace;
import io.loam.leaf.CollectionFiles;
import io.loam.manifest.FileRef;
import io.loam.manifest.Manifest;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.schema.TypeKind;
import java.util.List;

/**
 * What another schema changes in data files: nothing, except that the dataset gets columns for new
 * vector fields. Rows that are there have no values of new fields, and those of dropped fields are
 * not read any more.
 */
final class AddedColumns {
  private final CollectionFiles files;

  AddedColumns(CollectionFiles files) {
    this.files = files;
  }

  Contents alter(Manifest parent, CollectionSchema before, CollectionSchema after) {
    boolean more =
        after.fields().stream()
            .anyMatch(f -> isColumn(f) && f.number() >= before.nextFieldNumber());
    return more
        ? withColumns(parent, after)
        : contents(parent, parent.lanceVersion(), parent.lanceManifest(), List.of());
  }

  private static boolean isColumn(Field field) {
    return field.kind() == TypeKind.VECTOR || field.kind() == TypeKind.SPARSEVECTOR;
  }

  private Contents withColumns(Manifest parent, CollectionSchema after) {
    try (LanceWorkspace workspace = files.lanceFiles().workspace()) {
      workspace.bring(List.of(parent.lanceManifest()));
      CommittedVersion committed =
          files.lance().addColumns(workspace.uri(), parent.lanceVersion(), after);
      FileRef manifest = workspace.describe(committed.manifestFile());
      workspace.publish(List.of(committed.manifestFile()));
      return contents(
          parent,
          committed.version(),
          manifest,
          List.of(files.folder() + LanceFiles.FOLDER + committed.manifestFile()));
    }
  }

  private static Contents contents(
      Manifest parent, long lanceVersion, FileRef lanceManifest, List<String> staged) {
    return new Contents(
        lanceVersion,
        lanceManifest,
        parent.splits(),
        parent.fragments(),
        parent.tail(),
        parent.liveDocuments(),
        staged);
  }
}
