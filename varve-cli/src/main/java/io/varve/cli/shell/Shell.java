package io.varve.cli.shell;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.varve.Store;
import io.varve.cli.console.ExitCode;
import io.varve.cli.console.KeyText;
import io.varve.cli.console.Stdio;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.ToIntFunction;
import org.jline.reader.EOFError;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser.ParseContext;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.TerminalBuilder;
import picocli.CommandLine;

/// Reads commands, one a line, and runs them on an open store.
public final class Shell {
  private static final String PROMPT = "varve> ";

  private final CommandLine tree;
  private final BooleanSupplier hasEnded;
  private final Store store;
  private final Stdio stdio;
  private final ToIntFunction<Error> errors;

  /// Words are separated by blanks and may be in quotes. A backslash is left to the commands, which
  /// know it in keys.
  private final DefaultParser parser =
      new DefaultParser().escapeChars(null).eofOnUnclosedQuote(true);

  /// Makes a shell.
  ///
  /// @param tree runs the words of a line
  /// @param hasEnded whether a command has ended the shell
  /// @param errors reports an error of the JVM that has ended a command; gives the exit code
  public Shell(
      CommandLine tree,
      BooleanSupplier hasEnded,
      Store store,
      Stdio stdio,
      ToIntFunction<Error> errors) {
    this.tree = tree;
    this.hasEnded = hasEnded;
    this.store = store;
    this.stdio = stdio;
    this.errors = errors;
  }

  /// Talks to the user at the terminal, to the end.
  public int runInteractively() throws IOException {
    try (Terminal terminal = TerminalBuilder.builder().name("varve").system(true).build()) {
      Thread self = Thread.currentThread();
      terminal.handle(Signal.INT, _ -> self.interrupt());
      LineReader reader =
          LineReaderBuilder.builder()
              .appName("varve")
              .terminal(terminal)
              .parser(parser)
              .completer(new StoreCompleter(tree, store))
              .variable(
                  LineReader.HISTORY_FILE,
                  Path.of(System.getProperty("user.home"), ".varve_history"))
              .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
              .build();
      while (!hasEnded.getAsBoolean()) {
        try {
          run(words(reader.readLine(PROMPT), reader.getParsedLine()));
        } catch (UserInterruptException e) {
          // Ctrl-C at the prompt gives the line up.
        } catch (EndOfFileException e) {
          break;
        }
      }
      return 0;
    }
  }

  /// Runs each line of standard input; one that is not UTF-8 has failed.
  ///
  /// @return the exit code of the last command that failed, or 0
  public int runScript() throws IOException {
    int code = 0;
    // A character for each byte: a decoder of UTF-8 would fail ahead of the line where it matters.
    var lines = new BufferedReader(new InputStreamReader(stdio.in(), ISO_8859_1));
    String bytes = lines.readLine();
    for (long number = 1; bytes != null && !hasEnded.getAsBoolean(); number++) {
      String line = KeyText.decodeUtf8(bytes.getBytes(ISO_8859_1));
      int lineCode = line == null ? refuse(number) : run(split(line));
      code = lineCode == 0 ? code : lineCode;
      bytes = lines.readLine();
    }
    return code;
  }

  private int refuse(long lineNumber) {
    stdio.err().println("varve: line " + lineNumber + " is not UTF-8, and was not run");
    return ExitCode.USAGE;
  }

  private List<String> split(String line) {
    try {
      return words(line, parser.parse(line, line.length(), ParseContext.ACCEPT_LINE));
    } catch (EOFError e) {
      return List.of(line); // A quote that does not end: no command is called so.
    }
  }

  /// The words of a line, without the empty one that the parser sees after a blank at the end.
  private static List<String> words(String line, ParsedLine parsed) {
    List<String> words = parsed.words();
    return line.endsWith(" ") && words.getLast().isEmpty()
        ? words.subList(0, words.size() - 1)
        : words;
  }

  /// Runs one line; gives its exit code.
  private int run(List<String> words) {
    if (words.isEmpty() || words.getFirst().isEmpty() || words.getFirst().startsWith("#")) {
      return 0;
    }
    int code;
    try {
      code = tree.execute(words.toArray(String[]::new));
      tree.getOut().flush();
      stdio.flush();
    } catch (Error e) { // as of a value that memory has no capacity for: the store is still open
      code = errors.applyAsInt(e);
    }
    boolean _ = Thread.interrupted(); // A Ctrl-C that came too late for this command.
    return code;
  }
}
