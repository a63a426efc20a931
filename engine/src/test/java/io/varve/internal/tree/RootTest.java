package io.varve.internal.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.internal.file.LiveEpochs;
import io.varve.internal.page.Leaf;
import io.varve.internal.page.LeafPage;
import io.varve.internal.page.Node;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Which roots of the past stay in memory.
class RootTest {
  private static Root chain(long... epochs) {
    Root chain = null;
    for (long epoch : epochs) {
      chain = new Root(new Leaf(epoch, LeafPage.create(1024, new byte[0], 0)), epoch, chain);
    }
    assertThat(chain).isNotNull();
    return chain;
  }

  private static List<Long> epochs(Root newest) {
    return Stream.iterate(newest, root -> root != null, Root::previous).map(Root::epoch).toList();
  }

  /// One old snapshot kept the root of each epoch since, and all that only that root leads to.
  @Test
  void rootsBetweenLiveEpochsGo() {
    Root chain = chain(1, 3, 5, 7, 9);
    assertThat(epochs(chain.prune(LiveEpochs.of(List.of(2L))))).containsExactly(9L, 1L);
    assertThat(epochs(chain.prune(LiveEpochs.of(List.of(3L, 8L))))).containsExactly(9L, 7L, 3L);
    assertThat(epochs(chain.prune(LiveEpochs.of(List.of(9L))))).containsExactly(9L);
    assertThat(epochs(chain.prune(LiveEpochs.NONE))).containsExactly(9L);
    assertThat(chain.prune(LiveEpochs.of(List.of(1L, 3L, 5L, 7L)))).isSameAs(chain);
  }

  @Test
  void liveEpochFindsTheSameRootAfterwards() {
    Root chain = chain(2, 4, 6, 8);
    LiveEpochs live = LiveEpochs.of(List.of(5L, 9L));
    Root pruned = chain.prune(live);
    for (long epoch : new long[] {5, 9}) {
      assertThat(node(pruned, epoch)).isSameAs(node(chain, epoch));
    }
    assertThat(Root.at(pruned, 1)).isNull();
  }

  private static Node node(Root newest, long epoch) {
    Root at = Root.at(newest, epoch);
    assertThat(at).isNotNull();
    return at.node();
  }
}
