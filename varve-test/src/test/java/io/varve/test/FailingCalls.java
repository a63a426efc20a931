package io.varve.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/// System calls of a process that fail: `fail.c`, compiled here and loaded into the process.
///
/// @param kind of the calls
/// @param after how many of the kind pass before
/// @param times how many fail then
/// @param error the number of the error; 0: a write takes half of its bytes
record FailingCalls(String kind, int after, int times, int error) {
  /// Names the variable that a process has in its environment if calls fail in it.
  static final String KIND = "VARVE_FAIL_CALL";

  private static final int EIO = 5;
  private static final int ENOSPC = 28;
  private static final int SHORT = 0;

  private static final List<String> KINDS =
      List.of("write", "force", "truncate", "open", "rename", "unlink", "map", "read");

  /// The calls of a round: kinds come in turn.
  static FailingCalls random(int round, SplittableRandom random) {
    String kind = KINDS.get(round % KINDS.size());
    int bound = kind.equals("write") || kind.equals("force") ? 400 : 12;
    int error =
        kind.equals("write")
            ? new int[] {EIO, ENOSPC, SHORT}[random.nextInt(3)]
            : random.nextBoolean() ? EIO : ENOSPC;
    return new FailingCalls(
        kind,
        random.nextInt(1 + random.nextInt(bound)),
        random.nextBoolean() ? 1 : 1 + random.nextInt(20),
        error);
  }

  /// What a process must have in its environment.
  ///
  /// @param library the compiled library
  /// @param directory of the files whose calls count: a real path
  /// @param report the file that has a line for each call that failed
  Map<String, String> environment(Path library, Path directory, Path report) {
    return Map.of(
        "LD_PRELOAD",
        library.toString(),
        "VARVE_FAIL_DIRECTORY",
        directory.toString(),
        "VARVE_FAIL_REPORT",
        report.toString(),
        KIND,
        kind,
        "VARVE_FAIL_AFTER",
        Integer.toString(after),
        "VARVE_FAIL_TIMES",
        Integer.toString(times),
        "VARVE_FAIL_ERROR",
        Integer.toString(error));
  }

  /// How many calls failed, by the report, which is deleted.
  static int count(Path report) throws IOException {
    if (!Files.exists(report)) {
      return 0;
    }
    int lines = Files.readAllLines(report).size();
    Files.delete(report);
    return lines;
  }
}
