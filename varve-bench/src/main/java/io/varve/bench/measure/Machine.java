package io.varve.bench.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The machine of a run, in words.
///
/// @param data where the data of the stores is
public record Machine(ScratchDirectory data) {
  /// A line each for machine, data, page cache and JVM.
  public List<String> lines() {
    return List.of(
        "machine: "
            + cpu()
            + ", "
            + Runtime.getRuntime().availableProcessors()
            + " processors, "
            + fact(Path.of("/proc/meminfo"), "MemTotal")
            + ", "
            + System.getProperty("os.name")
            + " "
            + System.getProperty("os.version"),
        "data: " + data.path() + " on " + data.fileSystem(),
        PageCache.isDroppable()
            ? "page cache: dropped where a case starts cold, not bounded"
            : "page cache: may not be dropped here, so every case starts warm; not bounded",
        "java: "
            + System.getProperty("java.vm.name")
            + " "
            + System.getProperty("java.vm.version"));
  }

  private static String cpu() {
    return fact(Path.of("/proc/cpuinfo"), "model name");
  }

  private static String fact(Path file, String name) {
    if (!Files.isReadable(file)) {
      return name + " unknown";
    }
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(name + " unknown");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
