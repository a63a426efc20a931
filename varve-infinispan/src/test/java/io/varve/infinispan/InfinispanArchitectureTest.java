package io.varve.infinispan;

import static com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.infinispan.util.concurrent.BlockingManager;

/// Enforces what no module path does here: the engine is seen through its API, and entries know
/// nothing of threads.
@AnalyzeClasses(packages = "io.varve.infinispan", importOptions = DoNotIncludeTests.class)
class InfinispanArchitectureTest {
  @ArchTest
  static final ArchRule THE_STORE_IS_SEEN_THROUGH_ITS_API =
      noClasses().should().dependOnClassesThat().resideInAPackage("io.varve.internal..");

  @ArchTest
  static final ArchRule ENTRIES_KNOW_NO_THREADS =
      noClasses()
          .that()
          .haveSimpleNameStartingWith("Entry")
          .and()
          .doNotHaveSimpleName("EntryPublishers")
          .or()
          .haveSimpleName("CacheEntries")
          .should()
          .dependOnClassesThat()
          .areAssignableTo(BlockingManager.class)
          .orShould()
          .dependOnClassesThat()
          .resideInAPackage("io.reactivex..");
}
