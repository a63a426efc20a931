package io.varve.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Holds classes, methods and constructors of all modules, and the files of their tests, to a size
/// that a reader can hold in mind. So it does the README. There is no list of what may be larger.
class SizesTest {
  private static final int CLASS_LINES_MAX = 600;
  private static final int METHOD_LINES_MAX = 60;
  private static final int CONSTRUCTOR_PARAMETERS_MAX = 6;
  private static final int README_LINES_MAX = 150;

  private static final Set<String> longClasses = new TreeSet<>();
  private static final Set<String> longMethods = new TreeSet<>();
  private static final Set<String> wideConstructors = new TreeSet<>();
  private static int classCount;

  @BeforeAll
  static void measure() throws IOException {
    Modules.parse(
        Modules.sourceRoots(),
        (unit, positions) -> new Measurement(unit, positions).scan(unit, null));
  }

  /// Guards the tests below: with nothing measured, each of them would pass.
  @Test
  void allModulesAreMeasured() throws IOException {
    assertThat(classCount).isGreaterThan(1000);
    assertThat(Modules.sourceRoots()).hasSizeGreaterThan(8);
  }

  @Test
  void classesAreShort() {
    assertThat(longClasses).as("classes whose files have over %s lines", CLASS_LINES_MAX).isEmpty();
  }

  /// A test class shows one behaviour, and what many of them need is a fixture.
  @Test
  void testClassesAreShort() throws IOException {
    Set<String> longTests = new TreeSet<>();
    List<Path> tests = Modules.sources(Modules.testRoots());
    for (Path test : tests) {
      if (Files.readAllLines(test).size() > CLASS_LINES_MAX) {
        longTests.add(test.getFileName().toString());
      }
    }
    assertThat(tests).hasSizeGreaterThan(500);
    assertThat(longTests).as("files of tests of over %s lines", CLASS_LINES_MAX).isEmpty();
  }

  /// What a newcomer reads first. The guides have the rest.
  @Test
  void theReadmeIsShort() throws IOException {
    assertThat(Files.readAllLines(Path.of("../README.md")))
        .hasSizeLessThanOrEqualTo(README_LINES_MAX);
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
