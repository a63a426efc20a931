package io.varve.grid.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.grid.node.NodeException;
import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Passwords that a user gives: never on the command line, which every process of the machine can
/// read.
public final class Passwords {
  private static final Path STANDARD_INPUT = Path.of("-");

  private Passwords() {}

  /// The first line of a file.
  static String ofFile(Path file) {
    try {
      return Files.readString(file).lines().findFirst().orElse("");
    } catch (IOException e) {
      throw new NodeException("cannot read the password: file=" + file, e);
    }
  }

  private static String ofInput() {
    try {
      // Another user, as in a container, may not open the pipe by its name.
      return new String(System.in.readAllBytes(), UTF_8).lines().findFirst().orElse("");
    } catch (IOException e) {
      throw new NodeException("cannot read the password from the standard input", e);
    }
  }

  /// That of a file if one is named, or of the standard input for `-`, else what is typed.
  ///
  /// @throws NodeException if the file cannot be read, or there is no terminal to ask at
  public static String ofFileOrTerminal(@Nullable Path file, String user) {
    if (file != null) {
      return file.equals(STANDARD_INPUT) ? ofInput() : ofFile(file);
    }
    // Of a process without a terminal, as in a pipe, it is null again since JDK 25.
    Console console =
        Optional.ofNullable(System.console())
            .filter(Console::isTerminal)
            .orElseThrow(() ->
                new NodeException(
                    "no terminal to ask for the password; name a file by --password-file, or '-'"
                        + " for the standard input"));
    char[] typed = console.readPassword("Password of %s: ", user);
    return typed == null ? "" : new String(typed);
  }
}
