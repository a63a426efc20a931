package io.varve.grid.guard.entry;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.infinispan.commands.DataCommand;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.write.PutKeyValueCommand;
import org.infinispan.commands.write.WriteCommand;
import org.infinispan.commons.executors.NonBlockingResource;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.container.entries.InternalCacheEntry;
import org.infinispan.container.impl.InternalDataContainer;
import org.infinispan.context.InvocationContext;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.factories.impl.BasicComponentRegistry;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.interceptors.BaseAsyncInterceptor;
import org.infinispan.util.concurrent.BlockingManager;

/// Keeps what takes long away from event loops: each change of a list, set or hash of RESP copies
/// and stores it as a whole.
///
/// (LARGE-1) An event loop does not carry out a command of an entry in memory that has over
/// [#ELEMENTS_MAX] elements. The threads of Infinispan that may wait do: `LTRIM` of 300,000
/// elements held a loop, and all its connections, for 1.6 seconds. Where all threads are busy the
/// loop carries it out itself.
///
/// (LARGE-2) A put is carried out by the loop: it copies nothing of what was there. Those of one
/// `MSET` that name a key several times keep their order, so that the last one stays.
///
/// (LARGE-3) Nor does it carry out a write that adds over [#ELEMENTS_MAX] elements: `HSET` of
/// 300,000 fields held a loop for over a second. The write does not show how many it adds. So the
/// thread that begins it notes that there are many, until the command has begun.
public final class LargeCollections extends BaseAsyncInterceptor {
  static final int ELEMENTS_MAX = 8_192; // whose copy takes a loop about a millisecond

  /// Set while the thread begins a command that adds many elements.
  private static final ThreadLocal<Boolean> ADDS_MANY = new ThreadLocal<>();

  private final InternalDataContainer<?, ?> memory;
  private final Executor threads;

  private LargeCollections(InternalDataContainer<?, ?> memory, Executor threads) {
    this.memory = memory;
    this.threads = threads;
  }

  /// Has this look at the commands of a cache that starts. Does nothing if it has one.
  public static void add(ComponentRegistry cache, Configuration configuration) {
    AsyncInterceptorChain chain = cache.getComponent(AsyncInterceptorChain.class);
    if (!configuration.transaction().transactionMode().isTransactional()
        && !chain.containsInterceptorType(LargeCollections.class)) {
      BasicComponentRegistry components = cache.getComponent(BasicComponentRegistry.class);
      chain.addInterceptor(
          new LargeCollections(
              components.getComponent(InternalDataContainer.class).wired(),
              components
                  .getComponent(BlockingManager.class)
                  .wired()
                  .asExecutor("varve-large-collections")),
          0);
    }
  }

  /// Begins a command that adds so many elements to a collection.
  public static <T> T adding(int elements, Supplier<T> command) {
    if (elements <= ELEMENTS_MAX) {
      return command.get();
    }
    ADDS_MANY.set(true);
    try {
      return command.get();
    } finally {
      ADDS_MANY.remove();
    }
  }

  @Override
  public Object visitCommand(InvocationContext context, VisitableCommand command) throws Throwable {
    if (!(command instanceof DataCommand data)
        || command instanceof PutKeyValueCommand // LARGE-2
        || !isOnLoop()
        || !(addsMany(data) || isLarge(data))) {
      return invokeNext(context, command);
    }
    var begun = new CompletableFuture<Void>();
    Object result = asyncInvokeNext(context, command, begun);
    // After what is to be done then is known: this thread would do it else.
    try {
      threads.execute(() -> begun.complete(null));
    } catch (RejectedExecutionException _) {
      begun.complete(null);
    }
    return result;
  }

  private static boolean isOnLoop() {
    return Thread.currentThread().getThreadGroup() instanceof NonBlockingResource;
  }

  private static boolean addsMany(DataCommand command) {
    return command instanceof WriteCommand && ADDS_MANY.get() != null;
  }

  private boolean isLarge(DataCommand command) {
    InternalCacheEntry<?, ?> entry = memory.peek(command.getSegment(), command.getKey());
    return entry != null && EntryLength.elements(entry.getValue()) > ELEMENTS_MAX;
  }
}
