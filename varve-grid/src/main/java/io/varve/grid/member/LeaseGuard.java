package io.varve.grid.member;

import io.varve.grid.member.ReadLease.Begun;
import org.infinispan.commands.FlagAffectedCommand;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.functional.ReadOnlyKeyCommand;
import org.infinispan.commands.functional.ReadOnlyManyCommand;
import org.infinispan.commands.read.GetAllCommand;
import org.infinispan.commands.read.GetCacheEntryCommand;
import org.infinispan.commands.read.GetKeyValueCommand;
import org.infinispan.commands.read.SizeCommand;
import org.infinispan.commands.write.WriteCommand;
import org.infinispan.context.InvocationContext;
import org.infinispan.context.impl.FlagBitSets;
import org.infinispan.factories.impl.BasicComponentRegistry;
import org.infinispan.interceptors.BaseAsyncInterceptor;
import org.infinispan.interceptors.InvocationSuccessFunction;
import org.infinispan.statetransfer.OutdatedTopologyException;

/// Keeps a node from answering reads that it cannot know to be current.
///
/// - GUARD-1 A read begins when the node has a [Lease], and its answer is released if the node has
///   one of the same view afterwards. So the others counted it in when it read: without it they
///   have answered nothing yet. When it may begin is GUARD-2 and GUARD-3 of [ReadLease].
/// - GUARD-4 The size of a cache begins when a read does. [LeasedPublishers] look at its end, as at
///   that of an iteration.
///
/// A write that took effect needs no lease: other owners have taken it, in the topology that they
/// have. One that was refused, as its condition did not hold, is a read.
final class LeaseGuard extends BaseAsyncInterceptor {
  private final ReadLease lease;

  private final InvocationSuccessFunction<WriteCommand> afterWrite =
      (_, command, value) -> {
        if (!command.isSuccessful() && !mayAnswer()) {
          throw ReadLease.refusal();
        }
        return value;
      };

  LeaseGuard(Lease lease, BasicComponentRegistry components) {
    this.lease = new ReadLease(lease, components);
  }

  private boolean mayAnswer() {
    return lease.mayAnswer();
  }

  @Override
  public Object visitCommand(InvocationContext context, VisitableCommand command) {
    if (!context.isOriginLocal()
        || isLocal(command)
        || !(command instanceof WriteCommand
            || command instanceof SizeCommand
            || readsKeys(command))) {
      return invokeNext(context, command);
    }
    if (command instanceof WriteCommand write) {
      return invokeNextThenApply(context, write, afterWrite);
    }
    Begun begun = lease.begin();
    if (begun != null) {
      return read(context, command, begun);
    }
    if (lease.isDegraded()) {
      return invokeNext(context, command); // which refuses
    }
    return asyncValue(lease.await())
        .thenApply(
            context, command, (current, again, found) -> read(current, again, (Begun) found));
  }

  private static boolean readsKeys(VisitableCommand command) {
    return command instanceof GetKeyValueCommand
        || command instanceof GetCacheEntryCommand
        || command instanceof GetAllCommand
        || command instanceof ReadOnlyKeyCommand
        || command instanceof ReadOnlyManyCommand;
  }

  private static boolean isLocal(VisitableCommand command) {
    return command instanceof FlagAffectedCommand flagged
        && flagged.hasAnyFlag(FlagBitSets.CACHE_MODE_LOCAL);
  }

  private Object read(InvocationContext context, VisitableCommand command, Begun begun) {
    if (command instanceof SizeCommand) {
      return invokeNext(context, command); // GUARD-4
    }
    return invokeNextThenApply(
        context,
        command,
        (_, _, value) -> {
          if (lease.isSameView(begun)) { // GUARD-1
            return value;
          }
          throw OutdatedTopologyException.RETRY_SAME_TOPOLOGY; // That is, in the one of now.
        });
  }
}
