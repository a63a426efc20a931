package io.varve.grid;

import io.varve.KeySource;
import io.varve.grid.backup.RestoredNode;
import io.varve.grid.node.NodeException;
import io.varve.grid.security.Passwords;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Backups of nodes that run, alone or as a cluster, and nodes made of them.
@Command(
    name = "node",
    description = "Backups of nodes that run: make one, restore a node.",
    synopsisSubcommandLabel = "COMMAND",
    footer =
        """

        A backup of a cluster is one directory on each node, all as of one time. To restore a cluster,
        restore each node from the directory that it made, and start all of them.

        Examples:
          varve node backup nightly
          varve node backup nightly --url https://10.0.0.1:11222 --user alice --trust node.pem
          varve node restore varve-node/backups/nightly/host-1 --data restored\
        """)
final class NodeCommand implements Runnable {
  @Spec CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing required subcommand");
  }

  @Command(
      name = "backup",
      description =
          "Have all nodes of a cluster, or one that is alone, make a backup as of one time while"
              + " they are in use: on each in backups/NAME of its directory.")
  void backup(
      @Parameters(paramLabel = "NAME", description = "Letters, digits, - and _ .") String name,
      @Option(
              names = "--url",
              paramLabel = "URL",
              defaultValue = "http://127.0.0.1:11222",
              description = "Any of the nodes. Default: ${DEFAULT-VALUE}.")
          URI url,
      @Option(
              names = "--user",
              paramLabel = "NAME",
              description = "A user with the role ADMIN, if the node asks.")
          @Nullable String user,
      @Option(
              names = "--password-file",
              paramLabel = "FILE",
              description =
                  "File whose first line is the password; '-' is the standard input. Default: ask"
                      + " for it.")
          @Nullable Path passwordFile,
      @Option(
              names = "--trust",
              paramLabel = "PEM",
              description = "The certificate of the node, if it has made it itself.")
          @Nullable Path certificate)
      throws IOException, InterruptedException {
    String password = user == null ? "" : Passwords.ofFileOrTerminal(passwordFile, user);
    try (var node = new NodeClient(url, user, password, certificate)) {
      say(node.backUp(name).strip());
    } catch (IllegalArgumentException e) {
      throw new NodeException(String.valueOf(e.getMessage()), e);
    }
  }

  @Command(
      name = "restore",
      description = {
        "Make the directory of a node from a backup that it made, and verify each store in it.",
        "Nothing of another node is in it: restore each from its own."
      })
  void restore(
      @Parameters(
              paramLabel = "BACKUP",
              description = "Directory of one node, such as backups/nightly/host-1.")
          Path backup,
      @Option(
              names = {"-d", "--data"},
              paramLabel = "DIR",
              required = true,
              description = "Directory of the node to make; there is none yet.")
          Path data,
      @Option(
              names = "--key-file",
              paramLabel = "FILE",
              defaultValue = "${env:VARVE_KEY_FILE}",
              description =
                  "The key of a node whose stores are encrypted. Default: $$VARVE_KEY_FILE.")
          @Nullable Path keyFile)
      throws IOException {
    RestoredNode restored =
        RestoredNode.make(backup, data, keyFile == null ? null : KeySource.file(keyFile));
    say(
        "restored: stores="
            + restored.stores()
            + ", bytes="
            + restored.bytes()
            + ", directory="
            + data);
    say("start it with the options that it had: varve serve --data " + data);
  }

  private void say(String line) {
    spec.commandLine().getOut().println(line);
    spec.commandLine().getOut().flush();
  }
}
