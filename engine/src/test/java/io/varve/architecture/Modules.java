package io.varve.architecture;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/// The sources of the modules of the build, which are in directories next to the engine's.
final class Modules {
  private static final Path MAIN = Path.of("src", "main", "java");
  private static final Path TEST = Path.of("src", "test", "java");

  private Modules() {}

  /// The roots of the main code of all modules.
  static List<Path> sourceRoots() throws IOException {
    return roots(MAIN);
  }

  /// The roots of the tests of all modules.
  static List<Path> testRoots() throws IOException {
    return roots(TEST);
  }

  private static List<Path> roots(Path inModule) throws IOException {
    try (Stream<Path> modules = Files.list(Path.of("").toAbsolutePath().getParent())) {
      return modules.map(module -> module.resolve(inModule)).filter(Files::isDirectory).toList();
    }
  }

  /// The name of the directory of the module that a root belongs to.
  static String name(Path root) {
    return root.getName(root.getNameCount() - 1 - MAIN.getNameCount()).toString();
  }

  /// The Java files below some roots.
  static List<Path> sources(List<Path> roots) throws IOException {
    List<Path> sources = new ArrayList<>();
    for (Path root : roots) {
      try (Stream<Path> files = Files.walk(root)) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
      }
    }
    return sources;
  }

  /// Parses the files below some roots, without a look at what they mean.
  static void parse(List<Path> roots, BiConsumer<CompilationUnitTree, SourcePositions> visitor)
      throws IOException {
    List<Path> sources = sources(roots);
    var compiler = ToolProvider.getSystemJavaCompiler();
    try (var manager = compiler.getStandardFileManager(null, null, null)) {
      var units = manager.getJavaFileObjectsFromPaths(sources);
      var task =
          (JavacTask) compiler.getTask(null, manager, null, List.of("-proc:none"), null, units);
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      task.parse().forEach(unit -> visitor.accept(unit, positions));
    }
  }
}
