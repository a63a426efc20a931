package io.varve.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// The files of the project that people write: sources and guides of all modules, and what builds
/// and runs them.
final class ProjectFiles {
  static final Path ROOT = Path.of("..");

  /// Scripts, descriptions of builds, settings and sources in other languages, by the ends of their
  /// paths. What others have written is in resources of tests.
  private static final Pattern OTHER =
      Pattern.compile(
          ".*(/(varve|run|debian|entrypoint|Containerfile|jvm\\.options)"
              + "|\\.(xml|ya?ml|m?js|css|kts?|groovy|g4|c))");

  private static final Path TEST_RESOURCES = Path.of("src", "test", "resources");

  private ProjectFiles() {}

  /// The files as lines, by their paths below [#ROOT]. What builds make is left out.
  static Map<Path, List<String>> read() throws IOException {
    Map<Path, List<String>> files = new TreeMap<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
            String name = path.getFileName().toString();
            boolean skipped = name.equals("target") || name.startsWith(".") && !path.equals(ROOT);
            return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path path, BasicFileAttributes attributes)
              throws IOException {
            if (isSource(path) || isGuide(path) || isOther(path)) {
              files.put(ROOT.relativize(path), Files.readAllLines(path));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    assertThat(files)
        .containsKeys(Path.of("README.md"), Path.of("docs", "GLOSSARY.md"), Path.of("varve"));
    return files;
  }

  static boolean isSource(Path path) {
    return path.toString().endsWith(".java");
  }

  private static boolean isOther(Path path) {
    return OTHER.matcher(path.toString()).matches()
        && !path.toString().contains(TEST_RESOURCES.toString());
  }

  static boolean isGuide(Path path) {
    return path.toString().endsWith(".md");
  }
}
