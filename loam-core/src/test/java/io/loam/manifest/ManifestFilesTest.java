package io.loam.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Garbage collection trusts {@link Manifest#files}: it may leave out nothing. */
class ManifestFilesTest {
  @Test
  void p9_filesAreAllThatTheManifestNames() throws Exception {
    RandomManifests manifests = new RandomManifests(9);
    for (int i = 0; i < 50; i++) {
      Manifest manifest = manifests.next();
      List<FileRef> named = new ArrayList<>();
      collect(manifest, named);
      assertThat(manifest.files()).containsExactlyInAnyOrderElementsOf(named);
    }
  }

  /** Every {@link FileRef} in the records, whatever components they have. */
  private static void collect(Object value, List<FileRef> into) throws Exception {
    if (value instanceof FileRef file) {
      into.add(file);
    } else if (value instanceof Collection<?> items) {
      for (Object item : items) {
        collect(item, into);
      }
    } else if (value instanceof Map<?, ?> map) {
      collect(map.values(), into);
    } else if (value instanceof Optional<?> optional && optional.isPresent()) {
      collect(optional.get(), into);
    } else if (value instanceof Record) {
      for (RecordComponent component : value.getClass().getRecordComponents()) {
        collect(component.getAccessor().invoke(value), into);
      }
    }
  }
}
