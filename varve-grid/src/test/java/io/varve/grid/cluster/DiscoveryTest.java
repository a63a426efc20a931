package io.varve.grid.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.grid.cluster.Discovery.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What users write of where other nodes are is passed to JGroups as it expects it.
class DiscoveryTest {
  @Test
  void hostsHaveTheirPortOrTheUsualOne() {
    Discovery hosts = Discovery.parse("hosts:10.0.0.1,other:7900,fd00::1");
    assertThat(hosts.kind()).isEqualTo(Kind.HOSTS);
    assertThat(hosts.place(7800)).isEqualTo("10.0.0.1[7800],other[7900],fd00::1[7800]");
  }

  @Test
  void filesAndNamesAreTakenAsTheyAre() {
    assertThat(Discovery.parse("file:/srv/nodes"))
        .isEqualTo(new Discovery(Kind.FILE, "/srv/nodes"));
    assertThat(Discovery.parse("dns:nodes.shop").place(7800)).isEqualTo("nodes.shop");
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.1", "hosts:", "multicast:x", ":x", ""})
  void anythingElseIsRefusedWithWhatToWrite(String written) {
    assertThatThrownBy(() -> Discovery.parse(written))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("write hosts:ADDRESS,ADDRESS or file:DIR or dns:NAME");
  }
}
