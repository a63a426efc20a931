package io.varve.infinispan;

import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import org.infinispan.commands.DataCommand;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.write.PutKeyValueCommand;
import org.infinispan.context.InvocationContext;
import org.infinispan.context.impl.FlagBitSets;
import org.infinispan.interceptors.BaseAsyncInterceptor;

/// Holds some commands of a node until it is opened, at the position that it is given among the
/// node's interceptors.
final class Gate extends BaseAsyncInterceptor {
  private final BiPredicate<InvocationContext, DataCommand> holds;
  private final boolean answers;
  private final CompletableFuture<Void> open = new CompletableFuture<>();
  private final BlockingQueue<Object> held = new LinkedBlockingQueue<>();

  private Gate(BiPredicate<InvocationContext, DataCommand> holds, boolean answers) {
    this.holds = holds;
    this.answers = answers;
  }

  /// A gate that holds commands before they are done.
  static Gate before(BiPredicate<InvocationContext, DataCommand> holds) {
    return new Gate(holds, false);
  }

  /// A gate that holds the answers of commands that are done.
  static Gate after(BiPredicate<InvocationContext, DataCommand> holds) {
    return new Gate(holds, true);
  }

  /// A gate that holds the entries that a node is sent as its share.
  static Gate beforeTransfers() {
    return before((_, command) ->
        command instanceof PutKeyValueCommand put
            && put.hasAnyFlag(FlagBitSets.PUT_FOR_STATE_TRANSFER));
  }

  @Override
  public Object visitCommand(InvocationContext context, VisitableCommand command) {
    if (!(command instanceof DataCommand data) || open.isDone() || !holds.test(context, data)) {
      return invokeNext(context, command);
    }
    if (answers) {
      return invokeNextThenApply(
          context,
          command,
          (_, _, value) -> {
            held.add(data.getKey());
            return delayedValue(open, value);
          });
    }
    held.add(data.getKey());
    return asyncInvokeNext(context, command, open);
  }

  /// Waits for a command that is held, each time another one.
  ///
  /// @return its key
  Object awaitHeld() throws InterruptedException {
    return Objects.requireNonNull(held.poll(60, TimeUnit.SECONDS), "no command came to be held");
  }

  void open() {
    open.complete(null);
  }
}
