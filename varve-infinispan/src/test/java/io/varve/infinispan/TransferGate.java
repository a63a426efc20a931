package io.varve.infinispan;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.write.PutKeyValueCommand;
import org.infinispan.context.InvocationContext;
import org.infinispan.context.impl.FlagBitSets;
import org.infinispan.interceptors.BaseAsyncInterceptor;

/// Holds entries that a node is sent until it is opened.
final class TransferGate extends BaseAsyncInterceptor {
  private final CompletableFuture<Void> open = new CompletableFuture<>();
  private final BlockingQueue<Object> held = new LinkedBlockingQueue<>();

  @Override
  public Object visitCommand(InvocationContext context, VisitableCommand command) {
    if (command instanceof PutKeyValueCommand put
        && put.hasAnyFlag(FlagBitSets.PUT_FOR_STATE_TRANSFER)) {
      held.add(put.getKey());
      return asyncInvokeNext(context, command, open);
    }
    return invokeNext(context, command);
  }

  /// Waits for an entry, each time another one.
  ///
  /// @return its key
  Object awaitHeld() throws InterruptedException {
    return held.take();
  }

  void open() {
    open.complete(null);
  }
}
