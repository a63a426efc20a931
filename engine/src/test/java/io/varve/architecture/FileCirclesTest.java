package io.varve.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Files of a package use each other in one direction, so that each can be read before those that
/// use it. A circle of files has to be read as a whole.
///
/// No circle is excepted by name. Two kinds of use do not count, since no other form of the code
/// would be read more easily:
///
/// - A sealed type names its subtypes. The language asks for that, and a switch over them is what
///   it is sealed for.
/// - An interface of an exported package names interfaces: a store opens a space, which names its
///   store. Those are signatures, and their meaning is in their documentation.
@AnalyzeClasses(packages = "io.varve", importOptions = ArchitectureTest.EngineOnly.class)
class FileCirclesTest {
  private static final Set<String> EXPORTED =
      Set.of("io.varve", "io.varve.admin", "io.varve.item", "io.varve.spi");

  @ArchTest
  void noFileIsPartOfACircle(JavaClasses engine) {
    assertThat(circles(engine)).as("circles of files inside of a package").isEmpty();
  }

  /// Guards the test above, and what it does not count, by a circle that there is.
  @ArchTest
  void interfacesOfTheApiWouldBeACircle(JavaClasses engine) {
    JavaClass store = engine.get("io.varve.Store");
    JavaClass space = engine.get("io.varve.Space");
    assertThat(areInterfacesOfTheApi(store, space)).isTrue();
    assertThat(areInterfacesOfTheApi(store, engine.get("io.varve.Table"))).isFalse();
    assertThat(Circles.of(Map.of("a", Set.of("b"), "b", Set.of("a", "c"))))
        .containsExactly(Set.of("a", "b"));
  }

  private static List<Set<String>> circles(JavaClasses engine) {
    Map<String, Set<String>> uses = new TreeMap<>();
    for (JavaClass type : engine) {
      type.getDirectDependenciesFromSelf().stream()
          .map(used -> used.getTargetClass().getBaseComponentType())
          .filter(used -> engine.contain(used.getName()))
          .filter(used -> used.getPackageName().equals(type.getPackageName()))
          .filter(used -> !isSealedFor(type, used) && !areInterfacesOfTheApi(type, used))
          .forEach(used -> uses.computeIfAbsent(file(type), _ -> new TreeSet<>()).add(file(used)));
    }
    return Circles.of(uses);
  }

  private static boolean isSealedFor(JavaClass type, JavaClass used) {
    Class<?> sealed = type.reflect();
    return sealed.isSealed() && List.of(sealed.getPermittedSubclasses()).contains(used.reflect());
  }

  private static boolean areInterfacesOfTheApi(JavaClass type, JavaClass used) {
    return type.isInterface() && used.isInterface() && EXPORTED.contains(type.getPackageName());
  }

  /// The name of the top-level class, without that of the engine's packages.
  private static String file(JavaClass type) {
    String name = type.getName();
    int nested = name.indexOf('$');
    return (nested < 0 ? name : name.substring(0, nested)).substring("io.varve.".length());
  }
}
