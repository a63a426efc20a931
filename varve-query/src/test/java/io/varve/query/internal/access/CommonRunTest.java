package io.varve.query.internal.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The keys that several sorted runs have.
class CommonRunTest {
  @TempDir private Path directory;

  /// Rows in the order of an index ask once more when a run has ended.
  @Test
  void aRunThatEndedStaysAtItsEnd() {
    try (var run = new CommonRun(List.of(run(1, 2, 4, 5, 6), run(1, 3, 4)))) {
      assertThat(run.next()).isTrue();
      assertThat(run.key()).containsExactly(1);
      assertThat(run.next()).isTrue();
      assertThat(run.key()).containsExactly(4);
      assertThat(run.next()).isFalse();
      assertThat(run.next()).isFalse();
    }
  }

  private SortedRun run(int... keys) {
    var sorter = new KeySorter(new SortSettings(1 << 16, directory), new Meter());
    for (int key : keys) {
      sorter.add(new byte[] {(byte) key}, new byte[0]);
    }
    return sorter.sorted();
  }
}
