package io.varve.cli.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;

/// The standard streams of a command, and whether a person is at their ends. Results go to [#out]
/// as UTF-8, whatever the locale, so that what one command writes another can read. Messages and
/// progress go to [#err].
public final class Stdio {
  private final InputStream in;
  private final StandardOutput out;
  private final PrintStream err;
  private final boolean inIsTerminal;
  private final boolean outIsTerminal;
  private final boolean errIsTerminal;

  /// Streams that nobody watches.
  public Stdio(InputStream in, OutputStream out, PrintStream err) {
    this(in, new StandardOutput(out), err, false, false, false);
  }

  private Stdio(
      InputStream in,
      StandardOutput out,
      PrintStream err,
      boolean inIsTerminal,
      boolean outIsTerminal,
      boolean errIsTerminal) {
    this.in = in;
    this.out = out;
    this.err = err;
    this.inIsTerminal = inIsTerminal;
    this.outIsTerminal = outIsTerminal;
    this.errIsTerminal = errIsTerminal;
  }

  /// The streams of this process. [System#out] is passed by: it hides failures.
  public static Stdio ofProcess() {
    return new Stdio(
        new FileInputStream(FileDescriptor.in),
        new StandardOutput(new FileOutputStream(FileDescriptor.out)),
        System.err,
        TerminalProbe.isTerminal(0),
        TerminalProbe.isTerminal(1),
        TerminalProbe.isTerminal(2));
  }

  /// The same streams with another input, for the commands of a script, which is the input itself.
  public Stdio withInput(InputStream input) {
    return new Stdio(input, out, err, /* inIsTerminal= */ false, outIsTerminal, errIsTerminal);
  }

  /// Standard input, unbuffered.
  public InputStream in() {
    return in;
  }

  /// Standard output, buffered. Closing it only flushes it.
  public OutputStream out() {
    return out;
  }

  /// Standard error.
  public PrintStream err() {
    return err;
  }

  /// Whether standard input comes from a terminal.
  public boolean inIsTerminal() {
    return inIsTerminal;
  }

  /// Whether standard output goes to a terminal.
  public boolean outIsTerminal() {
    return outIsTerminal;
  }

  /// Whether standard error goes to a terminal.
  public boolean errIsTerminal() {
    return errIsTerminal;
  }

  /// Whether what goes to a terminal may have colours and the like: not if `NO_COLOR` is set
  /// (no-color.org), nor on a terminal that has none.
  public static boolean isStyled() {
    String noColor = System.getenv("NO_COLOR");
    return (noColor == null || noColor.isEmpty()) && !"dumb".equals(System.getenv("TERM"));
  }

  /// Writes `text` to standard output.
  ///
  /// @throws UncheckedIOException with an [OutputFailedException] if it takes no more
  public void print(String text) {
    write(text.getBytes(UTF_8));
  }

  /// Writes a line to standard output; a terminal shows it immediately.
  ///
  /// @throws UncheckedIOException with an [OutputFailedException] if it takes no more
  public void println(String line) {
    print(line + "\n");
    if (outIsTerminal) {
      flush();
    }
  }

  /// Writes bytes to standard output.
  ///
  /// @throws UncheckedIOException with an [OutputFailedException] if it takes no more
  public void write(byte[] bytes) {
    try {
      out.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Hands what was written to the operating system.
  ///
  /// @throws UncheckedIOException with an [OutputFailedException] if it takes no more
  public void flush() {
    try {
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
