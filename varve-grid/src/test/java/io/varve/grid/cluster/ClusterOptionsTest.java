package io.varve.grid.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.grid.node.NodeException;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// The address for other nodes is that of clients only where an operator names it.
class ClusterOptionsTest {
  private static final String HERE = "127.0.0.1";
  private static final String OPEN = "10.0.0.1";

  @Command
  private static final class Holder {
    @Mixin ClusterOptions options;
  }

  private static String address(String bindAddress, String... arguments) {
    var holder = new Holder();
    new CommandLine(holder).parseArgs(arguments);
    return holder
        .options
        .container(bindAddress, /* users= */ false)
        .properties()
        .get("varve.cluster.address");
  }

  @Test
  void theAddressOfClientsIsNotTakenUnnamed() {
    for (String bindAddress : new String[] {OPEN, "0.0.0.0"}) {
      assertThatThrownBy(() -> address(bindAddress, "--cluster", "shop"))
          .isInstanceOf(NodeException.class)
          .hasMessageContaining("address=" + bindAddress)
          .hasMessageContaining("--cluster-bind");
    }
    assertThat(address(OPEN, "--cluster", "shop", "--cluster-bind", "10.1.0.1"))
        .isEqualTo("10.1.0.1");
    assertThat(address(OPEN, "--cluster", "shop", "--cluster-bind", OPEN)).isEqualTo(OPEN);
    assertThat(address(HERE, "--cluster", "shop")).isEqualTo(HERE);
  }
}
