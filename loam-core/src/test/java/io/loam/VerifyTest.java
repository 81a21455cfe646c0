package io.loam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.LoamException;
import io.loam.manifest.FileRef;
import io.loam.manifest.Manifest;
import io.loam.query.VersionSpec;
import io.loam.verify.Finding;
import io.loam.verify.Verification;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every kind of damage is found, and named by the object that has it. */
class VerifyTest {
  private static final CollectionName DOCS = DamageTrials.DOCS;
  private static final VersionSpec NEWEST = new VersionSpec.Latest();

  @TempDir Path folder;
  private Path warehouse;
  private int opened;

  @BeforeEach
  void fill() {
    warehouse = folder.resolve("warehouse");
    DamageTrials.fill(warehouse, folder.resolve("cache"));
  }

  private Verification verify(VersionSpec version) {
    Path cache = folder.resolve("cache" + opened++);
    try (Warehouse open = Warehouse.open(new WarehouseOptions(warehouse, cache, 0))) {
      return open.get(DOCS).verify(version);
    }
  }

  private List<Manifest> manifests() {
    try (Warehouse open =
        Warehouse.open(new WarehouseOptions(warehouse, folder.resolve("cache"), 0))) {
      return open.get(DOCS).manifests();
    }
  }

  private static String collection(Manifest manifest) {
    return manifest.schemaPath().replaceFirst("schemas/.*", "");
  }

  @Test
  void soundVersionsHaveNoFindings() {
    for (Manifest manifest : manifests()) {
      Verification found = verify(new VersionSpec.At(manifest.version()));
      assertThat(found.findings()).as("version %d", manifest.version()).isEmpty();
      assertThat(found.version()).isEqualTo(manifest.version());
      assertThat(found.documents()).isEqualTo(manifest.liveDocuments());
      assertThat(found.objects()).isEqualTo(manifest.files().size());
      assertThat(found.bytes()).isEqualTo(manifest.files().stream().mapToLong(FileRef::size).sum());
    }
    assertThatThrownBy(() -> verify(new VersionSpec.At(99)))
        .isInstanceOf(LoamException.class)
        .hasMessageContaining("version=99");
  }

  /** Lance would end the process on some of these, were it asked to read them. */
  @Test
  void p10_everyDamagedObjectIsFound() throws IOException {
    Manifest newest = manifests().get(0);
    Set<String> objects = new TreeSet<>(List.of(newest.schemaPath()));
    newest.files().forEach(file -> objects.add(collection(newest) + file.path()));
    for (String name : List.of("head", "ids")) {
      objects.add(collection(newest) + name);
    }
    try (var manifests = Files.list(warehouse.resolve(collection(newest) + "manifests"))) {
      manifests.forEach(file -> objects.add(warehouse.relativize(file).toString()));
    }
    assertThat(objects).hasSizeGreaterThan(25);
    for (String object : objects) {
      Path file = warehouse.resolve(object);
      byte[] content = Files.readAllBytes(file);
      byte[] flipped = content.clone();
      flipped[content.length / 2] ^= 0x10;
      for (byte[] damaged :
          List.of(flipped, Arrays.copyOf(content, content.length / 2), new byte[0])) {
        Files.write(file, damaged);
        assertFinds(object);
      }
      Files.delete(file);
      assertFinds(object);
      Files.write(file, content);
    }
    assertThat(verify(NEWEST).findings()).isEmpty();
  }

  private void assertFinds(String object) {
    assertThat(verify(NEWEST).findings())
        .extracting(Finding::object)
        .as("findings of a damaged %s", object)
        .contains(object);
  }

  @Test
  void damageIsFoundWhereItIsNotInTheNewestVersion() throws IOException {
    List<Manifest> manifests = manifests();
    Manifest newest = manifests.get(0);
    Set<FileRef> needed = Set.copyOf(newest.files());
    FileRef old =
        manifests.get(1).files().stream()
            .filter(f -> !needed.contains(f))
            .findFirst()
            .orElseThrow();
    Files.delete(warehouse.resolve(collection(newest) + old.path()));
    assertThat(verify(NEWEST).findings()).isEmpty();
    assertThat(verify(new VersionSpec.At(newest.version() - 1)).findings())
        .containsExactly(
            new Finding(collection(newest) + old.path(), "missing", "expectedBytes=" + old.size()));
  }
}
