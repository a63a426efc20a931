package io.varve.cli.console;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Finds out whether a standard stream of this process goes to a terminal, without native calls.
public final class TerminalProbe {
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
}
