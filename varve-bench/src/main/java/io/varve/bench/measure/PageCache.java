package io.varve.bench.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// The page cache of the operating system.
public final class PageCache {
  private static final Path DROP = Path.of("/proc/sys/vm/drop_caches");

  private PageCache() {}

  /// Whether the system lets this process drop it.
  public static boolean isDroppable() {
    return Files.isWritable(DROP);
  }

  /// Writes back and drops all clean pages, where that is permitted.
  ///
  /// @return whether it was
  public static boolean drop() {
    if (!isDroppable()) {
      return false;
    }
    try {
      new ProcessBuilder("sync").start().waitFor();
      Files.write(DROP, "3\n".getBytes(StandardCharsets.US_ASCII), StandardOpenOption.WRITE);
      return true;
    } catch (IOException e) {
      return false; // refused after all, as in some containers
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
