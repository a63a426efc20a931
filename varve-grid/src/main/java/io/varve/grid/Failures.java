package io.varve.grid;

import io.varve.grid.node.NodeException;
import io.varve.infinispan.migration.ImportException;
import java.io.PrintWriter;

/// Turns what went wrong into a line on standard error and an exit code. A stack trace is for
/// `--debug` alone, and for what nobody foresaw.
final class Failures {
  /// The node, or a file, could not be used.
  static final int EXIT_CODE = 3;

  private Failures() {}

  static int report(Exception failure, PrintWriter err, boolean debug) {
    if (failure instanceof NodeException || failure instanceof ImportException) {
      err.println("varve: " + failure.getMessage());
    } else {
      err.println("varve: internal error: " + failure + "; --debug shows where");
    }
    if (debug) {
      failure.printStackTrace(err);
    }
    err.flush();
    return EXIT_CODE;
  }
}
