package io.varve.grid;

import io.varve.grid.node.NodeDirectory;
import io.varve.grid.security.Protection;
import io.varve.grid.security.Tls;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What a user may type to see that a node that has started serves each protocol: lines that a
/// shell takes as they are, once the name of a user is put in where there are users.
///
/// @param bindAddress that the node listens at
/// @param port that all protocols share
record FirstCommands(String bindAddress, int port, Protection protection, Path data) {
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    boolean users = protection.users();
    lines.add("try REST: curl" + trust() + (users ? " -u NAME" : "") + " -X PUT -d world " + url());
    lines.add(
        "try Redis: redis-cli -h "
            + host()
            + " -p "
            + port
            + (protection.tls() == null ? "" : " --tls" + trust())
            + (users ? " --user NAME --askpass" : "")
            + " GET hello");
    if (protection.tls() == null) { // The tools of libmemcached do not encrypt.
      lines.add(
          "try memcached: memcstat --servers="
              + host()
              + ":"
              + port
              + (users ? " --binary --username=NAME --password=PASSWORD" : ""));
    }
    String scheme = protection.tls() == null ? "hotrod" : "hotrods";
    lines.add("try Hot Rod: a client of " + scheme + "://" + inUrl(host()) + ":" + port);
    return lines;
  }

  private String host() {
    return switch (bindAddress) {
      case "0.0.0.0", "::" -> "localhost";
      default -> bindAddress;
    };
  }

  private static String inUrl(String host) {
    return host.contains(":") ? "[" + host + "]" : host;
  }

  private String url() {
    String scheme = protection.tls() == null ? "http" : "https";
    return scheme + "://" + inUrl(host()) + ":" + port + "/rest/v2/caches/default/hello";
  }

  private String trust() {
    Tls tls = protection.tls();
    return tls == null || !tls.selfMade()
        ? ""
        : " --cacert " + NodeDirectory.configuration(data).resolve("self-made.pem");
  }
}
