package io.varve.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;
import org.junit.jupiter.api.Test;

/// Files of a package use each other in one direction, in the modules that are built after the
/// engine as well. [FileCirclesTest] has the reason, and compares classes, which these modules do
/// not have when the engine is tested. So this reads their sources: a file uses another if it names
/// its class.
///
/// Three kinds of use do not count, since no other form of the code would be read more easily:
///
/// - A sealed type names its subtypes.
/// - An annotation names the class that a library makes of it.
/// - Public types of an exported package name each other: that is what users call, and its meaning
///   is in its documentation.
class ModuleCirclesTest {
  /// Has a test of its classes of its own.
  private static final Set<String> BY_CLASSES = Set.of("engine", "varve-cache");

  private static final Pattern EXPORTS = Pattern.compile("exports\\s+([\\w.]+)\\s*;");

  @Test
  void noFileIsPartOfACircle() throws IOException {
    List<Path> roots =
        Modules.sourceRoots().stream()
            .filter(root -> !BY_CLASSES.contains(Modules.name(root)))
            .toList();
    assertThat(roots).hasSizeGreaterThan(8);
    Set<Set<String>> circles = new HashSet<>();
    for (Path root : roots) {
      circles.addAll(circles(root));
    }
    assertThat(circles).as("circles of files inside of a package").isEmpty();
  }

  /// Guards the test above by circles that there are: of the API, and of values that name nothing
  /// but interfaces.
  @Test
  void usesAreFound() throws IOException {
    Map<String, SourceFile> files = new HashMap<>();
    Modules.parse(
        List.of(Path.of("src", "main", "java")),
        (unit, _) -> SourceFile.of(unit).ifPresent(file -> files.put(file.name, file)));
    assertThat(files.get("io.varve.Store").named).contains("Space");
    assertThat(files.get("io.varve.Space").named).contains("Store");
    assertThat(files.get("io.varve.internal.wal.StoreLog").named)
        .contains("Log", "CheckpointLog")
        .doesNotContain("Replayed");
  }

  private static List<Set<String>> circles(Path root) throws IOException {
    Map<String, SourceFile> files = new TreeMap<>();
    Modules.parse(
        List.of(root),
        (unit, _) -> SourceFile.of(unit).ifPresent(file -> files.put(file.name, file)));
    Set<String> exported = exported(root);
    Map<String, Set<String>> uses = new TreeMap<>();
    for (SourceFile file : files.values()) {
      Set<String> used = new TreeSet<>();
      for (String name : file.named) {
        SourceFile other = files.get(file.packageName + "." + name);
        boolean isApi =
            other != null && other.isPublic && file.isPublic && exported.contains(file.packageName);
        if (other != null && other != file && !isApi) {
          used.add(other.name);
        }
      }
      uses.put(file.name, used);
    }
    return Circles.of(uses);
  }

  private static Set<String> exported(Path root) throws IOException {
    Set<String> packages = new HashSet<>();
    Path module = root.resolve("module-info.java");
    if (Files.exists(module)) {
      Matcher exports = EXPORTS.matcher(Files.readString(module));
      while (exports.find()) {
        packages.add(exports.group(1));
      }
    }
    return packages;
  }

  /// A file with one class.
  ///
  /// @param name of the class, with its package
  /// @param named the simple names by which it may mean classes of its package
  private record SourceFile(String name, String packageName, boolean isPublic, Set<String> named) {
    static Optional<SourceFile> of(CompilationUnitTree unit) {
      if (unit.getPackageName() == null || unit.getTypeDecls().isEmpty()) {
        return Optional.empty();
      }
      var type = (ClassTree) unit.getTypeDecls().getFirst();
      String packageName = unit.getPackageName().toString();
      var names = new NameScanner();
      names.scan(unit, null);
      names.named.removeAll(names.own);
      return Optional.of(
          new SourceFile(
              packageName + "." + type.getSimpleName(),
              packageName,
              type.getModifiers().getFlags().contains(Modifier.PUBLIC),
              names.named));
    }
  }

  private static final class NameScanner extends TreeScanner<Void, Void> {
    private final Set<String> named = new TreeSet<>();

    /// What the file declares, imports or permits.
    private final Set<String> own = new TreeSet<>();

    @Override
    public Void visitImport(ImportTree tree, Void nothing) {
      String name = tree.getQualifiedIdentifier().toString();
      own.add(name.substring(name.lastIndexOf('.') + 1));
      return null;
    }

    @Override
    public Void visitAnnotation(AnnotationTree annotation, Void nothing) {
      return null;
    }

    @Override
    public Void visitClass(ClassTree type, Void nothing) {
      own.add(type.getSimpleName().toString());
      for (Tree subtype : type.getPermitsClause()) {
        own.add(subtype.toString());
      }
      return super.visitClass(type, nothing);
    }

    @Override
    public Void visitIdentifier(IdentifierTree identifier, Void nothing) {
      named.add(identifier.getName().toString());
      return null;
    }
  }
}
