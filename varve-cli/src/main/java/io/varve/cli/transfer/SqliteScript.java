package io.varve.cli.transfer;

import io.varve.cli.console.CommandException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import org.jspecify.annotations.Nullable;

/// The statements of a dump of SQLite, one after the other, by SQLite's own rules: names may be in
/// double quotes, backquotes or brackets, and a quote within a name in brackets begins nothing.
///
/// Comments are left out. A text that ends within quotes is an error, since the dump was cut.
final class SqliteScript {
  private static final int END = -1;

  private final String name;
  private final BufferedReader text;
  private int next;

  /// Begins to read.
  ///
  /// @param name of the dump, for messages
  SqliteScript(String name, Reader text) throws IOException {
    this.name = name;
    this.text = new BufferedReader(text);
    next = this.text.read();
  }

  /// The next statement without its semicolon, which may be empty, or null after the last.
  @Nullable String read() throws IOException {
    if (next == END) {
      return null;
    }
    var statement = new StringBuilder();
    while (next != END && next != ';') {
      int c = take();
      switch (c) {
        case '\'', '"', '`' -> quoted((char) c, (char) c, statement);
        case '[' -> quoted('[', ']', statement);
        case '-' -> dash(statement);
        case '/' -> slash(statement);
        default -> statement.append((char) c);
      }
    }
    if (next == ';') {
      take();
    }
    return statement.toString();
  }

  private int take() throws IOException {
    int taken = next;
    next = text.read();
    return taken;
  }

  /// A quote that is there twice ends what is quoted and begins it again.
  private void quoted(char begin, char end, StringBuilder statement) throws IOException {
    statement.append(begin);
    while (next != end) {
      if (next == END) {
        throw CommandException.usage(
            name + ": the dump ends within " + begin + end + "; it was cut, so make it again");
      }
      statement.append((char) take());
    }
    statement.append((char) take());
  }

  private void dash(StringBuilder statement) throws IOException {
    if (next != '-') {
      statement.append('-');
      return;
    }
    while (next != END && next != '\n') {
      take();
    }
  }

  private void slash(StringBuilder statement) throws IOException {
    if (next != '*') {
      statement.append('/');
      return;
    }
    take();
    for (int last = take(); next != END && !(last == '*' && next == '/'); ) {
      last = take();
    }
    take();
    statement.append(' ');
  }
}
