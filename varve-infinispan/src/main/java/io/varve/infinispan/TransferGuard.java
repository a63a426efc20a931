package io.varve.infinispan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.infinispan.commands.FlagAffectedCommand;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.write.ClearCommand;
import org.infinispan.commands.write.PutKeyValueCommand;
import org.infinispan.commands.write.WriteCommand;
import org.infinispan.container.entries.MVCCEntry;
import org.infinispan.context.Flag;
import org.infinispan.context.InvocationContext;
import org.infinispan.context.impl.FlagBitSets;
import org.infinispan.distribution.DistributionManager;
import org.infinispan.factories.impl.BasicComponentRegistry;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.interceptors.BaseAsyncInterceptor;
import org.infinispan.interceptors.impl.DistCacheWriterInterceptor;
import org.infinispan.interceptors.impl.EntryWrappingInterceptor;
import org.infinispan.statetransfer.CommitManager;

/// Keeps entries that a node is sent by others out of its store where they have been written since.
///
/// While segments come, clients continue to write their entries. Infinispan knows which, and takes
/// nothing that was sent into memory where it is older; but the store has been given it by then. So
/// what was removed would come back, and what was overwritten would as soon as it is not in memory.
///
/// Infinispan writes to the store between the answer of the other owners and its own commit to
/// memory. There a command here holds its keys alone (T1). One that brings an entry finds whether
/// its key was written by another since the segments began to come. It also finds whether nothing
/// is to come any more since all was cleared. It leaves the store alone in both cases (T2). A
/// command that clears the store waits for all that have keys (T3). Between the two no command
/// waits for another node, so none waits in a circle, except what listeners of its commit wait for
/// (T4).
///
/// Commands pass the outer interceptor, Infinispan's own that commits to memory, its own that
/// writes to the store, and the inner interceptor; and come back in reverse. They take their keys
/// when they come back to the inner one, and give them back at the outer one.
final class TransferGuard {
  private final CommitManager commits;
  private final DistributionManager distribution;

  /// The last command that has, or waits for, each key.
  private final Map<Object, CompletableFuture<Void>> turns = new ConcurrentHashMap<>();

  /// The [Turn] of each command between the interceptors.
  private final Map<InvocationContext, Turn> held = new ConcurrentHashMap<>();

  /// What was written while segments came the last time. Replaced, and never emptied: a command
  /// that has seen an earlier one changes nothing of a later one.
  private final AtomicReference<Written> written = new AtomicReference<>(Written.NONE);

  /// Keys that were written during one rebalance: at most as many as it has writes.
  private record Written(int rebalance, Set<Object> keys) {
    static final Written NONE = new Written(-1, Set.of());

    static Written during(int rebalance) {
      return new Written(rebalance, ConcurrentHashMap.newKeySet());
    }
  }

  private TransferGuard(CommitManager commits, DistributionManager distribution) {
    this.commits = commits;
    this.distribution = distribution;
  }

  /// Adds a guard around the interceptors of Infinispan that write an entry.
  static void add(AsyncInterceptorChain chain, BasicComponentRegistry components) {
    var guard =
        new TransferGuard(
            components.getComponent(CommitManager.class).wired(),
            components.getComponent(DistributionManager.class).wired());
    // The outer one first: alone it does nothing, and the inner one takes what it returns.
    if (chain.addInterceptorBefore(guard.new Outer(), EntryWrappingInterceptor.class)) {
      chain.addInterceptorAfter(guard.new Inner(), DistCacheWriterInterceptor.class);
    }
  }

  private boolean segmentsCome() {
    return commits.isTracking(Flag.PUT_FOR_STATE_TRANSFER);
  }

  private int rebalance() {
    return distribution.getCacheTopology().getRebalanceId();
  }

  private static boolean bringsEntry(VisitableCommand command) {
    return command instanceof PutKeyValueCommand put
        && put.hasAnyFlag(FlagBitSets.PUT_FOR_STATE_TRANSFER);
  }

  /// The keys that one command has to itself, once the commands before it have given them back.
  private final class Turn {
    private final Set<Object> keys;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final CompletableFuture<Void> begin;

    @SuppressWarnings("ReferenceEquality") // futures
    Turn(Collection<?> keys) {
      this.keys = new HashSet<>(keys); // Once each: a command must not wait for itself.
      List<CompletableFuture<Void>> before = new ArrayList<>();
      synchronized (turns) { // all together, so that two commands wait in one order for all
        for (Object key : this.keys) {
          CompletableFuture<Void> last = turns.put(key, end);
          if (last != null) {
            before.add(last);
          }
        }
      }
      begin = CompletableFuture.allOf(before.toArray(CompletableFuture[]::new));
    }

    void end() {
      keys.forEach(key -> turns.remove(key, end));
      end.complete(null);
    }
  }

  /// Takes the keys of commands that are about to write to the store.
  final class Inner extends BaseAsyncInterceptor {
    @Override
    public Object visitCommand(InvocationContext context, VisitableCommand command) {
      if (!(command instanceof WriteCommand write)) {
        return invokeNext(context, command);
      }
      if (command instanceof ClearCommand) {
        return invokeNextThenApply(context, command, (_, _, value) -> delayedValue(all(), value));
      }
      return invokeNextThenApply(
          context, write, (current, _, value) -> take(current, write, value));
    }

    private CompletableFuture<Void> all() {
      return CompletableFuture.allOf(turns.values().toArray(CompletableFuture[]::new));
    }

    private Object take(InvocationContext context, WriteCommand command, Object value) {
      Written last = written.get(); // before it is asked whether segments come
      if (!segmentsCome()) {
        written.compareAndSet(last, Written.NONE);
        omitIfOld(command);
        return value;
      }
      var turn = new Turn(command.getAffectedKeys());
      held.put(context, turn);
      return delayedValue(turn.begin.thenRun(() -> omitIfOld(command)), value);
    }

    private void omitIfOld(WriteCommand command) {
      if (bringsEntry(command)
          && (!segmentsCome() || isWritten(((PutKeyValueCommand) command).getKey()))) {
        ((FlagAffectedCommand) command).addFlags(FlagBitSets.SKIP_CACHE_STORE);
      }
    }

    private boolean isWritten(Object key) {
      Written now = written.get();
      return now.rebalance() == rebalance() && now.keys().contains(key);
    }
  }

  /// Gives the keys of commands back that are in memory, or have failed.
  final class Outer extends BaseAsyncInterceptor {
    @Override
    public Object visitCommand(InvocationContext context, VisitableCommand command) {
      if (!(command instanceof WriteCommand write)) {
        return invokeNext(context, command);
      }
      return invokeNextAndFinally(context, write, (current, _, _, _) -> release(current, write));
    }

    private void release(InvocationContext context, WriteCommand command) {
      Turn turn = held.remove(context);
      try {
        if (segmentsCome() && !bringsEntry(command)) {
          note(context, command);
        }
      } finally {
        if (turn != null) {
          turn.end();
        }
      }
    }

    private void note(InvocationContext context, WriteCommand command) {
      int rebalance = rebalance();
      Written now =
          written.updateAndGet(
              last -> last.rebalance() == rebalance ? last : Written.during(rebalance));
      for (Object key : command.getAffectedKeys()) {
        if (context.lookupEntry(key) instanceof MVCCEntry<?, ?> entry && entry.isCommitted()) {
          now.keys().add(key);
        }
      }
    }
  }
}
