package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A process with a small heap opens a store whose log would not fit into it. So it does when the
/// first two that try are killed while they write pages.
///
/// `-Dvarve.recovery.data`, `-Dvarve.recovery.log`, `-Dvarve.recovery.heap` and
/// `-Dvarve.recovery.fillHeap` set the sizes, in MiB, `-Dvarve.recovery.deathAt` the write to the
/// page file at which a process dies, and `-Dvarve.recovery.directory` where the store is made.
@Timeout(value = 3600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RecoveryHeapTest {
  private static final long DATA_MIB = Long.getLong("varve.recovery.data", 32);
  private static final long LOG_MIB = Long.getLong("varve.recovery.log", 12);
  private static final long HEAP_MIB = Long.getLong("varve.recovery.heap", 36);
  private static final long FILL_HEAP_MIB = Long.getLong("varve.recovery.fillHeap", 256);

  /// The write to the page file at which a process dies.
  private static final long DEATH_AT = Long.getLong("varve.recovery.deathAt", 200);

  @Test
  void aSmallHeapRecoversALargeLog(@TempDir Path temporary) throws Exception {
    String place = System.getProperty("varve.recovery.directory");
    Path directory =
        (place == null ? temporary : Files.createDirectories(Path.of(place))).resolve("s");
    Map<String, Long> filled = run(FILL_HEAP_MIB, "fill", directory);
    report("fill", filled);
    long fileBytes = Files.size(directory.resolve("pages"));
    for (int death = 1; death <= 2; death++) {
      assertThat(run(HEAP_MIB, "die", directory, DEATH_AT)).as("it was to die").isEmpty();
      long now = Files.size(directory.resolve("pages"));
      System.out.println("death " + death + ": file=" + now);
      assertThat(now).isLessThan(2 * fileBytes + (HEAP_MIB << 20));
    }
    Map<String, Long> opened = run(HEAP_MIB, "open", directory);
    report("open", opened);
    assertThat(opened.get("commits")).as("replayed").isLessThan(filled.get("commits"));
    assertThat(opened.get("dirty")).isLessThanOrEqualTo(opened.get("cache"));
    // What the checkpoints before the kill left may be more: the recovery adds nothing to that.
    long fileBytesMax = Math.max(2 * opened.get("live"), fileBytes);
    assertThat(opened.get("file")).isLessThan(fileBytesMax + (HEAP_MIB << 20));
  }

  private static void report(String what, Map<String, Long> figures) {
    System.out.println(what + ": " + figures);
  }

  private static Map<String, Long> run(long heapMiB, String what, Path directory, long... more)
      throws Exception {
    var arguments =
        new ArrayList<>(List.of(what, directory.toString(), "" + DATA_MIB, "" + LOG_MIB));
    for (long one : more) {
      arguments.add(Long.toString(one));
    }
    Map<String, Long> figures = new HashMap<>();
    try (ChildJvm child =
        ChildJvm.start(
            Map.of(),
            List.of("-Xmx" + heapMiB + "m"),
            RecoveryChild.class,
            arguments.toArray(String[]::new))) {
      for (String line = child.readLine(); line != null; line = child.readLine()) {
        int at = line.indexOf('=');
        figures.put(line.substring(0, at), Long.parseLong(line.substring(at + 1)));
      }
      assertThat(child.exitCode()).as(what).isZero();
    }
    return figures;
  }
}
