package io.loam.index;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.leaf.CollectionFiles;
import io.loam.leaf.OpenVersion;
import io.loam.leaf.VersionOpener;
import io.loam.manifest.Manifest;
import io.loam.manifest.Metastore;

/** Builds parts in this process, one after another. */
public final class LocalParts implements PartRunner {
  private final Metastore metastore;
  private final CollectionFiles files;
  private final VersionOpener versions;

  public LocalParts(Metastore metastore, CollectionFiles files, VersionOpener versions) {
    this.metastore = metastore;
    this.files = files;
    this.versions = versions;
  }

  @Override
  public void run(String planPath, BuildPlan plan, Progress progress) {
    for (int part = 0; part < plan.parts().size(); part++) {
      run(plan, part, progress::checkpoint);
      progress.built();
    }
  }

  /**
   * Builds one part of a stored plan.
   *
   * @param part counted from 0
   */
  public void run(String planPath, int part, Runnable checkpoint) {
    byte[] content =
        files
            .store()
            .get(planPath)
            .orElseThrow(
                () ->
                    new LoamException(
                        ErrorCode.MISSING_OBJECT,
                        "no such plan: path=" + planPath + "; plan the index again"))
            .content();
    run(BuildPlan.decode(content, planPath), part, checkpoint);
  }

  private void run(BuildPlan plan, int part, Runnable checkpoint) {
    if (part < 0 || part >= plan.parts().size()) {
      throw new LoamException(
          ErrorCode.INVALID_ARGUMENT,
          "no such part of the plan: part=%d, parts=%d; count from 0"
              .formatted(part, plan.parts().size()));
    }
    Manifest manifest = metastore.readManifest(plan.manifestPath());
    OpenVersion version = versions.acquire(manifest, metastore.readSchema(manifest.schemaPath()));
    try {
      new PartBuilder(files, version, plan, checkpoint).build(plan.parts().get(part));
    } finally {
      versions.release(version);
    }
  }
}
