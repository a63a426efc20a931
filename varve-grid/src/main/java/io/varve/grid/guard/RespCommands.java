package io.varve.grid.guard;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.commands.Commands;

/// The commands of RESP that a process offers.
final class RespCommands {
  /// Scripts run in a Lua that Infinispan lets reach classes of Java, files and processes, and that
  /// nothing can stop.
  private static final Set<String> SCRIPTS =
      Set.of("EVAL", "EVAL_RO", "EVALSHA", "EVALSHA_RO", "SCRIPT");

  private RespCommands() {}

  /// Whether a word is the name of a command, in letters of either case.
  static boolean isOffered(String word) {
    String name = word.toUpperCase(Locale.ROOT);
    return Commands.all().stream().anyMatch(command -> command.getName().equals(name));
  }

  /// Takes the commands that run scripts out of the table of all. They are then unknown, to clients
  /// and to transactions alike.
  static void withholdScripts() {
    RespCommand[][] byLetter = Commands.ALL_COMMANDS;
    for (int letter = 0; letter < byLetter.length; letter++) {
      if (byLetter[letter] != null) {
        byLetter[letter] =
            Arrays.stream(byLetter[letter])
                .filter(command -> !SCRIPTS.contains(command.getName()))
                .toArray(RespCommand[]::new);
      }
    }
  }
}
