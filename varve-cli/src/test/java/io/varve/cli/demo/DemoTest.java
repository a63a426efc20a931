package io.varve.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Range;
import io.varve.Store;
import io.varve.cli.Cli;
import io.varve.cli.transfer.FileTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The demonstration on a small tree, with the kill.
final class DemoTest {
  private static final long SEED = 4711;
  private static final int FILE_COUNT = 400;

  @TempDir Path directory;

  private Path source() throws IOException {
    var random = new Random(SEED);
    Path source = Files.createDirectory(directory.resolve("source"));
    for (int i = 0; i < FILE_COUNT; i++) {
      var text = new StringBuilder("common ");
      for (int word = 0; word < 200; word++) {
        text.append("word").append(random.nextInt(5_000)).append(word % 10 == 0 ? "\n" : " ");
      }
      if (i % 3 == 0) {
        text.append("third third");
      }
      Files.writeString(source.resolve("file" + i), text);
    }
    return source;
  }

  /// The loading process is killed amid transactions; then all that it acknowledged is there,
  /// whole.
  @Test
  void everyAcknowledgedFileSurvivesTheKill() throws IOException {
    Path store = directory.resolve("demo");
    String[] command = {
      "demo", "--source", source().toString(), "--dir", store.toString(), "--words", "third,common"
    };
    Cli.Result result = Cli.runBare("", command);
    assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
    assertThat(result.out())
        .contains(
            "400 files",
            "killed by SIGKILL",
            "ok      400 files",
            "> select count(*) from words where",
            "> " + WordQueries.BOTH,
            "'third' is in 134 files",
            "     134  the first: file0",
            "every check passed")
        .doesNotContain("FAILED");
    try (Store opened = Store.open(store)) {
      opened.verify().requireSound();
      assertThat(opened.space("files").count(Range.all())).isEqualTo(FILE_COUNT);
      assertThat(opened.space("stats").count(Range.all())).isEqualTo(FILE_COUNT);

      // The store of another run is not taken away while it is in use.
      Cli.Result refused = Cli.runBare("", command);
      assertThat(refused.exitCode()).isEqualTo(3);
      opened.verify().requireSound();
    }

    Cli.Result again = Cli.runBare("", command);
    assertThat(again.exitCode()).as(again.out() + again.err()).isZero();
  }

  /// A check that never fails would prove nothing: each kind of damage must be found.
  @Test
  void damageIsFound() throws IOException {
    Path tree = source();
    try (Store store = Store.inMemory();
        var files = FileTree.of(tree, tree.resolve("store"))) {
      DemoSpaces spaces = DemoSpaces.of(store);
      new TreeLoader(spaces, files, files.items(), _ -> {}).load(8);
      assertThat(failures(spaces, files)).isEmpty();

      byte[] path = "file7".getBytes();
      byte[] content = spaces.files().getAndPut(path, "changed".getBytes());
      assertThat(failures(spaces, files)).anyMatch(sentence -> sentence.contains("source"));
      spaces.files().put(path, content);

      byte[] indexKey = IndexKey.of("common", path);
      byte[] count = spaces.words().getAndDelete(indexKey);
      assertThat(failures(spaces, files)).singleElement().asString().contains("index", "file7");
      spaces.words().put(indexKey, count);

      spaces.words().put(IndexKey.of("common", "nowhere".getBytes()), Varint.encode(1));
      assertThat(failures(spaces, files)).singleElement().asString().contains("index", "nowhere");
      spaces.words().delete(IndexKey.of("common", "nowhere".getBytes()));

      byte[] facts = spaces.stats().getAndDelete(path);
      assertThat(failures(spaces, files)).anyMatch(sentence -> sentence.contains("stats"));
      spaces.stats().put(path, facts);

      spaces.files().delete(path);
      assertThat(failures(spaces, files)).anyMatch(sentence -> sentence.contains("1 of 400"));
      spaces.files().put(path, content);

      assertThat(failures(spaces, files)).isEmpty();
      store.verify().requireSound();
    }
  }

  private static List<String> failures(DemoSpaces spaces, FileTree files) throws IOException {
    var items = new HashMap<String, FileTree.Item>();
    files.items().forEach(item -> items.put(item.path(), item));
    return new StoreCheck(spaces, files, items)
        .run(items.keySet()).checks().stream()
            .filter(check -> !check.holds())
            .map(Check::sentence)
            .toList();
  }
}
