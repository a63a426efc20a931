package io.varve.grid;

import static com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/// Enforces the order of the packages, and that the engine is seen through its API.
@AnalyzeClasses(packages = "io.varve.grid", importOptions = DoNotIncludeTests.class)
class GridArchitectureTest {
  @ArchTest
  static final ArchRule THE_ENGINE_IS_SEEN_THROUGH_ITS_API =
      noClasses().should().dependOnClassesThat().resideInAPackage("io.varve.internal..");

  @ArchTest
  static final ArchRule COMMANDS_STAND_ABOVE_WHAT_THEY_START =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("commands")
          .definedBy("io.varve.grid")
          .layer("security")
          .definedBy("io.varve.grid.security")
          .layer("cluster")
          .definedBy("io.varve.grid.cluster")
          .layer("node")
          .definedBy("io.varve.grid.node")
          .whereLayer("commands")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("security")
          .mayOnlyBeAccessedByLayers("commands")
          .whereLayer("cluster")
          .mayOnlyBeAccessedByLayers("commands")
          .whereLayer("node")
          .mayOnlyBeAccessedByLayers("commands", "security", "cluster");

  private static final String GUARD = "io.varve.grid.guard";

  /// What connections share is below the protocols, which do not know each other. Memcached states
  /// the ends of entries as Redis does.
  @ArchTest
  static final ArchRule PROTOCOLS_STAND_ON_WHAT_THEY_SHARE =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("guard")
          .definedBy(GUARD)
          .layer("http")
          .definedBy(GUARD + ".http")
          .layer("hotrod")
          .definedBy(GUARD + ".hotrod")
          .layer("memcached")
          .definedBy(GUARD + ".memcached")
          .layer("resp")
          .definedBy(GUARD + ".resp")
          .layer("commands of resp")
          .definedBy(GUARD + ".resp.command")
          .layer("entry")
          .definedBy(GUARD + ".entry")
          .layer("login")
          .definedBy(GUARD + ".login")
          .layer("connection")
          .definedBy(GUARD + ".connection")
          .whereLayer("guard")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("http")
          .mayOnlyBeAccessedByLayers("guard")
          .whereLayer("hotrod")
          .mayOnlyBeAccessedByLayers("guard")
          .whereLayer("memcached")
          .mayOnlyBeAccessedByLayers("guard")
          .whereLayer("resp")
          .mayOnlyBeAccessedByLayers("guard")
          .whereLayer("commands of resp")
          .mayOnlyBeAccessedByLayers("resp", "memcached")
          .whereLayer("entry")
          .mayOnlyBeAccessedByLayers(
              "guard", "http", "hotrod", "memcached", "resp", "commands of resp")
          .whereLayer("login")
          .mayOnlyBeAccessedByLayers(
              "guard", "http", "hotrod", "memcached", "resp", "commands of resp");
}
