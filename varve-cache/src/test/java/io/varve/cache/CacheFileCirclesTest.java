package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SliceRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Files of a package use each other in one direction, so that each can be read before those that
/// use it. That a sealed type names its subtypes does not count: the language asks for it.
@AnalyzeClasses(packages = "io.varve.cache", importOptions = DoNotIncludeTests.class)
class CacheFileCirclesTest {
  @ArchTest
  void noFileIsPartOfACircle(JavaClasses cache) {
    Set<JavaPackage> packages =
        cache.stream().map(JavaClass::getPackage).collect(Collectors.toSet());
    assertThat(packages).hasSizeGreaterThan(4);
    packages.forEach(of -> withoutSealing(filesOf(of), of).allowEmptyShould(true).check(cache));
  }

  private static SliceRule filesOf(JavaPackage of) {
    return SlicesRuleDefinition.slices()
        .assignedFrom(new Files(of.getName()))
        .should()
        .beFreeOfCycles();
  }

  private static SliceRule withoutSealing(SliceRule rule, JavaPackage of) {
    SliceRule result = rule;
    for (JavaClass type : of.getClasses()) {
      Class<?> sealed = type.reflect();
      for (Class<?> permitted :
          sealed.isSealed() ? List.of(sealed.getPermittedSubclasses()) : List.<Class<?>>of()) {
        result = result.ignoreDependency(sealed, permitted);
      }
    }
    return result;
  }

  /// Each top-level class of one package, with what is nested in it.
  private record Files(String packageName) implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      if (!type.getPackageName().equals(packageName)) {
        return SliceIdentifier.ignore();
      }
      String name = type.getName();
      int nested = name.indexOf('$');
      return SliceIdentifier.of(nested < 0 ? name : name.substring(0, nested));
    }

    @Override
    public String getDescription() {
      return "files of " + packageName;
    }
  }
}
