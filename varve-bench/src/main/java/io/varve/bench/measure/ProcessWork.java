package io.varve.bench.measure;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/// What this process has done so far.
///
/// @param cpuNanos time on a core, of all threads
/// @param readBytes bytes that the device read for it, where the system reports
/// @param writtenBytes bytes that it had the device write, likewise
public record ProcessWork(long cpuNanos, long readBytes, long writtenBytes) {
  private static final Path IO = Path.of("/proc/self/io");

  /// As of now.
  public static ProcessWork now() {
    long cpuNanos =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    return new ProcessWork(cpuNanos, counted("read_bytes:"), counted("write_bytes:"));
  }

  private static long counted(String name) {
    if (!Files.isReadable(IO)) {
      return 0;
    }
    try (var lines = Files.lines(IO)) {
      return lines
          .filter(line -> line.startsWith(name))
          .mapToLong(line -> Long.parseLong(line.substring(name.length()).trim()))
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What came since `before`.
  public ProcessWork since(ProcessWork before) {
    return new ProcessWork(
        cpuNanos - before.cpuNanos,
        readBytes - before.readBytes,
        writtenBytes - before.writtenBytes);
  }
}
