package io.varve.grid;

import io.varve.grid.guard.connection.Limits;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Option;

/// What a node takes from clients, before it knows who they are.
final class ClientOptions {
  /// The slowest of clients sends its first request within this.
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);

  /// More than a start takes from the first word of the node to clients until it lets them in; less
  /// than a client minds whose call is for a node that waits for others.
  private static final Duration EARLY_WITHIN = Duration.ofSeconds(1);

  @Option(
      names = "--name",
      paramLabel = "NAME",
      order = 27,
      description =
          "A name or address that clients call the node by, in addition to localhost, that of the"
              + " machine and --bind, as when a load balancer is in front: browsers may use it,"
              + " and a certificate that the node makes has it. May be given more than once.")
  List<String> names = List.of();

  @Option(
      names = "--connections",
      paramLabel = "COUNT",
      order = 28,
      description = "Connections at one time. Default: ${DEFAULT-VALUE}.")
  int connectionsMax = 10_000;

  @Option(
      names = "--connections-per-address",
      paramLabel = "COUNT",
      order = 29,
      description = "Connections of one address at one time. Default: ${DEFAULT-VALUE}.")
  int connectionsPerAddressMax = 2_000;

  @Option(
      names = "--failed-logins",
      paramLabel = "COUNT",
      order = 29,
      description =
          "Logins of one address that may fail before those that follow wait, one in ten seconds; 0"
              + " is no bound. Raise it where a load balancer has one address for many clients."
              + " Default: ${DEFAULT-VALUE}.")
  int failedLoginsMax = 20;

  @Option(
      names = "--idle-after",
      paramLabel = "SECONDS",
      order = 29,
      description =
          "A connection on which nothing comes or goes for so long is closed; 0 is never. Default:"
              + " ${DEFAULT-VALUE}.")
  int idleSeconds = 3_600;

  /// What the options set.
  ///
  /// @param bindAddress that the node listens at
  /// @param valueBytesMax the longest request
  Limits limits(String bindAddress, long valueBytesMax) {
    return new Limits(
        allNames(bindAddress),
        valueBytesMax,
        connectionsMax,
        connectionsPerAddressMax,
        failedLoginsMax,
        ANSWER_WITHIN,
        EARLY_WITHIN,
        Duration.ofSeconds(idleSeconds));
  }

  private Set<String> allNames(String bindAddress) {
    Set<String> all = new HashSet<>(Set.of("localhost"));
    names.forEach(name -> all.add(name.toLowerCase(Locale.ROOT)));
    all.add(bindAddress.toLowerCase(Locale.ROOT));
    try {
      InetAddress self = InetAddress.getLocalHost();
      all.add(self.getHostName().toLowerCase(Locale.ROOT));
      all.add(self.getCanonicalHostName().toLowerCase(Locale.ROOT));
    } catch (UnknownHostException e) {
      // A machine without a name that it can resolve has none that a browser could use.
    }
    return all;
  }
}
