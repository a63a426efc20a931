package io.varve.infinispan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.infinispan.Cache;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.write.PutKeyValueCommand;
import org.infinispan.context.InvocationContext;
import org.infinispan.context.impl.FlagBitSets;
import org.infinispan.distribution.DistributionInfo;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.interceptors.BaseAsyncInterceptor;
import org.infinispan.interceptors.impl.DistCacheWriterInterceptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A put of this node was done by the primary owner. The node stores nothing of before it, though
/// it has become the primary owner when it is answered.
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class SentWriteGuardTest {
  @TempDir Path directory;
  private Nodes nodes;

  @AfterEach
  void stop() {
    nodes.close();
  }

  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true", "false,false"})
  void whatWasThereBeforeIsNotStored(boolean servers, boolean there) throws Exception {
    nodes =
        new Nodes(
            directory,
            configuration ->
                configuration.clustering().hash().numOwners(2).numSegments(Nodes.SEGMENTS));
    if (servers) {
      nodes.asServers();
    }
    Cache<String, String> primary = nodes.add();
    Cache<String, String> called = nodes.add();
    nodes.awaitShares();
    String key = Nodes.keyOf(primary, DistributionInfo::isPrimary);
    if (there) {
      called.put(key, "old");
    }

    Gate answers = Gate.after((context, command) -> isPut(context, command, false));
    var repeated = new Repeated(() -> Nodes.stored(called, key));
    AsyncInterceptorChain chain =
        ComponentRegistry.componentOf(called, AsyncInterceptorChain.class);
    chain.addInterceptorAfter(answers, DistCacheWriterInterceptor.class);
    chain.addInterceptorAfter(repeated, DistCacheWriterInterceptor.class);
    CompletableFuture<String> put = called.putAsync(key, "new");
    answers.awaitHeld();
    nodes.node(0).stop();
    await().until(() -> Nodes.owners(called, key).isPrimary());
    answers.open();
    put.get(60, TimeUnit.SECONDS);
    assertThat(repeated.found).as("in the store before it is repeated").containsExactly("new");
    assertThat(called.get(key)).isEqualTo("new");
    assertThat(Nodes.stored(called, key)).isEqualTo("new");
  }

  /// Looks into the store when the put comes once more.
  private static final class Repeated extends BaseAsyncInterceptor {
    private final Queue<String> found = new ConcurrentLinkedQueue<>();
    private final Supplier<String> look;

    private Repeated(Supplier<String> look) {
      this.look = look;
    }

    @Override
    public Object visitCommand(InvocationContext context, VisitableCommand command) {
      if (isPut(context, command, true)) {
        found.add(String.valueOf(look.get()));
      }
      return invokeNext(context, command);
    }
  }

  private static boolean isPut(
      InvocationContext context, VisitableCommand command, boolean repeated) {
    return context.isOriginLocal()
        && command instanceof PutKeyValueCommand put
        && put.hasAnyFlag(FlagBitSets.COMMAND_RETRY) == repeated;
  }
}
