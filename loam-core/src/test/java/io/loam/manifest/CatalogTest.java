package io.loam.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.SealedJson;
import io.loam.store.LocalObjectStore;
import io.loam.store.ObjectStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CatalogTest {
  @TempDir Path folder;
  private ObjectStore store;
  private Catalog catalog;

  @BeforeEach
  void open() {
    store = new LocalObjectStore(folder);
    catalog = new Catalog(store);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void namesAreFoundInAnyCaseAndListedAsDeclared() {
    assertThat(catalog.find("Main", "Docs")).isEmpty();
    assertThat(catalog.schemas()).isEmpty();
    assertThat(catalog.create("Main", "Docs", "c1")).isTrue();
    assertThat(catalog.create("MAIN", "docs", "c2")).isFalse();
    assertThat(catalog.create("main", "Authors", "c3")).isTrue();
    assertThat(catalog.create("other", "Docs", "c4")).isTrue();
    assertThat(catalog.find("mAIN", "dOCS")).contains("c1");
    assertThat(catalog.list("main")).containsExactly("Authors", "Docs");
    assertThat(catalog.list("none")).isEmpty();
    assertThat(catalog.schemas()).hasSize(2).contains("other");
    assertThat(folder.resolve("catalog/main/docs.json")).exists();
  }

  @Test
  void entryKnowsTheCollectionsThatItDropped() {
    catalog.create("main", "docs", "c1");
    assertThat(catalog.dropped("main", "docs")).isEmpty();
    catalog.drop("main", "docs");
    catalog.create("main", "docs", "c2");
    catalog.drop("main", "docs");
    catalog.create("main", "docs", "c3");
    assertThat(catalog.dropped("main", "Docs").orElseThrow().ids()).containsExactly("c1", "c2");
    catalog.forget("main", "docs", Set.of("c1"));
    assertThat(catalog.dropped("main", "docs").orElseThrow().ids()).containsExactly("c2");
    assertThat(catalog.find("main", "docs")).contains("c3");
    catalog.forget("main", "docs", Set.of("c2"));
    assertThat(catalog.dropped("main", "docs")).isEmpty();
    assertThat(catalog.dropped("main", "none")).isEmpty();
  }

  @Test
  void entryOfTheFormatBeforeIsRead() {
    byte[] before =
        SealedJson.seal(
            SealedJson.ofFormat(1)
                .put("schema", "main")
                .put("name", "docs")
                .put("collection", "c1")
                .put("write", "w"));
    store.putIfAbsent("catalog/main/docs.json", before);
    assertThat(catalog.find("main", "docs")).contains("c1");
    catalog.drop("main", "docs");
    assertThat(catalog.dropped("main", "docs").orElseThrow().ids()).containsExactly("c1");
  }

  @Test
  void droppedNameCanBeTakenAgain() {
    catalog.create("main", "docs", "c1");
    assertThat(catalog.drop("main", "DOCS")).isTrue();
    assertThat(catalog.drop("main", "docs")).isFalse();
    assertThat(catalog.drop("main", "none")).isFalse();
    assertThat(catalog.find("main", "docs")).isEmpty();
    assertThat(catalog.list("main")).isEmpty();
    assertThat(catalog.schemas()).isEmpty();
    assertThat(catalog.create("main", "Docs", "c2")).isTrue();
    assertThat(catalog.create("main", "docs", "c3")).isFalse();
    assertThat(catalog.find("main", "docs")).contains("c2");
    assertThat(catalog.list("main")).containsExactly("Docs");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"..", ".", "a/b", "../../x", "a b", "ü", "数据", "😀", "%2e", "a.json", "\0", "$x"})
  void oddNamesAreNames(String name) {
    assertThat(catalog.create(name, name, "c1")).isTrue();
    assertThat(catalog.find(name, name)).contains("c1");
    assertThat(catalog.list(name)).containsExactly(name);
    assertThat(catalog.schemas()).containsExactly(name);
    assertThat(store.list("catalog/")).hasSize(1);
  }

  @Test
  void namesThatCannotBeAreRefused() {
    assertRefused("", ErrorCode.INVALID_ARGUMENT);
    assertRefused("x".repeat(201), ErrorCode.LIMIT_EXCEEDED);
    assertRefused("数".repeat(23), ErrorCode.LIMIT_EXCEEDED);
    assertRefused("\ud800", ErrorCode.INVALID_TEXT);
    assertThat(catalog.create("s", "x".repeat(200), "c")).isTrue();
    assertThat(catalog.create("s", "数".repeat(22), "c")).isTrue();
  }

  private void assertRefused(String name, ErrorCode code) {
    for (List<String> names : List.of(List.of("s", name), List.of(name, "n"))) {
      assertThatThrownBy(() -> catalog.create(names.get(0), names.get(1), "c"))
          .isInstanceOfSatisfying(LoamException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
  }

  @Test
  void entryUnderAnotherNameIsNoticed() throws Exception {
    catalog.create("main", "docs", "c1");
    Path file = folder.resolve("catalog/main/docs.json");
    Files.copy(file, file.resolveSibling("other.json"));
    assertThatThrownBy(() -> catalog.find("main", "other"))
        .hasMessageContaining("catalog/main/other.json");
    byte[] bytes = Files.readAllBytes(file);
    bytes[20] ^= 1;
    Files.write(file, bytes);
    assertThatThrownBy(() -> catalog.find("main", "docs"))
        .hasMessageContaining("catalog/main/docs.json");
  }
}
