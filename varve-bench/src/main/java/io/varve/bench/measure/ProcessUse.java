package io.varve.bench.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/// What this process and its files take.
public final class ProcessUse {
  private static final String RESIDENT = "VmRSS:";

  /// Collections that differ by less agree.
  private static final long UNSTABLE_BYTES = 16 << 10;

  private static final int COLLECTIONS_MAX = 8;

  private ProcessUse() {}

  /// Bytes of the heap in use after a collection.
  public static long heapBytesAfterCollection() {
    // Twice, since what a first collection finalizes only a second one frees.
    System.gc();
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /// Bytes of the heap in use, collected until two collections agree.
  public static long heapBytesWhenStable() {
    long before = Long.MAX_VALUE;
    long now = heapBytesAfterCollection();
    for (int i = 0; i < COLLECTIONS_MAX && Math.abs(before - now) > UNSTABLE_BYTES; i++) {
      before = now;
      now = heapBytesAfterCollection();
    }
    return now;
  }

  /// Resident bytes of the process apart from the heap, which must all be resident, where the
  /// system reports: native memory, mapped files, and what any JVM takes.
  public static OptionalLong nativeBytes() {
    OptionalLong resident = residentBytes();
    return resident.isPresent()
        ? OptionalLong.of(
            resident.getAsLong()
                - ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getCommitted())
        : resident;
  }

  private static OptionalLong residentBytes() {
    Path status = Path.of("/proc/self/status");
    if (!Files.isReadable(status)) {
      return OptionalLong.empty();
    }
    try (var lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith(RESIDENT))
          .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// CPU time of all threads of this process so far.
  public static long cpuNanos() {
    var system =
        ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
    return system.getProcessCpuTime();
  }

  /// Bytes that the files below `directory` take on disk: blocks, not lengths, for some are sparse.
  public static long diskBytes(Path directory) {
    try {
      Process du =
          new ProcessBuilder("du", "-s", "--block-size=1", directory.toString())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String first = new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return Long.parseLong(first.substring(0, first.indexOf('\t')));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
