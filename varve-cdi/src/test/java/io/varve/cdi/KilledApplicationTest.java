package io.varve.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cdi.guide.BookshelfMain;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The example of the guide as a user has it: a file of caches on the class path, and nothing else.
class KilledApplicationTest {
  @TempDir Path directory;

  @Test
  void whatACallHasAnsweredIsThereAfterAKill() throws Exception {
    Files.writeString(
        directory.resolve(VarveExtension.FILE),
        """
        directory: %s
        caches:
          books:
            mode: tiered
        """
            .formatted(directory.resolve("caches")));
    String book = "Book[isbn=7, title=as a slow catalogue has it]";
    assertThat(run("7")).containsSubsequence(book, book, "lookups=1");
    assertThat(run("7", "8")).containsSubsequence(book, book, "lookups=2");
  }

  private List<String> run(String... isbns) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(directory + File.pathSeparator + System.getProperty("java.class.path"));
    command.add(BookshelfMain.class.getName());
    command.addAll(List.of(isbns));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isEqualTo(9);
    return output.lines().toList();
  }
}
