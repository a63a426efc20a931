package io.varve.grid.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.grid.node.NodeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.infinispan.globalstate.ScopedPersistentState;
import org.infinispan.globalstate.impl.ScopedPersistentStateImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A node gives its entries up only where others have them.
class TopologyFilesTest {
  private static final UUID SELF = new UUID(0, 1);
  private static final UUID SECOND = new UUID(0, 2);
  private static final UUID THIRD = new UUID(0, 3);

  @TempDir Path data;

  private TopologyFiles files(List<List<UUID>> owners) throws Exception {
    ScopedPersistentState state = new ScopedPersistentStateImpl("orders");
    state.setProperty("segmentOwners", owners.size());
    for (int segment = 0; segment < owners.size(); segment++) {
      for (int i = 0; i < owners.get(segment).size(); i++) {
        state.setProperty(
            "segmentOwner." + segment + "." + i, owners.get(segment).get(i).toString());
      }
    }
    var files = new TopologyFiles(data);
    files.write(state);
    return files;
  }

  private TopologyFiles members(String cache, List<UUID> members) throws Exception {
    ScopedPersistentState state = new ScopedPersistentStateImpl(cache);
    state.setProperty("members", members.size());
    for (int i = 0; i < members.size(); i++) {
      state.setProperty("member." + i, members.get(i).toString());
    }
    var files = new TopologyFiles(data);
    files.write(state);
    return files;
  }

  @Test
  void aNodeThatHasTheLastCopyOfASegmentKeepsIt() throws Exception {
    TopologyFiles files = files(List.of(List.of(SELF, SECOND), List.of(THIRD, SELF)));
    assertThatThrownBy(() -> files.requireOwners(SELF, Set.of(SECOND)))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("segment=1")
        .hasMessageContaining(THIRD.toString())
        .hasMessageContaining("start the node that stopped last first");
  }

  @Test
  void aNodeWhoseSegmentsAllHaveAnotherOwnerMayGiveThemUp() throws Exception {
    TopologyFiles files =
        files(List.of(List.of(SELF, SECOND), List.of(SECOND, THIRD), List.of(THIRD)));
    assertThatCode(() -> files.requireOwners(SELF, Set.of(SECOND))).doesNotThrowAnyException();
  }

  @Test
  void aNodeThatHadAllAloneKeepsThem() throws Exception {
    TopologyFiles files = files(List.of(List.of(SELF)));
    assertThatThrownBy(() -> files.requireOwners(SELF, Set.of(SECOND, THIRD)))
        .isInstanceOf(NodeException.class);
  }

  @Test
  void ofAReplicatedCacheAnyOtherMemberHasAll() throws Exception {
    TopologyFiles files = members("rates", List.of(SELF, SECOND));
    assertThatCode(() -> files.requireOwners(SELF, Set.of(SECOND))).doesNotThrowAnyException();
    assertThatThrownBy(() -> files.requireOwners(SELF, Set.of(THIRD)))
        .isInstanceOf(NodeException.class);
  }

  @Test
  void whatIsKeptIsWaitedForUnlessInfinispanKnowsMore() throws Exception {
    TopologyFiles files = files(List.of(List.of(SELF)));
    files.restore();
    assertThat(data.resolve("orders.state"))
        .hasSameTextualContentAs(data.resolve("topology/orders.state"));
    Files.writeString(data.resolve("orders.state"), "of a shutdown");
    files.restore();
    assertThat(data.resolve("orders.state")).hasContent("of a shutdown");
    files.abandon();
    assertThat(data.resolve("orders.state")).doesNotExist();
    assertThat(data.resolve("topology/orders.state")).exists();
  }

  @Test
  void asManyAreAwaitedAsTheCacheHasThatHasMost() throws Exception {
    TopologyFiles files = members("orders", List.of(SELF, SECOND));
    members("rates", List.of(SELF, SECOND, THIRD));
    assertThat(files.awaited()).isZero();
    files.restore();
    assertThat(files.awaited()).isEqualTo(3);
    files.abandon();
    assertThat(files.awaited()).isZero();
  }

  @Test
  void removedCachesAreForgotten() throws Exception {
    TopologyFiles files = members("orders", List.of(SELF, SECOND));
    members("removed", List.of(SELF, SECOND, THIRD));
    files.retain(Set.of("orders", "rates"));
    files.restore();
    assertThat(files.awaited()).isEqualTo(2);
    assertThat(data.resolve("removed.state")).doesNotExist();
  }

  @Test
  void aNodeThatWasInNoClusterWaitsForNobody() throws Exception {
    TopologyFiles files = new TopologyFiles(data);
    files.restore();
    assertThat(files.awaited()).isZero();
  }

  @Test
  void aCacheWhoseNameIsAPathWritesNothingElsewhere() throws Exception {
    assertThatThrownBy(() -> members("../../elsewhere", List.of(SELF)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cache=../../elsewhere");
  }
}
