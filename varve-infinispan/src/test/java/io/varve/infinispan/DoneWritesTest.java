package io.varve.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.infinispan.DoneWrites.Done;
import io.varve.infinispan.DoneWrites.Outcome;
import java.util.Objects;
import org.infinispan.commands.CommandInvocationId;
import org.infinispan.commands.write.PutKeyValueCommand;
import org.infinispan.remoting.transport.Address;
import org.infinispan.util.ByteString;
import org.junit.jupiter.api.Test;

/// What a node may conclude from the writes that it has done.
class DoneWritesTest {
  private static final int SEGMENT = 7;
  private static final int TOPOLOGY = 10;

  private final DoneWrites writes = new DoneWrites(1 << 20);

  private CommandInvocationId add() {
    CommandInvocationId id = CommandInvocationId.generateId(Address.LOCAL);
    var write =
        new PutKeyValueCommand(
            ByteString.emptyString(), "key", "value", true, false, null, SEGMENT, 0, id);
    write.setTopologyId(TOPOLOGY);
    writes.add(write, new Outcome("value", null, null), (_, committed) -> committed);
    return id;
  }

  private Done done(CommandInvocationId id) {
    return Objects.requireNonNull(writes.of(id));
  }

  /// While others owned its key they may have written it again, or removed it, and this node was
  /// sent nothing.
  @Test
  void aWriteShowsNothingAfterItsKeyHadOtherOwners() {
    CommandInvocationId id = add();
    writes.lost(SEGMENT, TOPOLOGY - 1);
    writes.lost(SEGMENT + 1, TOPOLOGY + 1);
    assertThat(writes.isOwnedSince(done(id))).isTrue();
    writes.lost(SEGMENT, TOPOLOGY + 1);
    writes.lost(SEGMENT, TOPOLOGY - 1);
    assertThat(writes.isOwnedSince(done(id))).isFalse();
  }

  @Test
  void aWriteThatItsPrimaryOwnerCommittedTookEffect() {
    CommandInvocationId id = add();
    writes.commit(id, true);
    writes.overwritten("key", (_, _) -> false);
    assertThat(done(id).outcome()).isNull();
    assertThat(done(id).isEffective()).isTrue();
  }

  @Test
  void aWriteThatABackupCommittedTookEffectIfTheNextOneSawIt() {
    CommandInvocationId seen = add();
    writes.commit(seen, false);
    writes.overwritten("key", (left, committed) -> committed && "value".equals(left.value()));
    assertThat(done(seen).isEffective()).isTrue();

    CommandInvocationId unseen = add();
    writes.commit(unseen, false);
    writes.overwritten("key", (left, _) -> "other".equals(left.value()));
    assertThat(done(unseen).isEffective()).isFalse();
  }
}
