package io.varve.cli.documents;

import io.varve.cli.console.Interrupts;
import io.varve.cli.console.KeyText;
import io.varve.cli.console.Stdio;
import java.util.Iterator;
import tools.jackson.databind.JsonNode;

/// Prints the answers of a query that is followed, and what changes of them: lines of JSON as they
/// come, or lines for a reader, in which what a terminal would obey is escaped.
public final class WatchedAnswers {
  private final Stdio stdio;
  private final AnswerFormat format;

  /// Prints nothing yet.
  ///
  /// @param format lines for a reader if it is [AnswerFormat#TABLE], JSON otherwise
  public WatchedAnswers(Stdio stdio, AnswerFormat format) {
    this.stdio = stdio;
    this.format = format;
  }

  /// Prints until there are no more lines, or so many changes after the first answer.
  ///
  /// @param lines of [io.varve.control.ControlClient#watch]
  /// @param changesMax 1 or more
  public void print(Iterator<String> lines, long changesMax) {
    long commit = -1;
    for (long changes = 0; lines.hasNext(); ) {
      Interrupts.check();
      String json = lines.next();
      JsonNode line = Answers.parse(json);
      boolean isStart = line.path("start").asBoolean(false);
      if (isStart) {
        commit = line.path("commit").asLong(0);
      }
      boolean isChange = line.path("commit").asLong(0) != commit;
      stdio.println(format == AnswerFormat.TABLE ? shown(line, isStart, isChange) : json);
      stdio.flush();
      changes += isChange ? 1 : 0;
      if (changes == changesMax) {
        return;
      }
    }
  }

  /// A sign, the key, and the row: before and after, if both are there.
  private static String shown(JsonNode line, boolean isStart, boolean isChange) {
    if (isStart) {
      return "answer at commit " + line.path("commit").asString();
    }
    String before = line.has("before") ? " " + line.get("before") : "";
    String after = line.has("after") ? " " + line.get("after") : "";
    String sign = " ";
    if (isChange) {
      sign = before.isEmpty() ? "+" : after.isEmpty() ? "-" : "~";
    }
    String arrow = before.isEmpty() || after.isEmpty() ? "" : " ->";
    return KeyText.shown(sign + " " + line.path("key").asString() + before + arrow + after);
  }
}
