package io.varve;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.admin.Backups;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Compares the names of docs/FORMAT.md, of files and of the classes that own them, with what is.
class FormatFilesTest {
  private static final Path SOURCES = Path.of("src", "main", "java");
  private static final Pattern OWNERS = Pattern.compile("Owners?: ([^.]+)\\.");
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");

  @TempDir Path directory;

  private static StoreOptions options() {
    return StoreOptions.defaults()
        .archiveLog(true)
        .log(log -> log.bufferBytes(1 << 16).segmentBytes(1 << 18).bytesMax(1 << 20));
  }

  @Test
  void eachFileOfAStoreIsNamedByTheGuide() throws IOException {
    List<Pattern> names = names("The directory");
    Path path = directory.resolve("store");
    var encrypted = options().encryption(KeySource.of(new byte[KeySource.KEY_BYTES]));
    Set<String> seen = new TreeSet<>();
    try (Store store = Store.open(path, encrypted)) {
      Space space = store.space("s");
      for (int i = 0; i < 40; i++) {
        space.put(new byte[] {(byte) i}, new byte[100_000]);
      }
      store.checkpoint();
      seen.addAll(requireNamed(path, names));
    }
    requireNamed(path, names);
    assertThat(seen)
        .contains("pages", "keys", "lock", "log/ring", "reserve")
        .anyMatch(name -> name.startsWith("log/kept/"))
        .anyMatch(name -> name.matches("log/\\d{20}\\.log"));
  }

  @Test
  void eachFileOfBackupsIsNamedByTheGuide() throws IOException {
    Path backups = directory.resolve("backups");
    try (Store store = Store.open(directory.resolve("store"), options())) {
      for (int round = 0; round < 2; round++) {
        store.space("s").put(new byte[] {1}, new byte[] {(byte) round});
        Backups.at(backups).take(store);
      }
    }
    assertThat(requireNamed(backups, names("Backups")))
        .contains("00000000000000000001.vbk")
        .anyMatch(name -> name.startsWith("log/"));
  }

  @Test
  void ownersAreClassesOfTheEngine() throws IOException {
    Set<String> classes;
    try (Stream<Path> files = Files.walk(SOURCES)) {
      classes =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".java"))
              .map(name -> name.substring(0, name.length() - ".java".length()))
              .collect(Collectors.toSet());
    }
    Set<String> owners = new TreeSet<>();
    FormatGuide guide = FormatGuide.read();
    for (String heading : List.of("The directory", "Backups")) {
      guide.table(heading, 0).column("name", "owner").values().stream()
          .flatMap(FormatFilesTest::quoted)
          .forEach(owners::add);
    }
    String text = Files.readString(Path.of("..", "docs", "FORMAT.md")).replaceAll("\\s+", " ");
    OWNERS.matcher(text).results().flatMap(owner -> quoted(owner.group(1))).forEach(owners::add);
    assertThat(classes).containsAll(owners);
    assertThat(owners).hasSizeGreaterThan(20);
  }

  private static Stream<String> quoted(String text) {
    return NAME.matcher(text).results().map(name -> name.group(1));
  }

  /// The names of a table, as patterns: `<20 digits>` stands for that, `*` and `<id>` for any part.
  private static List<Pattern> names(String heading) throws IOException {
    return FormatGuide.read().table(heading, 0).column("name", "owner").keySet().stream()
        .map(name -> name.replace("`", "").replace(".", "\\."))
        .map(name -> name.replaceAll("<(\\d+) digits>", "\\\\d{$1}"))
        .map(name -> name.replaceAll("\\*|<id>", "[^/]+"))
        .map(Pattern::compile)
        .toList();
  }

  /// Requires that each file below a directory has a name of the guide.
  ///
  /// @return the names
  private static Set<String> requireNamed(Path path, List<Pattern> names) throws IOException {
    Set<String> found = new TreeSet<>();
    Files.walkFileTree(
        path,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            found.add(path.relativize(file).toString());
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE; // the store has just released it
            }
            throw failure;
          }
        });
    assertThat(found)
        .allMatch(file -> names.stream().anyMatch(name -> name.matcher(file).matches()));
    return found;
  }
}
