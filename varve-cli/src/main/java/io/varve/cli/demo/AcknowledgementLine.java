package io.varve.cli.demo;

import org.jspecify.annotations.Nullable;

/// A line by which the loading process reports that a file is committed. The mark at its end
/// distinguishes a whole line from one that the kill cut short.
final class AcknowledgementLine {
  /// The line that reports that the store is open and the load begins.
  static final String READY = "ready";

  private static final String MARK = "\tcommitted";

  private AcknowledgementLine() {}

  static String of(String path) {
    return path + MARK + "\n";
  }

  /// The path of a line without its end, or null if it is no whole acknowledgement.
  static @Nullable String path(String line) {
    return line.endsWith(MARK) ? line.substring(0, line.length() - MARK.length()) : null;
  }
}
