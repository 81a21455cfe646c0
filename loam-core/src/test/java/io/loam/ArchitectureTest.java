package io.loam;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.loam.commit.CommitStorage;
import io.loam.commit.KeyLookup;
import io.loam.commit.NewRow;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The arrows between the packages of this module. */
class ArchitectureTest {
  private static final String ROOT = "io.loam";

  /** What each package may use of the others. */
  private static final Map<String, Set<String>> ARROWS =
      Map.ofEntries(
          Map.entry("error", Set.of()),
          Map.entry("doc", Set.of("error")),
          Map.entry("arrow", Set.of("error")),
          Map.entry("store", Set.of("error")),
          Map.entry("schema", Set.of("error")),
          Map.entry("manifest", Set.of("schema", "store", "error", "proto")),
          Map.entry("vector", Set.of("doc", "error")),
          Map.entry("sparse", Set.of("doc", "schema", "error")),
          Map.entry("column", Set.of("arrow", "doc", "schema", "error")),
          Map.entry("text", Set.of("manifest", "store", "doc", "schema", "error")),
          Map.entry("lance", Set.of("arrow", "manifest", "store", "schema", "error")),
          Map.entry("maintain", Set.of("commit", "manifest", "store", "schema", "error")),
          Map.entry("commit", Set.of("manifest", "store", "schema", "error")),
          Map.entry(
              "leaf",
              Set.of(
                  "lance",
                  "text",
                  "column",
                  "sparse",
                  "vector",
                  "manifest",
                  "store",
                  "doc",
                  "schema",
                  "error")),
          Map.entry(
              "verify",
              Set.of(
                  "leaf",
                  "commit",
                  "lance",
                  "text",
                  "column",
                  "sparse",
                  "vector",
                  "manifest",
                  "store",
                  "doc",
                  "schema",
                  "error")),
          Map.entry(
              "index",
              Set.of(
                  "leaf",
                  "maintain",
                  "commit",
                  "lance",
                  "vector",
                  "manifest",
                  "store",
                  "doc",
                  "schema",
                  "error")),
          Map.entry(
              "query",
              Set.of(
                  "leaf",
                  "commit",
                  "lance",
                  "text",
                  "column",
                  "sparse",
                  "vector",
                  "manifest",
                  "store",
                  "doc",
                  "schema",
                  "error")),
          Map.entry(
              "write",
              Set.of(
                  "leaf",
                  "maintain",
                  "commit",
                  "lance",
                  "text",
                  "column",
                  "sparse",
                  "vector",
                  "manifest",
                  "store",
                  "doc",
                  "schema",
                  "error")));

  private static JavaClasses loam;

  @BeforeAll
  static void read() {
    loam =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("/s3testing/"))
            .importPackages(ROOT);
  }

  static Stream<String> packages() {
    return ARROWS.keySet().stream().sorted();
  }

  @ParameterizedTest
  @MethodSource("packages")
  void packageUsesOnlyThoseBelowIt(String name) {
    String[] allowed =
        Stream.concat(Stream.of(name), ARROWS.get(name).stream())
            .map(p -> ROOT + "." + p)
            .toArray(String[]::new);
    classes()
        .that()
        .resideInAPackage(ROOT + "." + name)
        .should()
        .onlyDependOnClassesThat(
            resideOutsideOfPackage(ROOT + "..").or(resideInAnyPackage(allowed)))
        .check(loam);
  }

  @Test
  void everyPackageHasItsArrows() {
    Set<String> found =
        loam.stream()
            .map(JavaClass::getPackageName)
            .filter(p -> !p.equals(ROOT) && !p.equals(ROOT + ".proto"))
            .map(p -> p.substring(ROOT.length() + 1))
            .collect(toSet());
    assertThat(found).isEqualTo(ARROWS.keySet());
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(loam);
  }

  /** The commit protocol has to run without native code, and nobody but the facade drives it. */
  @Test
  void readersAndWritersKnowOnlyTheSeamsOfCommit() {
    classes()
        .that()
        .resideInAnyPackage(ROOT + ".query", ROOT + ".write")
        .should()
        .onlyDependOnClassesThat(
            resideOutsideOfPackage(ROOT + ".commit")
                .or(belongToAnyOf(KeyLookup.class, CommitStorage.class, NewRow.class)))
        .check(loam);
  }

  @Test
  void onlyOnePackageKnowsLance() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".lance")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.lance..")
        .check(loam);
  }

  @Test
  void onlyOnePackageKnowsTantivy() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".text")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.indextables..")
        .check(loam);
  }

  /** Lucene's utilities, such as its sorters, are for all. */
  @Test
  void onlyOnePackageKnowsLucenesSearch() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".text")
        .should()
        .dependOnClassesThat(
            resideInAPackage("org.apache.lucene..")
                .and(resideOutsideOfPackage("org.apache.lucene.util..")))
        .check(loam);
  }

  @Test
  void onlyTheCodecKnowsGeneratedClasses() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".proto")
        .and()
        .haveNameNotMatching("io\\.loam\\.manifest\\.ManifestCodec(\\$.*)?")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT + ".proto")
        .check(loam);
  }
}
