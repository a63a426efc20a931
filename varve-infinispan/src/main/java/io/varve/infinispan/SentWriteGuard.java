package io.varve.infinispan;

import org.infinispan.commands.FlagAffectedCommand;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.write.DataWriteCommand;
import org.infinispan.container.entries.MVCCEntry;
import org.infinispan.context.InvocationContext;
import org.infinispan.context.impl.FlagBitSets;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.interceptors.BaseAsyncInterceptor;
import org.infinispan.interceptors.impl.DistCacheWriterInterceptor;

/// Keeps a node from storing the outcome of a write that another node has done for it.
///
/// A node that is called and is not the primary owner of the key sends the write to it, and keeps
/// the entry of before. Infinispan 16.0.7 asks when the answer has come whether the node writes to
/// the store. One that has become the primary owner by then writes what it kept: the value before
/// over the new one, or none; and it deletes what others may have written since.
///
/// - SENT-1 Where the entry of the command is as it was, nothing is stored or deleted.
/// - SENT-2 Commands leave with the flags that they came with: one that is repeated is stored.
final class SentWriteGuard {
  private SentWriteGuard() {}

  /// Adds a guard around the interceptor of Infinispan that writes to the store.
  static void add(AsyncInterceptorChain chain) {
    if (chain.addInterceptorBefore(new Outer(), DistCacheWriterInterceptor.class)) {
      chain.addInterceptorAfter(new Inner(), DistCacheWriterInterceptor.class);
    }
  }

  private static boolean mayBeSent(InvocationContext context, VisitableCommand command) {
    return context.isOriginLocal()
        && command instanceof DataWriteCommand write
        && !write.hasAnyFlag(FlagBitSets.CACHE_MODE_LOCAL);
  }

  /// Leaves commands as they came.
  static final class Outer extends BaseAsyncInterceptor {
    @Override
    public Object visitCommand(InvocationContext context, VisitableCommand command) {
      if (!mayBeSent(context, command)) {
        return invokeNext(context, command);
      }
      long flags = ((FlagAffectedCommand) command).getFlagsBitSet();
      return invokeNextAndFinally( // SENT-2
          context, command, (_, done, _, _) -> ((FlagAffectedCommand) done).setFlagsBitSet(flags));
    }
  }

  /// Marks commands that another node has done as not stored.
  static final class Inner extends BaseAsyncInterceptor {
    @Override
    public Object visitCommand(InvocationContext context, VisitableCommand command) {
      return mayBeSent(context, command)
          ? invokeNextThenAccept(
              context, command, (done, write, _) -> omitIfSent(done, (DataWriteCommand) write))
          : invokeNext(context, command);
    }

    private static void omitIfSent(InvocationContext context, DataWriteCommand write) {
      boolean doneHere =
          context.lookupEntry(write.getKey()) instanceof MVCCEntry<?, ?> entry && entry.isChanged();
      if (!doneHere) { // SENT-1
        write.addFlags(FlagBitSets.SKIP_CACHE_STORE);
      }
    }
  }
}
