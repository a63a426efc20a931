package io.varve.bench.words;

import io.varve.bench.engine.EngineException;
import io.varve.bench.measure.ProcessUse;
import io.varve.cache.CacheEntry;
import io.varve.cache.mapreduce.MapReduce;
import io.varve.infinispan.mapreduce.ClusterEntries;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.infinispan.Cache;

/// Byte arrays in a cache that some processes share, of which this one is the first and starts the
/// others.
final class ClusterTexts implements Texts {
  private final TextsCluster first;
  private final List<Process> others = new ArrayList<>();
  private final Function<Cache<Integer, byte[]>, Map<String, Long>> counting;

  private ClusterTexts(
      Path directory,
      int nodes,
      boolean stored,
      Function<Cache<Integer, byte[]>, Map<String, Long>> counting) {
    this.counting = counting;
    first = TextsCluster.join(directory, 0, stored);
    try {
      for (int number = 1; number < nodes; number++) {
        others.add(start(directory, number, stored));
      }
    } catch (IOException e) {
      close();
      throw new EngineException(e);
    }
  }

  /// Counts by `MapReduce`, each node over what it has in its pages.
  static Texts inVarve(Path directory, int nodes) {
    MapReduce<CacheEntry<Integer, byte[]>, String, Long, Long> job =
        MapReduce.<CacheEntry<Integer, byte[]>, String, Long>map(
                (entry, out) -> WordScan.scan(entry.getValue(), word -> out.emit(word, 1L)))
            .combine(Long::sum);
    return new ClusterTexts(
        directory, nodes, /* stored= */ true, cache -> job.run(ClusterEntries.of(cache)));
  }

  /// Counts by Infinispan's distributed streams, each node over what it has on its heap.
  static Texts onHeap(Path directory, int nodes) {
    return new ClusterTexts(
        directory,
        nodes,
        /* stored= */ false,
        cache -> cache.values().parallelStream().collect(StreamedCount::counting));
  }

  private static Process start(Path directory, int number, boolean stored) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(TextsNode.class.getName());
    command.addAll(List.of(directory.toString(), "" + number, "" + stored));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try {
      BufferedReader output = process.inputReader();
      for (String line = output.readLine(); ; line = output.readLine()) {
        if (line == null) {
          throw new IOException("a node has ended: number=" + number);
        }
        if (line.equals(TextsNode.READY)) {
          return process;
        }
      }
    } catch (IOException e) {
      process.destroyForcibly();
      throw e;
    }
  }

  @Override
  public void put(int number, byte[] text) {
    first.cache().put(number, text);
  }

  @Override
  public Map<String, Long> countWords() {
    return counting.apply(first.cache());
  }

  @Override
  public long cpuNanos() {
    return ProcessUse.cpuNanos()
        + others.stream()
            .map(other -> other.info().totalCpuDuration().orElseThrow())
            .mapToLong(Duration::toNanos)
            .sum();
  }

  @Override
  public void close() {
    try {
      others.forEach(Process::destroyForcibly);
      others.forEach(other -> other.onExit().join());
    } finally {
      first.close();
    }
  }
}
