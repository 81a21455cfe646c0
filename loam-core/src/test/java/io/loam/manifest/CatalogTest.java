package io.loam.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.SealedJson;
import io.loam.store.HookedStore;
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

  private boolean create(String schema, String name, String id) {
    return catalog.begin(schema, name, id) && catalog.finish(schema, name, id);
  }

  private List<String> dropped(String schema, String name) {
    return catalog.leftovers(schema, name).dropped();
  }

  @Test
  void namesAreFoundInAnyCaseAndListedAsDeclared() {
    assertThat(catalog.find("Main", "Docs")).isEmpty();
    assertThat(catalog.schemas()).isEmpty();
    assertThat(create("Main", "Docs", "c1")).isTrue();
    assertThat(create("MAIN", "docs", "c2")).isFalse();
    assertThat(create("main", "Authors", "c3")).isTrue();
    assertThat(create("other", "Docs", "c4")).isTrue();
    assertThat(catalog.find("mAIN", "dOCS")).contains("c1");
    assertThat(catalog.list("main")).containsExactly("Authors", "Docs");
    assertThat(catalog.list("none")).isEmpty();
    assertThat(catalog.schemas()).hasSize(2).contains("other");
    assertThat(folder.resolve("catalog/main/docs.json")).exists();
  }

  @Test
  void entryKnowsTheCollectionsThatItDropped() {
    create("main", "docs", "c1");
    assertThat(dropped("main", "docs")).isEmpty();
    catalog.drop("main", "docs");
    create("main", "docs", "c2");
    catalog.drop("main", "docs");
    create("main", "docs", "c3");
    assertThat(dropped("main", "Docs")).containsExactly("c1", "c2");
    catalog.forget("main", "docs", Set.of("c1"));
    assertThat(dropped("main", "docs")).containsExactly("c2");
    assertThat(catalog.find("main", "docs")).contains("c3");
    catalog.forget("main", "docs", Set.of("c2"));
    assertThat(dropped("main", "docs")).isEmpty();
    assertThat(dropped("main", "none")).isEmpty();
  }

  @Test
  void entryOfTheFormatBeforeIsRead() {
    byte[] before =
        SealedJson.seal(
            ((ObjectNode)
                    SealedJson.ofFormat(2)
                        .put("schema", "main")
                        .put("name", "docs")
                        .put("collection", "c1")
                        .set("dropped", JsonNodeFactory.instance.arrayNode().add("c0")))
                .put("write", "w"));
    store.putIfAbsent("catalog/main/docs.json", before);
    assertThat(catalog.find("main", "docs")).contains("c1");
    catalog.drop("main", "docs");
    assertThat(dropped("main", "docs")).containsExactly("c0", "c1");
  }

  @Test
  void collectionThatWasBegunIsFinishedOrAbandoned() {
    assertThat(catalog.begin("main", "Docs", "c1")).isTrue();
    assertThat(catalog.begin("main", "docs", "c2")).isTrue();
    assertThat(catalog.begin("main", "docs", "c3")).isTrue();
    assertThat(catalog.find("main", "docs")).isEmpty();
    assertThat(catalog.list("main")).isEmpty();
    assertThat(catalog.leftovers("main", "docs").unfinished()).containsExactly("c1", "c2", "c3");

    assertThat(catalog.abandon("main", "docs", "c2")).isTrue();
    assertThat(catalog.finish("main", "docs", "c2")).isFalse();
    assertThat(catalog.find("main", "docs")).isEmpty();
    assertThat(catalog.finish("main", "docs", "c1")).isTrue();
    assertThat(catalog.finish("main", "docs", "c1")).as("said again").isTrue();
    assertThat(catalog.abandon("main", "docs", "c1")).isFalse();
    assertThat(catalog.finish("main", "docs", "c3")).isFalse();
    assertThat(catalog.begin("main", "docs", "c4")).isFalse();

    assertThat(catalog.find("main", "docs")).contains("c1");
    Catalog.Leftovers left = catalog.leftovers("main", "docs");
    assertThat(left.dropped()).containsExactly("c2");
    assertThat(left.unfinished()).containsExactly("c3");
    catalog.forget("main", "docs", Set.of("c2", "c3"));
    assertThat(catalog.leftovers("main", "docs").isEmpty()).isTrue();
    assertThat(catalog.find("main", "docs")).contains("c1");
  }

  @Test
  void changesWhoseAnswerIsLostAreDoneOnce() {
    HookedStore forgetful = new HookedStore(store, (operation, path) -> {});
    Catalog unsure = new Catalog(forgetful);
    forgetful.loseNextAnswer();
    assertThat(unsure.begin("main", "docs", "c1")).isTrue();
    forgetful.loseNextAnswer();
    assertThat(unsure.finish("main", "docs", "c1")).isTrue();
    assertThat(unsure.leftovers("main", "docs").isEmpty()).isTrue();
    assertThat(catalog.find("main", "docs")).contains("c1");
  }

  @Test
  void droppedNameCanBeTakenAgain() {
    create("main", "docs", "c1");
    assertThat(catalog.drop("main", "DOCS")).isTrue();
    assertThat(catalog.drop("main", "docs")).isFalse();
    assertThat(catalog.drop("main", "none")).isFalse();
    assertThat(catalog.find("main", "docs")).isEmpty();
    assertThat(catalog.list("main")).isEmpty();
    assertThat(catalog.schemas()).isEmpty();
    assertThat(create("main", "Docs", "c2")).isTrue();
    assertThat(create("main", "docs", "c3")).isFalse();
    assertThat(catalog.find("main", "docs")).contains("c2");
    assertThat(catalog.list("main")).containsExactly("Docs");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"..", ".", "a/b", "../../x", "a b", "ü", "数据", "😀", "%2e", "a.json", "\0", "$x"})
  void oddNamesAreNames(String name) {
    assertThat(create(name, name, "c1")).isTrue();
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
    assertThat(create("s", "x".repeat(200), "c")).isTrue();
    assertThat(create("s", "数".repeat(22), "c")).isTrue();
  }

  private void assertRefused(String name, ErrorCode code) {
    for (List<String> names : List.of(List.of("s", name), List.of(name, "n"))) {
      assertThatThrownBy(() -> create(names.get(0), names.get(1), "c"))
          .isInstanceOfSatisfying(LoamException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
  }

  @Test
  void entryUnderAnotherNameIsNoticed() throws Exception {
    create("main", "docs", "c1");
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
