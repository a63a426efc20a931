package io.varve.cache.internal.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cache.Marshaller;
import io.varve.cache.Marshallers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs that hold all values of their keys, since nothing combines them.
class SpilledRunTest {
  /// Each beginning with another one, so that records of one could be between those of another.
  private static final List<String> KEYS =
      List.of(
          "",
          "a",
          "a\0",
          "a\0\0\0\1",
          "a\0\0\0\1b",
          "k".repeat(RunRecord.KEY_BYTES_MAX - 1),
          "k".repeat(RunRecord.KEY_BYTES_MAX + 1),
          "k".repeat(RunRecord.KEY_BYTES_MAX + 2));

  private final TreeMap<String, List<String>> expected = new TreeMap<>();

  @TempDir private Path directory;

  private Plan<String, String, String, Integer> plan() {
    Marshaller<String> strings = Marshallers.ofKeys(String.class, getClass().getClassLoader());
    return new Plan<>((_, _) -> {}, null, null, strings, strings, 1, 1 << 20, directory);
  }

  private void add(WorkerTable<String, String> table, String key, String value) {
    table.add(key, value);
    expected.computeIfAbsent(key, _ -> new ArrayList<>()).add(value);
  }

  private void requireAsExpected(SortedRun<String, String> run) {
    TreeMap<String, List<String>> found = new TreeMap<>();
    while (run.next()) {
      List<String> values = new ArrayList<>();
      assertThat(found.put(run.key(), values)).isNull();
      run.values().forEachRemaining(values::add);
    }
    expected.values().forEach(values -> values.sort(null));
    found.values().forEach(values -> values.sort(null));
    assertThat(found).isEqualTo(expected);
  }

  /// Guards against memory that grows with the number of runs.
  @Test
  void anyNumberOfRunsIsMadeFew() {
    Plan<String, String, String, Integer> plan = plan();
    try (Spill<String, String> spill = new Spill<>(plan)) {
      for (int i = 0; i < 700; i++) {
        WorkerTable<String, String> table = new WorkerTable<>(plan);
        add(table, "all", "value" + i);
        add(table, KEYS.get(i % KEYS.size()), "value" + i);
        spill.write(table, () -> {});
      }
      List<SortedRun<String, String>> runs = spill.runs(() -> {});
      assertThat(runs).hasSizeLessThan(200);
      requireAsExpected(new MergedRun<>(plan, runs));
    }
  }

  /// Values of a key that take several records, large ones among them.
  @Test
  void valuesOfAKeyNeedNoMemoryForAll() {
    Plan<String, String, String, Integer> plan = plan();
    try (Spill<String, String> spill = new Spill<>(plan)) {
      for (int run = 0; run < 3; run++) {
        WorkerTable<String, String> table = new WorkerTable<>(plan);
        for (String key : KEYS) {
          for (int i = 0; i < 20 * run; i++) {
            add(table, key, "small" + i);
            add(table, key, i + "x".repeat(RunRecord.VALUE_BYTES / (1 + i)));
          }
          add(table, key, "last of " + run);
        }
        spill.write(table, () -> {});
      }
      requireAsExpected(new MergedRun<>(plan, spill.runs(() -> {})));
    }
  }

  /// A reducer may take any number of values, and the next key comes all the same.
  @Test
  void valuesMayBeLeft() {
    Plan<String, String, String, Integer> plan = plan();
    try (Spill<String, String> spill = new Spill<>(plan)) {
      WorkerTable<String, String> table = new WorkerTable<>(plan);
      for (String key : KEYS) {
        for (int i = 0; i < 10; i++) {
          add(table, key, "x".repeat(RunRecord.VALUE_BYTES));
        }
      }
      spill.write(table, () -> {});
      SortedRun<String, String> run = spill.runs(() -> {}).getFirst();
      List<String> met = new ArrayList<>();
      for (int taken = 0; run.next(); taken++) {
        met.add(run.key());
        Iterator<String> values = run.values();
        for (int i = 0; i < taken; i++) {
          assertThat(values.next()).hasSize(RunRecord.VALUE_BYTES);
        }
      }
      assertThat(run.next()).isFalse();
      assertThat(met).containsExactlyInAnyOrderElementsOf(KEYS);
    }
  }
}
