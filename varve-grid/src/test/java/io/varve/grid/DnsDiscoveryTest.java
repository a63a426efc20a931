package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.Clients.Rest;
import io.varve.grid.node.Node;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/// Nodes find each other by a name that is resolved, at one port and addresses of their own, as in
/// a headless service of Kubernetes. They have users and TLS, as those have.
@Timeout(value = 240, threadMode = ThreadMode.SEPARATE_THREAD)
class DnsDiscoveryTest {
  @TempDir Path directory;

  private Node start(Guarded guarded, String address, String port) {
    return guarded.node(
        directory.resolve(address),
        "--cluster=by-name",
        "--discovery=dns:localhost",
        "--cluster-bind=" + address,
        "--cluster-port=" + port);
  }

  @Test
  void aNodeJoinsWhoTheNameLeadsTo() throws Exception {
    String port = Serving.freeClusterPort();
    var guarded = new Guarded(directory);
    try (Node first = start(guarded, "127.0.0.1", port);
        Rest writer = guarded.rest(first)) {
      writer.put("k", "v");
      try (Node second = start(guarded, "127.0.0.2", port);
          Rest reader = guarded.rest(second)) {
        assertThat(second.caches().getMembers()).hasSize(2);
        assertThat(reader.get("k").body()).isEqualTo("v");
      }
    }
  }
}
