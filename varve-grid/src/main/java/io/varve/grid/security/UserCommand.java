package io.varve.grid.security;

import io.varve.grid.node.NodeDirectory;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/// The users of a node, which may run or not.
@Command(
    name = "user",
    description = "The users of a node: add, remove, list.",
    synopsisSubcommandLabel = "COMMAND")
public final class UserCommand implements Runnable {
  @Spec CommandSpec spec;

  @Option(
      names = {"-d", "--data"},
      paramLabel = "DIR",
      defaultValue = NodeDirectory.DEFAULT,
      scope = ScopeType.INHERIT,
      description = "Directory of the node. Default: ${DEFAULT-VALUE}.")
  Path data;

  /// Made by picocli.
  public UserCommand() {}

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing required subcommand");
  }

  private Users users() {
    return new Users(NodeDirectory.configuration(data));
  }

  @Command(name = "add", description = "Add a user, or give one another password and role.")
  void add(
      @Parameters(paramLabel = "NAME", description = "Name of the user.") String name,
      @Option(
              names = "--role",
              paramLabel = "ROLE",
              defaultValue = "ADMIN",
              description = "One of ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
          Role role,
      @Option(
              names = "--password-file",
              paramLabel = "FILE",
              description =
                  "File whose first line is the password; '-' is the standard input. Default: ask"
                      + " for it.")
          @Nullable Path passwordFile)
      throws IOException {
    users().set(name, Passwords.ofFileOrTerminal(passwordFile, name), role);
  }

  @Command(name = "remove", description = "Remove a user.")
  void remove(@Parameters(paramLabel = "NAME", description = "Name of the user.") String name)
      throws IOException {
    users().remove(name);
  }

  @Command(name = "list", description = "Name the users.")
  void list() {
    users().names().forEach(spec.commandLine().getOut()::println);
  }
}
