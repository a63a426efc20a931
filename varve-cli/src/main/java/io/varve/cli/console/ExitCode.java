package io.varve.cli.console;

import java.util.Map;
import java.util.TreeMap;

/// What the command returns to the shell when it ends.
public final class ExitCode {
  /// Done.
  public static final int OK = 0;

  /// Done, and the answer is no: a key or space is absent, a check failed, or fields of answers
  /// were left out.
  public static final int NEGATIVE = 1;

  /// The command line or the input makes no sense.
  public static final int USAGE = 2;

  /// The store, or a file, could not be used.
  public static final int STORE = 3;

  /// Ended by Ctrl-C: 128 + SIGINT.
  public static final int INTERRUPTED = 130;

  /// Nobody reads the output any more: 128 + SIGPIPE, as for a program without handlers.
  public static final int BROKEN_PIPE = 141;

  private ExitCode() {}

  /// What each code means, for the manual page.
  public static Map<Integer, String> meanings() {
    var meanings = new TreeMap<Integer, String>();
    meanings.put(OK, "Done.");
    meanings.put(
        NEGATIVE,
        "Done, and the answer is no: a key or space is absent, a check failed, fields were left out.");
    meanings.put(USAGE, "The command line or the input makes no sense.");
    meanings.put(STORE, "The store, or a file, could not be used.");
    meanings.put(INTERRUPTED, "Ended by Ctrl-C.");
    meanings.put(BROKEN_PIPE, "Nobody reads the output any more.");
    return meanings;
  }
}
