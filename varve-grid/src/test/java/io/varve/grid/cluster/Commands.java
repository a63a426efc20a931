package io.varve.grid.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Commands of the system, which end soon.
final class Commands {
  private static final int SECONDS_MAX = 60;

  private Commands() {}

  /// Runs a command that must succeed.
  static void run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
        throw new IOException("command takes too long: " + String.join(" ", command));
      }
      if (process.exitValue() != 0) {
        throw new IOException("command failed: " + String.join(" ", command) + ": " + output);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted: " + String.join(" ", command), e);
    } finally {
      process.destroyForcibly();
    }
  }

  /// Runs a command, whether it succeeds or not: what it should undo may not be there.
  static void runQuietly(List<String> command) {
    try {
      run(command.toArray(String[]::new));
    } catch (IOException e) {
      // Nothing to undo.
    }
  }
}
