package io.varve.grid.guard.entry;

import io.varve.StoreFullException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.tx.TransactionBoundaryCommand;
import org.infinispan.commands.write.ClearCommand;
import org.infinispan.commands.write.RemoveCommand;
import org.infinispan.commands.write.WriteCommand;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.context.InvocationContext;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.interceptors.BaseAsyncInterceptor;
import org.infinispan.interceptors.InvocationExceptionFunction;
import org.infinispan.interceptors.InvocationFinallyFunction;
import org.infinispan.persistence.spi.PersistenceException;
import org.infinispan.server.resp.exception.RespCommandException;
import org.jspecify.annotations.Nullable;

/// The first interceptor of a cache with a store: what its clients are answered where the disk of
/// the node has no capacity for a write, and whether that is so.
///
/// - FULL-1 The answer is one that clients of each protocol know as that of a full disk, and not as
///   a fault of the node: `MISCONF` in RESP, as at Redis, `SERVER_ERROR out of disk` in memcached,
///   507 in REST (`RestCalls`).
/// - FULL-2 A cache counts as full from a write that was refused. It does so until a write other
///   than a removal has succeeded, and for [#REPORTED_NANOS] at least. Without the second a monitor
///   would not see that large values are refused while small ones are stored.
///
/// **Threads:** any. What a node knows of a cache is of writes that this node was asked for, or
/// stores as an owner.
public final class FullStores extends BaseAsyncInterceptor {
  /// Longer than monitors wait between two looks, as a rule.
  static final long REPORTED_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final System.Logger LOGGER = System.getLogger(FullStores.class.getName());
  private static final String ANSWER = "out of disk: ";

  private final String cache;
  private final LongSupplier nanoClock;
  private final InvocationExceptionFunction<VisitableCommand> failed = this::failed;
  private final InvocationFinallyFunction<VisitableCommand> ended = this::ended;

  /// Whether no write has succeeded since one was refused. Written by any thread, the last counts.
  private volatile boolean refuses;

  /// When a write was refused last. Written before `refuses` is set.
  private volatile long refusedNanos;

  /// @param nanoClock in nanoseconds
  FullStores(String cache, LongSupplier nanoClock) {
    this.cache = cache;
    this.nanoClock = nanoClock;
    this.refusedNanos = nanoClock.getAsLong() - REPORTED_NANOS;
  }

  /// Looks at the writes of a cache that starts. Does nothing if it has no store.
  public static void add(ComponentRegistry cache, Configuration configuration, String name) {
    AsyncInterceptorChain chain = cache.getComponent(AsyncInterceptorChain.class);
    if (configuration.persistence().usingStores()
        && !chain.containsInterceptorType(FullStores.class)) {
      chain.addInterceptor(new FullStores(name, System::nanoTime), 0);
    }
  }

  /// Whether a cache counts as full. FULL-2
  static boolean isFull(@Nullable ComponentRegistry cache) {
    FullStores guard =
        cache == null
            ? null
            : cache
                .getComponent(AsyncInterceptorChain.class)
                .findInterceptorWithClass(FullStores.class);
    return guard != null && guard.isFull();
  }

  boolean isFull() {
    return refuses || nanoClock.getAsLong() - refusedNanos < REPORTED_NANOS;
  }

  @Override
  public Object visitCommand(InvocationContext context, VisitableCommand command) throws Throwable {
    if (!(command instanceof WriteCommand) && !(command instanceof TransactionBoundaryCommand)) {
      return invokeNext(context, command);
    }
    return refuses
        ? invokeNextAndHandle(context, command, ended)
        : invokeNextAndExceptionally(context, command, failed);
  }

  private @Nullable Object ended(
      InvocationContext context,
      VisitableCommand command,
      @Nullable Object value,
      @Nullable Throwable failure)
      throws Throwable {
    if (failure != null) {
      return failed(context, command, failure);
    }
    if (!(command instanceof RemoveCommand) && !(command instanceof ClearCommand)) {
      refuses = false;
    }
    return value;
  }

  private Object failed(InvocationContext context, VisitableCommand command, Throwable failure)
      throws Throwable {
    StoreFullException full = cause(failure, StoreFullException.class);
    if (full == null) {
      throw failure;
    }
    if (!isFull()) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "a cache refuses writes, and its health is DEGRADED: cache=" + cache + "; " + full);
    }
    refusedNanos = nanoClock.getAsLong();
    refuses = true;
    throw context.isOriginLocal() ? new Refused(full) : failure;
  }

  /// FULL-1. Infinispan answers the message of this in REST and memcached, and that of the cause in
  /// RESP.
  public static final class Refused extends PersistenceException {
    private static final long serialVersionUID = 1L;

    private Refused(StoreFullException full) {
      super(
          ANSWER + full.getMessage(),
          new RespCommandException("MISCONF " + ANSWER + full.getMessage()));
    }
  }

  /// What a failure is caused by, or null if it is caused by nothing of a type.
  public static <T extends Throwable> @Nullable T cause(
      @Nullable Throwable failure, Class<T> type) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (type.isInstance(at)) {
        return type.cast(at);
      }
    }
    return null;
  }
}
