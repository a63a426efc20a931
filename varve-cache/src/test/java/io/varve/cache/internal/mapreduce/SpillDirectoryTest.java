package io.varve.cache.internal.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class SpillDirectoryTest {
  @TempDir private Path parent;

  private List<Path> left() throws IOException {
    try (Stream<Path> all = Files.list(parent)) {
      return all.toList();
    }
  }

  private static Path filled(SpillDirectory directory) throws IOException {
    Path inner = Files.createDirectories(directory.content().resolve("inner"));
    return Files.writeString(inner.resolve("file"), "text");
  }

  @Test
  void whatIsUsedInThisProcessStays() throws IOException {
    try (SpillDirectory first = SpillDirectory.create(parent)) {
      Path file = filled(first);
      try (SpillDirectory second = SpillDirectory.create(parent)) {
        assertThat(file).exists();
        filled(second);
      }
      assertThat(file).exists();
      assertThat(left()).hasSize(1);
    }
    assertThat(left()).isEmpty();
  }

  /// A process that lives is distinguished from one that was killed.
  @Test
  void whatAKilledProcessLeftIsDeleted() throws Exception {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                SpillDirectoryTest.class.getName(),
                parent.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Path used;
    try (BufferedReader output = child.inputReader()) {
      used = Path.of(output.readLine());
      SpillDirectory.create(parent).close();
      assertThat(used).exists();
    } finally {
      child.destroyForcibly().waitFor();
    }
    SpillDirectory.create(parent).close();
    assertThat(left()).isEmpty();
  }

  /// The process that is killed.
  public static void main(String[] arguments) throws Exception {
    System.out.println(filled(SpillDirectory.create(Path.of(arguments[0]))));
    new CountDownLatch(1).await();
  }

  /// Guards against one directory that cannot be deleted, or goes concurrently, and keeps all
  /// others.
  @Test
  void whatCannotBeDeletedKeepsNoOther() throws IOException {
    for (String name : List.of("varve-mapreduce-1", "varve-mapreduce-2", "varve-mapreduce-3")) {
      Path dead = Files.createDirectory(parent.resolve(name));
      Files.createFile(dead.resolve("lock"));
      if (name.endsWith("2")) {
        Files.createFile(dead.resolve("of somebody else"));
      }
    }
    SpillDirectory.create(parent).close();
    assertThat(left()).containsExactly(parent.resolve("varve-mapreduce-2"));
  }

  /// Directories that are no job's, or not yet, and a link to one elsewhere.
  @Test
  void whatIsNoJobsStays() throws IOException {
    Path begun = Files.createDirectory(parent.resolve("varve-mapreduce-begun"));
    Path elsewhere = Files.createDirectories(parent.resolve("elsewhere").resolve("content"));
    Files.createFile(elsewhere.resolveSibling("lock"));
    Path link = parent.resolve("varve-mapreduce-link");
    Files.createSymbolicLink(link, elsewhere.getParent());
    SpillDirectory.create(parent).close();
    assertThat(begun).exists();
    assertThat(elsewhere).exists();
    assertThat(link).exists();
  }

  @Test
  void anInterruptNeitherFailsNorFreesOne() throws IOException {
    Thread.currentThread().interrupt();
    try (SpillDirectory directory = SpillDirectory.create(parent)) {
      assertThat(directory.content().getParent().resolve("lock")).exists();
    }
    assertThat(Thread.interrupted()).isTrue();
    assertThat(left()).isEmpty();
  }
}
