package io.varve.infinispan;

import org.infinispan.commands.write.RemoveCommand;
import org.infinispan.context.InvocationContext;
import org.infinispan.context.impl.FlagBitSets;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.interceptors.DDAsyncInterceptor;
import org.infinispan.interceptors.impl.CallInterceptor;
import org.infinispan.interceptors.impl.DistCacheWriterInterceptor;

/// Has a removal that is done again reach all owners.
///
/// When owners change while a write is under way, its primary owner commits nothing. It has the
/// write done again by the node that is the primary owner then. Infinispan 16.0.7 does not send the
/// removal of what is not there to other owners. But the second time it is not there because the
/// first time has removed it, from all owners but the one that was the first: where the entry would
/// stay, and come back when that one is asked.
///
/// A removal passes the outer interceptor, those of Infinispan that write to the store and send to
/// other owners, the inner interceptor, and is executed; and comes back in reverse. The inner one
/// sets a flag that has it stored and sent. The outer one takes the flag away again, since it means
/// more where a removal is executed.
final class RemovalGuard {
  private RemovalGuard() {}

  /// Adds a guard around the interceptors of Infinispan that store and send a removal.
  static void add(AsyncInterceptorChain chain) {
    if (chain.addInterceptorBefore(new Outer(), DistCacheWriterInterceptor.class)) {
      chain.addInterceptorBefore(new Inner(), CallInterceptor.class);
    }
  }

  private static boolean isDoneAgain(RemoveCommand command) {
    return command.hasAnyFlag(FlagBitSets.COMMAND_RETRY)
        && !command.hasAnyFlag(FlagBitSets.BACKUP_WRITE | FlagBitSets.CACHE_MODE_LOCAL);
  }

  /// Leaves commands as they came.
  static final class Outer extends DDAsyncInterceptor {
    @Override
    public Object visitRemoveCommand(InvocationContext context, RemoveCommand command) {
      if (!isDoneAgain(command)) {
        return invokeNext(context, command);
      }
      long flags = command.getFlagsBitSet();
      return invokeNextAndFinally(context, command, (_, done, _, _) -> done.setFlagsBitSet(flags));
    }
  }

  /// Marks removals that were executed as stored and sent.
  static final class Inner extends DDAsyncInterceptor {
    @Override
    public Object visitRemoveCommand(InvocationContext context, RemoveCommand command) {
      return isDoneAgain(command)
          ? invokeNextThenAccept(
              context, command, (_, done, _) -> done.addFlags(FlagBitSets.SKIP_CACHE_LOAD))
          : invokeNext(context, command);
    }
  }
}
