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
}
