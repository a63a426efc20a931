package io.varve.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Each type that a module exports states the version since which it exists.
class SinceTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern EXPORTS = Pattern.compile("(?m)^ *exports ([\\w.]+);");

  /// A comment of a type with its annotations, as far as they are on lines of their own, and the
  /// type.
  private static final Pattern TYPE =
      Pattern.compile(
          "(?m)((?:^///.*\\n)*)(?:^@.*\\n)*^public [\\w -]*(?:class|interface|record|enum) ");

  @Test
  void eachExportedTypeReportsSinceWhen() throws IOException {
    List<String> without = new ArrayList<>();
    int types = 0;
    for (Path sources : exportedPackages()) {
      for (Path file : list(sources)) {
        var type = TYPE.matcher(file.toString().endsWith(".java") ? Files.readString(file) : "");
        if (type.find()) {
          types++;
          if (!type.group(1).contains("/// @since ")) {
            without.add(ROOT.relativize(file).toString());
          }
        }
      }
    }
    assertThat(types).as("exported types that were found").isGreaterThan(50);
    assertThat(without).as("exported types without @since").isEmpty();
  }

  private static List<Path> exportedPackages() throws IOException {
    List<Path> packages = new ArrayList<>();
    for (Path module : list(ROOT)) {
      Path sources = module.resolve("src/main/java");
      Path descriptor = sources.resolve("module-info.java");
      if (Files.exists(descriptor)) {
        EXPORTS
            .matcher(Files.readString(descriptor))
            .results()
            .map((MatchResult exported) -> exported.group(1).replace('.', '/'))
            .forEach(name -> packages.add(sources.resolve(name)));
      }
    }
    return packages;
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> paths = Files.list(directory)) {
      return paths.sorted().toList();
    }
  }
}
