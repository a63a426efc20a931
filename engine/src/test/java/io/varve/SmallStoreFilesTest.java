package io.varve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Guards against files of a small store that are many times its data: 10,000 entries of 16 + 100
/// bytes, with the options that are the default, while it is open, after a kill, and closed.
class SmallStoreFilesTest {
  private static final int ENTRIES = 10_000;
  private static final long BYTES_MAX = 10_000_000;

  @Test
  void tenThousandEntriesTakeAFewMegabytes(@TempDir Path directory) throws IOException {
    Path data = directory.resolve("data");
    Path killed = directory.resolve("killed");
    try (Store store = Store.open(data)) {
      Space space = store.space("entries");
      Space quick = space.with(Durability.PROCESS_CRASH);
      var random = new SplittableRandom(1);
      byte[] key = new byte[16];
      byte[] value = new byte[100];
      for (int i = 0; i < ENTRIES; i++) {
        random.nextBytes(key);
        random.nextBytes(value);
        quick.put(key.clone(), value.clone());
      }
      assertThat(bytes(data)).as("open").isLessThan(BYTES_MAX);
      KilledFiles.copy(data, killed); // as a kill leaves it
    }
    assertThat(bytes(data)).as("closed").isLessThan(BYTES_MAX / 2);
    assertThat(bytes(killed)).as("killed").isLessThan(BYTES_MAX);
    try (Store store = Store.open(killed)) {
      assertThat(store.space("entries").count(Range.all())).isEqualTo(ENTRIES);
      assertThat(bytes(killed)).as("killed, and open again").isLessThan(2 * BYTES_MAX);
    }
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private static long bytes(Path directory) throws IOException {
    long bytes = 0;
    for (Path file : files(directory)) {
      bytes += Files.size(file);
    }
    return bytes;
  }
}
