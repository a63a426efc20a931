package io.varve.grid;

import io.varve.grid.node.Node;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;

/// Nodes in this process, as the command would start them.
final class Serving {
  private Serving() {}

  /// A port that nobody listens at, as text. Of a node, one port alone may be whichever is free.
  static String freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return Integer.toString(socket.getLocalPort());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Node node(Path data, String... options) {
    var command = new ServeCommand();
    List<String> arguments = new ArrayList<>(Arrays.asList(options));
    arguments.addAll(List.of("--port", "0", "--data", data.toString()));
    new CommandLine(command)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .parseArgs(arguments.toArray(String[]::new));
    return command.start();
  }
}
