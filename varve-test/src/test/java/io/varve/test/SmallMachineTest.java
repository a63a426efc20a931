package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A process with a heap of 64 MiB does what needs more than that, if it were held whole.
///
/// `-Dvarve.small.streamMiB` and `-Dvarve.small.items` set the sizes, `-Dvarve.small.heap` the heap
/// in MiB, and `-Dvarve.small.directory` where the stores are made.
@Timeout(value = 3600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SmallMachineTest {
  private static final long HEAP_MIB = Long.getLong("varve.small.heap", 64);
  private static final long STREAM_MIB = Long.getLong("varve.small.streamMiB", 80);
  private static final long ITEMS = Long.getLong("varve.small.items", 300_000);

  @TempDir Path temporary;

  @ParameterizedTest
  @CsvSource({"stream", "rollback"})
  void aHeapOf64MiBIsEnough(String what) throws Exception {
    String chosen = System.getProperty("varve.small.directory");
    Path directory = (chosen == null ? temporary : Files.createDirectories(Path.of(chosen)));
    long size = what.equals("stream") ? STREAM_MIB << 20 : ITEMS;
    List<String> lines = new ArrayList<>();
    try (ChildJvm child =
        ChildJvm.start(
            Map.of(),
            List.of("-Xmx" + HEAP_MIB + "m"),
            SmallMachineChild.class,
            what,
            directory.resolve(what).toString(),
            Long.toString(size))) {
      for (String line = child.readLine(); line != null; line = child.readLine()) {
        lines.add(line);
      }
      assertThat(child.exitCode()).as(what + ", which printed " + lines).isZero();
    }
    System.out.println(what + ", heap=" + HEAP_MIB + " MiB: " + String.join(", ", lines));
    assertThat(lines).last().asString().startsWith("done");
  }
}
