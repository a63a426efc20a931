package io.varve.grid;

import io.varve.grid.node.Node;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;

/// Nodes in this process, as the command would start them.
final class Serving {
  /// Nodes listen for other nodes at one higher by this as well.
  private static final int SECOND_PORT = 50_000;

  private Serving() {}

  /// A port that no process listens at, as text. Of a node, one port alone may be whichever is
  /// free.
  static String freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return Integer.toString(socket.getLocalPort());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A port for other nodes, free at all addresses of this machine.
  static String freeClusterPort() {
    // Others test as well, at the same time, and have the next numbers as processes.
    int first = 10_000 + (int) (ProcessHandle.current().pid() * 1_009 % 4_000);
    for (int port = first; ; port++) {
      try (var lower = new ServerSocket();
          var upper = new ServerSocket()) {
        lower.bind(new InetSocketAddress(port));
        upper.bind(new InetSocketAddress(port + SECOND_PORT));
        return Integer.toString(port);
      } catch (IOException e) {
        // A process listens there.
      }
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
