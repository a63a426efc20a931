package io.varve.grid.backup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.infinispan.commands.CommandInvocationId;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.write.ClearCommand;
import org.infinispan.commands.write.RemoveExpiredCommand;
import org.infinispan.context.InvocationContext;
import org.infinispan.context.impl.FlagBitSets;
import org.infinispan.context.impl.NonTxInvocationContext;
import org.infinispan.interceptors.AsyncInterceptor;
import org.infinispan.interceptors.BaseAsyncInterceptor;
import org.infinispan.util.ByteString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a gate holds, what it lets pass, and when it has drained.
class WriteGateTest {
  private static final String BACKUP = "backup";

  private final WriteGate gate = new WriteGate();
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final BaseAsyncInterceptor interceptor = gate.interceptor(tasks::add);
  private final List<VisitableCommand> passed = new ArrayList<>();

  /// What ends a write that has passed.
  private CompletableFuture<Object> end = CompletableFuture.completedFuture(null);

  @BeforeEach
  void connect() {
    AsyncInterceptor cache =
        new BaseAsyncInterceptor() {
          @Override
          public Object visitCommand(InvocationContext context, VisitableCommand command) {
            passed.add(command);
            return asyncValue(end);
          }
        };
    interceptor.setNextInterceptor(cache);
  }

  private void write(long flags) throws Throwable {
    interceptor.visitCommand(new NonTxInvocationContext(null), command(flags));
  }

  private static ClearCommand command(long flags) {
    return new ClearCommand(ByteString.fromString("cache"), flags, 1);
  }

  @Test
  void aWriteWaitsForTheEndOfAHoldAndContinuesElsewhere() throws Throwable {
    assertThat(gate.hold(BACKUP)).isCompleted();
    write(0);
    assertThat(passed).isEmpty();
    assertThat(gate.release(BACKUP)).isTrue();
    assertThat(passed).as("by the thread that ends the hold").isEmpty();
    tasks.remove().run();
    assertThat(passed).hasSize(1);
  }

  @Test
  void aHoldWaitsForWritesUnderWay() throws Throwable {
    end = new CompletableFuture<>();
    write(0);
    CompletableFuture<Void> drained = gate.hold(BACKUP);
    assertThat(drained).isNotDone();
    end.complete(null);
    assertThat(drained).isCompleted();
  }

  /// Infinispan drops entries that it is sent if they have to wait.
  @Test
  void entriesOfOtherNodesPassAndBreakAHold() throws Throwable {
    assertThat(gate.hold(BACKUP)).isCompleted();
    write(FlagBitSets.PUT_FOR_STATE_TRANSFER);
    assertThat(passed).hasSize(1);
    assertThat(gate.release(BACKUP)).isFalse();
  }

  @Test
  void aHoldWaitsForEntriesOfOtherNodes() throws Throwable {
    end = new CompletableFuture<>();
    write(FlagBitSets.PUT_FOR_STATE_TRANSFER);
    CompletableFuture<Void> drained = gate.hold(BACKUP);
    assertThat(drained).isNotDone();
    end.complete(null);
    assertThat(drained).isCompleted();
    assertThat(gate.release(BACKUP)).isTrue();
  }

  /// One that has a lock would wait at the gate, and those that are counted for its lock.
  @Test
  void transactionsPass() throws Throwable {
    assertThat(gate.hold(BACKUP)).isCompleted();
    var transaction =
        new NonTxInvocationContext(null) {
          @Override
          public boolean isInTxScope() {
            return true;
          }
        };
    interceptor.visitCommand(transaction, command(0));
    assertThat(passed).hasSize(1);
    assertThat(gate.release(BACKUP)).isTrue();
  }

  /// A write that is counted waits for the removal of the entry before it.
  @Test
  void removalsOfWhatHasExpiredPass() throws Throwable {
    assertThat(gate.hold(BACKUP)).isCompleted();
    var removal =
        new RemoveExpiredCommand(
            ByteString.fromString("cache"),
            "key",
            "value",
            1L,
            /* maxIdle= */ false,
            /* segment= */ 0,
            FlagBitSets.SKIP_LOCKING,
            CommandInvocationId.DUMMY_INVOCATION_ID);
    interceptor.visitCommand(new NonTxInvocationContext(null), removal);
    assertThat(passed).containsExactly(removal);
    assertThat(gate.release(BACKUP)).isTrue();
  }
}
