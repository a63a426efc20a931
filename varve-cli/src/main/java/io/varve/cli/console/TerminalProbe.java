package io.varve.cli.console;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jline.nativ.CLibrary;

/// Finds out whether a standard stream of this process goes to a terminal, without native calls,
/// and how wide that is.
public final class TerminalProbe {
  private static final int STANDARD_ERROR = 2;

  /// Of a terminal whose width is not known.
  private static final int COLUMNS_DEFAULT = 80;

  private TerminalProbe() {}

  /// Whether the file descriptor is a terminal. Where the system lists the descriptors of a process
  /// it names what each is; elsewhere input and output are known only together.
  public static boolean isTerminal(int fileDescriptor) {
    Path link = Path.of("/proc/self/fd", Integer.toString(fileDescriptor));
    if (!Files.isSymbolicLink(link)) {
      return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    }
    try {
      String target = Files.readSymbolicLink(link).toString();
      return target.startsWith("/dev/pts/")
          || target.startsWith("/dev/tty")
          || target.equals("/dev/console");
    } catch (IOException e) {
      return false; // Gone between the two looks: certainly not a terminal that anybody watches.
    }
  }

  /// The columns of the terminal that standard error goes to, now: 80 where the system does not
  /// report them. Loads a native library at its first call, so only what takes long calls it.
  static int columnsOfErr() {
    try {
      int columns = CLibrary.getTerminalWidth(STANDARD_ERROR);
      return columns > 0 ? columns : COLUMNS_DEFAULT;
    } catch (LinkageError _) {
      return COLUMNS_DEFAULT; // Windows, and systems that the library was not built for.
    }
  }
}
