package io.loam.lance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.FileRef;
import io.loam.manifest.RowIdRange;
import io.loam.store.LocalObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LanceFilesTest {
  private static final String COLLECTION = "collections/c1/";

  @TempDir Path folder;
  private LocalObjectStore objects;
  private List<FileRef> files;

  /** A dataset with a data file, a deletion file, a manifest and a transaction. */
  @BeforeEach
  void write() {
    objects = new LocalObjectStore(folder);
    String uri = objects.uri(COLLECTION + "lance");
    List<String> written = new ArrayList<>();
    try (LanceStore store = LanceStore.open(1 << 20, 1 << 20)) {
      store.create(uri, LanceSamples.SCHEMA);
      WrittenFragment fragment =
          store.write(
              uri,
              LanceSamples.SCHEMA,
              1,
              List.of(new RowIdRange(1, 50)),
              LanceSamples.rows(new Random(1), 50));
      CommittedVersion first = store.commit(uri, 1, List.of(fragment), Map.of());
      CommittedVersion second =
          store.commit(uri, first.version(), List.of(), Map.of(1, new int[] {3, 4}));
      written.addAll(fragment.files());
      written.addAll(second.files());
    }
    try (LanceWorkspace inPlace = lance(LanceVerification.SMALL).workspace()) {
      files = written.stream().map(inPlace::describe).toList();
    }
    assertThat(files).hasSize(4);
  }

  @AfterEach
  void close() {
    objects.close();
  }

  private LanceFiles lance(LanceVerification verification) {
    return new LocalLanceFiles(objects, COLLECTION, verification);
  }

  private Path path(FileRef file) {
    return folder.resolve(COLLECTION + file.path());
  }

  private void assertError(LanceVerification verification, FileRef file, ErrorCode code) {
    assertThatThrownBy(() -> lance(verification).source(files.get(3), files))
        .isInstanceOfSatisfying(LoamException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining("path=" + COLLECTION + file.path());
  }

  @Test
  void soundFilesPass() {
    lance(LanceVerification.ALWAYS).source(files.get(3), files);
    assertThat(files).allSatisfy(f -> assertThat(path(f)).hasSize(f.size()));
  }

  @Test
  void oneDamagedByteIsNoticedInEachKindOfFile() throws IOException {
    Random random = new Random(2);
    for (FileRef file : files) {
      byte[] sound = Files.readAllBytes(path(file));
      byte[] damaged = sound.clone();
      damaged[random.nextInt(damaged.length)] ^= 0x10;
      Files.write(path(file), damaged);
      assertError(LanceVerification.SMALL, file, ErrorCode.CORRUPT_OBJECT);
      assertError(LanceVerification.ALWAYS, file, ErrorCode.CORRUPT_OBJECT);
      assertThatCode(() -> lance(LanceVerification.NEVER).source(files.get(3), files))
          .doesNotThrowAnyException();
      Files.write(path(file), sound);
      lance(LanceVerification.SMALL).source(files.get(3), files);
    }
  }

  @Test
  void lengthIsAlwaysChecked() throws IOException {
    FileRef file = files.get(0);
    Files.write(path(file), new byte[] {1, 2, 3});
    assertError(LanceVerification.NEVER, file, ErrorCode.CORRUPT_OBJECT);
  }

  @Test
  void missingFileIsNamed() throws IOException {
    FileRef file = files.get(2);
    Files.delete(path(file));
    assertError(LanceVerification.NEVER, file, ErrorCode.MISSING_OBJECT);
  }
}
