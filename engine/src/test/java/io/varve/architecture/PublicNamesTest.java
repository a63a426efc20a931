package io.varve.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExportsTree;
import com.sun.source.tree.ModuleTree;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.lang.model.element.Modifier;
import org.junit.jupiter.api.Test;

/// Public types of the exported packages have names of their own: a program that imports all of two
/// packages could else use neither of two types.
class PublicNamesTest {
  /// A marker of items, and a field of objects: a program has either items or tables of objects in
  /// one file, and both words are those of their models.
  private static final Set<String> SHARED = Set.of("Attribute");

  @Test
  void exportedTypesHaveNamesOfTheirOwn() throws IOException {
    Set<String> exported = new TreeSet<>();
    Map<String, Set<String>> packagesByName = new TreeMap<>();
    Modules.parse(
        Modules.sourceRoots(),
        (unit, _) -> {
          addExported(unit, exported);
          addPublicTypes(unit, packagesByName);
        });
    assertThat(exported).contains("io.varve", "io.varve.cache", "io.varve.query");
    packagesByName.values().forEach(packages -> packages.retainAll(exported));
    packagesByName.values().removeIf(packages -> packages.size() < 2);
    assertThat(packagesByName.keySet())
        .as("names that several exported packages have: %s", packagesByName)
        .isEqualTo(SHARED);
  }

  private static void addExported(CompilationUnitTree unit, Set<String> exported) {
    ModuleTree module = unit.getModule();
    if (module != null) {
      module.getDirectives().stream()
          .filter(ExportsTree.class::isInstance)
          .map(ExportsTree.class::cast)
          .filter(exports -> exports.getModuleNames() == null)
          .forEach(exports -> exported.add(exports.getPackageName().toString()));
    }
  }

  private static void addPublicTypes(
      CompilationUnitTree unit, Map<String, Set<String>> packagesByName) {
    unit.getTypeDecls().stream()
        .filter(ClassTree.class::isInstance)
        .map(ClassTree.class::cast)
        .filter(type -> type.getModifiers().getFlags().contains(Modifier.PUBLIC))
        .forEach(type ->
            packagesByName
                .computeIfAbsent(type.getSimpleName().toString(), _ -> new TreeSet<>())
                .add(Objects.requireNonNull(unit.getPackageName()).toString()));
  }
}
