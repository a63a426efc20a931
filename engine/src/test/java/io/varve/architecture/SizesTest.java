package io.varve.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Holds classes, methods and constructors of all modules to a size that a reader can hold in mind.
/// There is no list of what may be larger.
class SizesTest {
  private static final int CLASS_LINES_MAX = 600;
  private static final int METHOD_LINES_MAX = 60;
  private static final int CONSTRUCTOR_PARAMETERS_MAX = 6;

  private static final Set<String> longClasses = new TreeSet<>();
  private static final Set<String> longMethods = new TreeSet<>();
  private static final Set<String> wideConstructors = new TreeSet<>();
  private static int classCount;

  @BeforeAll
  static void measure() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (Path root : sourceRoots()) {
      try (Stream<Path> files = Files.walk(root)) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
      }
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (var manager = compiler.getStandardFileManager(null, null, null)) {
      var task =
          (JavacTask)
              compiler.getTask(
                  null,
                  manager,
                  null,
                  List.of("-proc:none"),
                  null,
                  manager.getJavaFileObjectsFromPaths(sources));
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse()) {
        new Measurement(unit, positions).scan(unit, null);
      }
    }
  }

  /// The main code of the modules: directories next to the engine's.
  private static List<Path> sourceRoots() throws IOException {
    try (Stream<Path> modules = Files.list(Path.of("").toAbsolutePath().getParent())) {
      return modules
          .map(module -> module.resolve(Path.of("src", "main", "java")))
          .filter(Files::isDirectory)
          .toList();
    }
  }

  /// Guards the tests below: with nothing measured, each of them would hold.
  @Test
  void allModulesAreMeasured() throws IOException {
    assertThat(classCount).isGreaterThan(1000);
    assertThat(sourceRoots()).hasSizeGreaterThan(8);
  }

  @Test
  void classesAreShort() {
    assertThat(longClasses).as("classes whose files have over %s lines", CLASS_LINES_MAX).isEmpty();
  }

  @Test
  void methodsAreShort() {
    assertThat(longMethods).as("methods of over %s lines", METHOD_LINES_MAX).isEmpty();
  }

  /// A record names the values that belong together; those of records themselves do not count.
  @Test
  void constructorsTakeFewParameters() {
    assertThat(wideConstructors)
        .as("constructors of over %s parameters", CONSTRUCTOR_PARAMETERS_MAX)
        .isEmpty();
  }

  /// Measures one file.
  private static final class Measurement extends TreePathScanner<Void, Void> {
    private final CompilationUnitTree unit;
    private final LineMap lines;
    private final SourcePositions positions;

    Measurement(CompilationUnitTree unit, SourcePositions positions) {
      this.unit = unit;
      this.lines = unit.getLineMap();
      this.positions = positions;
    }

    private long linesOf(Tree tree) {
      long first = lines.getLineNumber(positions.getStartPosition(unit, tree));
      return lines.getLineNumber(positions.getEndPosition(unit, tree)) - first + 1;
    }

    @Override
    public Void visitClass(ClassTree type, Void nothing) {
      classCount++;
      boolean isFile = getCurrentPath().getParentPath().getLeaf() == unit;
      if (isFile && lines.getLineNumber(positions.getEndPosition(unit, type)) > CLASS_LINES_MAX) {
        longClasses.add(type.getSimpleName().toString());
      }
      return super.visitClass(type, nothing);
    }

    @Override
    public Void visitMethod(MethodTree method, Void nothing) {
      var owner = (ClassTree) getCurrentPath().getParentPath().getLeaf();
      String name = owner.getSimpleName() + "." + method.getName();
      if (method.getBody() != null && linesOf(method) > METHOD_LINES_MAX) {
        longMethods.add(name);
      }
      boolean isConstructor = method.getReturnType() == null;
      if (isConstructor
          && owner.getKind() != Tree.Kind.RECORD
          && method.getParameters().size() > CONSTRUCTOR_PARAMETERS_MAX) {
        wideConstructors.add(owner.getSimpleName().toString());
      }
      return super.visitMethod(method, nothing);
    }
  }
}
