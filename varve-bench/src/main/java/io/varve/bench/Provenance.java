package io.varve.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/// How figures came about: what a reader needs to produce them again, or to set them aside.
///
/// @param arguments of the command line
/// @param quick whether this is a smoke run
record Provenance(List<String> arguments, boolean quick) {
  /// A line each; the first one warns of a smoke run.
  List<String> lines(Clock clock) {
    List<String> lines = new ArrayList<>();
    if (quick) {
      lines.add(
          "QUICK RUN: tiny data and short cells. It shows that all runs; its figures prove nothing.");
    }
    lines.add("command: ./varve bench " + String.join(" ", arguments));
    lines.add("date: " + clock.instant().truncatedTo(ChronoUnit.SECONDS));
    lines.add("commit: " + commit(Path.of("")));
    return lines;
  }

  /// The commit of the sources in a directory, and whether they differ from it.
  static String commit(Path directory) {
    String commit = git(directory, "rev-parse", "HEAD");
    if (commit.isEmpty()) {
      return "unknown";
    }
    boolean clean = git(directory, "status", "--porcelain", "--untracked-files=no").isEmpty();
    return clean ? commit : commit + ", with changes";
  }

  private static String git(Path directory, String... arguments) {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(directory.toAbsolutePath().toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
      return process.waitFor() == 0 ? output : "";
    } catch (IOException _) {
      return ""; // no git, or no repository
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return "";
    }
  }
}
