package io.varve.grid.guard.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.StoreFullException;
import java.util.concurrent.atomic.AtomicLong;
import org.infinispan.AdvancedCache;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.write.PutKeyValueCommand;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.context.InvocationContext;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.interceptors.BaseAsyncInterceptor;
import org.infinispan.interceptors.impl.CallInterceptor;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.persistence.spi.PersistenceException;
import org.junit.jupiter.api.Test;

class FullStoresTest {
  private final AtomicLong nanos = new AtomicLong(17);
  private final FullStores guard = new FullStores("c", nanos::get);

  /// Fails puts of one value.
  private static final class Refusing extends BaseAsyncInterceptor {
    @Override
    public Object visitCommand(InvocationContext context, VisitableCommand command) {
      if (command instanceof PutKeyValueCommand put && put.getValue().equals("large")) {
        throw new PersistenceException("", new StoreFullException("no capacity"));
      }
      return invokeNext(context, command);
    }
  }

  /// FULL-2
  @Test
  void aCacheIsFullUntilAWriteSucceedsAndAMinuteHasPassed() throws Exception {
    try (var caches = new DefaultCacheManager(new GlobalConfigurationBuilder().build())) {
      caches.defineConfiguration("c", new ConfigurationBuilder().build());
      AdvancedCache<String, String> cache = caches.<String, String>getCache("c").getAdvancedCache();
      AsyncInterceptorChain chain =
          ComponentRegistry.of(cache).getComponent(AsyncInterceptorChain.class);
      chain.addInterceptor(guard, 0);
      chain.addInterceptorBefore(new Refusing(), CallInterceptor.class);
      cache.put("k", "small");
      assertThat(guard.isFull()).isFalse();
      assertThatThrownBy(() -> cache.put("k", "large"))
          .isInstanceOf(FullStores.Refused.class)
          .hasMessage("out of disk: no capacity");
      nanos.addAndGet(2 * FullStores.REPORTED_NANOS);
      cache.remove("k");
      assertThat(guard.isFull()).as("after a removal").isTrue();
      cache.put("k", "small");
      assertThat(guard.isFull()).as("after a write").isFalse();
      assertThatThrownBy(() -> cache.put("k", "large")).hasMessage("out of disk: no capacity");
      cache.put("k", "small");
      assertThat(guard.isFull()).as("within a minute").isTrue();
      nanos.addAndGet(FullStores.REPORTED_NANOS);
      assertThat(guard.isFull()).as("after a minute").isFalse();
    }
  }
}
