package io.varve.cli.demo;

import io.varve.Statistics;
import io.varve.cli.transfer.FileTree;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// Loads what the killed process did not, into the store as it was recovered.
final class RemainingLoad {
  /// What was loaded, in which time, and what the store reports about it.
  record Outcome(
      Set<String> acknowledged, long bytes, Duration time, Statistics before, Statistics after) {}

  private final DemoSpaces spaces;
  private final TreeLoader loader;
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
  private final AtomicLong fileCount = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();

  RemainingLoad(DemoSpaces spaces, FileTree tree, List<FileTree.Item> items) {
    this.spaces = spaces;
    loader = new TreeLoader(spaces, tree, items, this::acknowledge);
  }

  private void acknowledge(FileTree.Item item) {
    acknowledged.add(item.path());
    bytes.addAndGet(item.bytes());
    fileCount.incrementAndGet();
  }

  /// The files acknowledged so far. Any thread may ask.
  long fileCount() {
    return fileCount.get();
  }

  /// Loads all, or as much as the time allows.
  Outcome run(int threads, Duration timeMax) {
    Statistics before = spaces.store().statistics();
    long startNanos = System.nanoTime();
    try (var _ = Deadline.in(timeMax, loader::stop)) {
      loader.load(threads);
    }
    Duration time = Duration.ofNanos(System.nanoTime() - startNanos);
    return new Outcome(
        Set.copyOf(acknowledged), bytes.get(), time, before, spaces.store().statistics());
  }
}
