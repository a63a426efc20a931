package io.varve.cli.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Finds real input where nobody names any: the sources of a JDK.
public final class SourceFinder {
  /// What was found, and a remark about it for the user.
  public record Found(Path path, String remark) {}

  private SourceFinder() {}

  /// The sources of the JDK that runs, or of another one, or else the JDK's own legal texts.
  public static Found find() {
    Path home = Path.of(System.getProperty("java.home"));
    Path own = sources(home);
    if (Files.isRegularFile(own)) {
      return new Found(own, "the sources of the JDK that runs");
    }
    return Stream.concat(environmentHome(), installedHomes())
        .map(SourceFinder::sources)
        .filter(Files::isRegularFile)
        .findFirst()
        .map(path ->
            new Found(path, "the sources of another JDK, since the one that runs has no src.zip"))
        .orElseGet(() ->
            new Found(
                home.resolve("legal"),
                "the legal texts of the JDK: no src.zip was found, so this is small; "
                    + "--source names a directory or zip of your own"));
  }

  private static Path sources(Path home) {
    return home.resolve("lib", "src.zip");
  }

  private static Stream<Path> environmentHome() {
    String home = System.getenv("JAVA_HOME");
    return home == null || home.isEmpty() ? Stream.empty() : Stream.of(Path.of(home));
  }

  /// The directories where package managers put JDKs.
  private static Stream<Path> installedHomes() {
    Path user = Path.of(System.getProperty("user.home"));
    return Stream.concat(
        Stream.of(
                Path.of("/usr/lib/jvm"),
                user.resolve(".sdkman/candidates/java"),
                user.resolve(".jdks"))
            .flatMap(SourceFinder::children),
        children(Path.of("/Library/Java/JavaVirtualMachines"))
            .map(path -> path.resolve("Contents/Home")));
  }

  private static Stream<Path> children(Path directory) {
    if (!Files.isDirectory(directory)) {
      return Stream.empty();
    }
    try (Stream<Path> children = Files.list(directory)) {
      return List.copyOf(children.sorted().toList()).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
