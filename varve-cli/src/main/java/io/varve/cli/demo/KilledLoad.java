package io.varve.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.cli.console.ChildJvm;
import io.varve.cli.console.CommandException;
import io.varve.cli.console.Shutdown;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/// Runs a [LoadProcess], counts what it acknowledges, and kills it by a signal that no process can
/// handle. It does so when the process has acknowledged enough or the time is up.
final class KilledLoad {
  /// Enough for the pages and the files that the threads are at; far from what is loaded.
  private static final String HEAP = "-Xmx768m";

  /// What was acknowledged before the kill, and how long the process had loaded.
  record Outcome(Set<String> acknowledged, Duration time) {}

  private final DemoOptions options;
  private final int acknowledgedMax;
  private final Duration timeMax;
  private final AtomicLong acknowledgedCount = new AtomicLong();

  KilledLoad(DemoOptions options, int acknowledgedMax, Duration timeMax) {
    this.options = options;
    this.acknowledgedMax = acknowledgedMax;
    this.timeMax = timeMax;
  }

  /// The files acknowledged so far. Any thread may ask.
  long acknowledgedCount() {
    return acknowledgedCount.get();
  }

  /// Runs the process to its end.
  Outcome run() throws IOException {
    Process process =
        ChildJvm.of(
                LoadProcess.class,
                List.of(HEAP),
                List.of(
                    options.directory().toString(),
                    options.source().toString(),
                    Integer.toString(options.threads())))
            .start();
    try (var _ = Deadline.in(timeMax, () -> kill(process));
        Shutdown.Hook _ = Shutdown.onSignal(() -> kill(process))) {
      return follow(process);
    } finally {
      kill(process);
    }
  }

  private Outcome follow(Process process) throws IOException {
    Set<String> acknowledged = new HashSet<>();
    long startNanos = 0;
    long killNanos = 0;
    BufferedReader lines = process.inputReader(UTF_8);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.equals(AcknowledgementLine.READY)) {
        startNanos = System.nanoTime();
      }
      String path = AcknowledgementLine.path(line);
      if (path != null) {
        acknowledged.add(path);
        acknowledgedCount.set(acknowledged.size());
      }
      if (acknowledged.size() >= acknowledgedMax && killNanos == 0) {
        killNanos = System.nanoTime();
        kill(process);
      }
    }
    int exitCode = awaitEnd(process);
    long endNanos = killNanos == 0 ? System.nanoTime() : killNanos;
    if (startNanos == 0 || process.isAlive() || exitCode == 0) {
      throw CommandException.store("the loading process ended too early: exitCode=" + exitCode);
    }
    return new Outcome(Set.copyOf(acknowledged), Duration.ofNanos(endNanos - startNanos));
  }

  /// Sends SIGKILL, and leaves the pipe open: what the process wrote before counts as acknowledged.
  private static void kill(Process process) {
    process.toHandle().destroyForcibly();
  }

  private static int awaitEnd(Process process) {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      throw CommandException.interrupted();
    }
  }
}
