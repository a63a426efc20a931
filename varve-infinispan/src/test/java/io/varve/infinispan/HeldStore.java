package io.varve.infinispan;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.infinispan.Cache;
import org.infinispan.persistence.manager.PersistenceManager;
import org.infinispan.test.TestingUtil;

/// Holds what the store of a cache has answered to one load, until it is opened.
final class HeldStore {
  private final PersistenceManager stores;
  private final CompletableFuture<Void> open = new CompletableFuture<>();
  private final CompletableFuture<Void> held = new CompletableFuture<>();
  private final AtomicInteger loads = new AtomicInteger();
  private volatile boolean holdsNext;

  private HeldStore(PersistenceManager stores) {
    this.stores = stores;
  }

  /// Has loads of a cache pass here.
  static HeldStore of(Cache<?, ?> cache) {
    var held = new HeldStore(TestingUtil.extractComponent(cache, PersistenceManager.class));
    PersistenceManager passing =
        (PersistenceManager)
            Proxy.newProxyInstance(
                PersistenceManager.class.getClassLoader(),
                new Class<?>[] {PersistenceManager.class},
                (_, method, arguments) -> held.call(method, arguments));
    TestingUtil.replaceComponent(cache, PersistenceManager.class, passing, /* rewire= */ true);
    return held;
  }

  private Object call(Method method, Object[] arguments) throws Throwable {
    Object result;
    try {
      result = method.invoke(stores, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    if (!method.getName().equals("loadFromAllStores")) {
      return result;
    }
    loads.incrementAndGet();
    if (!holdsNext) {
      return result;
    }
    holdsNext = false;
    return ((CompletionStage<?>) result)
        .thenCompose(stored -> {
          held.complete(null);
          return open.thenApply(_ -> stored);
        });
  }

  /// How many loads there were.
  int loads() {
    return loads.get();
  }

  /// Holds the next load.
  void holdNext() {
    holdsNext = true;
  }

  /// Waits until the store has answered to the load that is held.
  void awaitHeld() throws Exception {
    held.get(20, TimeUnit.SECONDS);
  }

  void open() {
    open.complete(null);
  }
}
