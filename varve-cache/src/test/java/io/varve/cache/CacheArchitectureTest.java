package io.varve.cache;

import static com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/// Keeps the packages in the order that package-info gives them.
@AnalyzeClasses(packages = "io.varve.cache", importOptions = DoNotIncludeTests.class)
class CacheArchitectureTest {
  /// The exported package is below all, since it names marshallers and options, except its two
  /// entries: the provider makes managers, and the factory of marshallers makes those.
  @ArchTest
  static final ArchRule LAYERS =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("jcache")
          .definedBy("io.varve.cache.internal.jcache..")
          .layer("container")
          .definedBy("io.varve.cache.internal.container..")
          .layer("marshal")
          .definedBy("io.varve.cache.internal.marshal..")
          .whereLayer("jcache")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("container")
          .mayOnlyBeAccessedByLayers("jcache")
          .whereLayer("marshal")
          .mayOnlyBeAccessedByLayers("container");

  /// What runs jobs is seen by what describes them, and by nothing else.
  @ArchTest
  static final ArchRule ONLY_JOBS_SEE_HOW_THEY_RUN =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "io.varve.cache.mapreduce..", "io.varve.cache.internal.mapreduce..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.varve.cache.internal.mapreduce..");

  @ArchTest
  static final ArchRule ONLY_THE_PROVIDER_SEES_JCACHE_INTERNALS =
      noClasses()
          .that()
          .resideInAPackage("io.varve.cache")
          .and()
          .doNotHaveSimpleName("VarveCachingProvider")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.varve.cache.internal.jcache..",
              "io.varve.cache.internal.container..",
              "io.varve.cache.internal.file..");

  /// So that a program without a file of caches needs no library that reads one.
  @ArchTest
  static final ArchRule ONLY_FILES_OF_CACHES_KNOW_YAML =
      classes()
          .that()
          .resideInAPackage("org.yaml..")
          .should()
          .onlyHaveDependentClassesThat()
          .resideInAPackage("io.varve.cache.internal.file..")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule THE_STORE_IS_SEEN_THROUGH_ITS_API =
      noClasses().should().dependOnClassesThat().resideInAPackage("io.varve.internal..");

  @ArchTest
  static final ArchRule ONLY_CONTAINERS_KNOW_CAFFEINE =
      classes()
          .that()
          .resideInAPackage("com.github.benmanes.caffeine..")
          .should()
          .onlyHaveDependentClassesThat()
          .resideInAPackage("io.varve.cache.internal.container..")
          .allowEmptyShould(true);
}
