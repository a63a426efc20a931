package io.varve.internal.wal.format;

import io.varve.internal.disk.Disk;
import java.io.IOException;

/// The names of a log's files.
public final class LogFiles {
  /// The directory that they are in.
  public static final String DIRECTORY = "log";

  public static final String RING = DIRECTORY + "/ring";

  /// Ends the name of every segment.
  public static final String SUFFIX = ".log";

  private LogFiles() {}

  /// The name of a segment file.
  public static String segment(long sequence) {
    return DIRECTORY + "/" + digits(sequence, 20) + SUFFIX;
  }

  /// A number with leading zeros. A format of the JDK would load seventy classes for it, which the
  /// first put of a JVM waits for.
  public static String digits(long number, int width) {
    String digits = Long.toString(number);
    return "0".repeat(Math.max(0, width - digits.length())) + digits;
  }

  /// The number of a segment file in the log's directory; 0 if the name is not one of a log.
  public static long sequence(String fileName) {
    try {
      return Long.parseLong(fileName.substring(0, fileName.length() - SUFFIX.length()));
    } catch (NumberFormatException _) {
      return 0;
    }
  }

  /// Whether there is a log on the disk, of any store.
  public static boolean exist(Disk disk) throws IOException {
    return disk.list(DIRECTORY).stream().anyMatch(name -> name.endsWith(SUFFIX));
  }
}
