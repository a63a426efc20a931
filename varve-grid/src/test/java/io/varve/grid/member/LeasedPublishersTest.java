package io.varve.grid.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reactivex.rxjava3.core.Flowable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.infinispan.commons.util.IntSet;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.context.InvocationContext;
import org.infinispan.distribution.LocalizedCacheTopology;
import org.infinispan.factories.impl.BasicComponentRegistry;
import org.infinispan.factories.impl.ComponentRef;
import org.infinispan.partitionhandling.AvailabilityException;
import org.infinispan.partitionhandling.AvailabilityMode;
import org.infinispan.reactive.publisher.impl.ClusterPublisherManager;
import org.infinispan.reactive.publisher.impl.DeliveryGuarantee;
import org.infinispan.reactive.publisher.impl.SegmentPublisherSupplier;
import org.infinispan.remoting.transport.Transport;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.MergeView;
import org.jgroups.View;
import org.jgroups.stack.Protocol;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Publisher;

/// GUARD-5, GUARD-6: what an iteration, a stream and a size of a node find, by the leases that it
/// has in the meantime. Sides of a cluster meet where a test has them meet.
@Timeout(60)
class LeasedPublishersTest {
  private static final List<String> KEYS = List.of("a", "b", "c");
  private static final org.infinispan.remoting.transport.Address OWNER =
      org.infinispan.remoting.transport.Address.random();
  private static final LocalizedCacheTopology TOPOLOGY =
      LocalizedCacheTopology.makeSingletonTopology(CacheMode.LOCAL, OWNER);

  private final Address node = UUID.randomUUID();
  private final Lease lease = new Lease();
  private final LeasedPublishers<String, String> publishers = new LeasedPublishers<>();
  private long view;
  private AvailabilityMode availability = AvailabilityMode.AVAILABLE;
  private Runnable afterFirst = () -> {};

  @BeforeEach
  void begin() {
    lease.addr(node);
    lease.setDownProtocol(
        new Protocol() {
          @Override
          public Object down(Event event) {
            return event;
          }
        });
    publishers.use(new Keys());
    publishers.guard(new ReadLease(lease, components()));
  }

  private BasicComponentRegistry components() {
    return stub(
        BasicComponentRegistry.class,
        (_, _, arguments) ->
            stub(
                ComponentRef.class,
                (_, _, _) -> component((Class<?>) arguments[arguments.length - 1])));
  }

  private Object component(Class<?> type) {
    return stub(
        type,
        (_, method, _) ->
            switch (method.getName()) {
              case "getAvailabilityMode" -> availability;
              case "getTransport" -> component(Transport.class);
              case "getViewId" -> Math.toIntExact(view);
              case "getMembers" -> List.of(OWNER);
              case "getCacheTopology" -> TOPOLOGY;
              default -> throw new IllegalStateException("not asked for: " + method);
            });
  }

  private static <T> T stub(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /// The node is alone, so that it has a lease of each view that it hears of.
  private void install(boolean merge) {
    view++;
    View next = new View(node, view, List.of(node));
    lease.down(
        new Event(
            Event.VIEW_CHANGE,
            merge ? new MergeView(next.getViewId(), List.of(node), List.of()) : next));
  }

  private List<String> keys() {
    return Flowable.fromPublisher(
            publishers
                .<String>keyPublisher(
                    null, null, null, 0, DeliveryGuarantee.EXACTLY_ONCE, 8, keys -> keys)
                .publisherWithoutSegments())
        .toList()
        .blockingGet();
  }

  private long size() {
    return publishers.sizePublisher(null, null, 0).toCompletableFuture().join();
  }

  @Test
  void withoutALeaseNothingIsRead() {
    assertThatThrownBy(this::keys).isInstanceOf(AvailabilityException.class);
    assertThatThrownBy(this::size).hasCauseInstanceOf(AvailabilityException.class);
  }

  @Test
  void aLeaseIsWaitedFor() throws Exception {
    try (var threads = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
      Future<List<String>> keys = threads.submit(this::keys);
      Future<Long> size = threads.submit(this::size);
      assertThat(keys.isDone()).isFalse();
      install(false);
      assertThat(keys.get()).isEqualTo(KEYS);
      assertThat(size.get()).isEqualTo(3);
    }
  }

  @Test
  void viewsThatFollowEachOtherEndNothing() {
    install(false);
    afterFirst = () -> install(false);
    assertThat(keys()).isEqualTo(KEYS);
    assertThat(size()).isEqualTo(3);
  }

  /// The node has come back: it read while it did not count for the others.
  @Test
  void sidesThatMeetEndWhatWasUnderWay() {
    install(false);
    afterFirst = () -> install(true);
    assertThatThrownBy(this::keys).isInstanceOf(AvailabilityException.class);
    assertThatThrownBy(this::size).hasCauseInstanceOf(AvailabilityException.class);
    afterFirst = () -> {};
    assertThat(keys()).isEqualTo(KEYS);
    assertThat(size()).isEqualTo(3);
  }

  /// What Infinispan has of a cache that is degraded refuses, or does not, as it is configured.
  @Test
  void whatIsDegradedIsAskedAsItIs() {
    availability = AvailabilityMode.DEGRADED_MODE;
    assertThat(keys()).isEqualTo(KEYS);
    assertThat(size()).isEqualTo(3);
  }

  /// Publishers of some keys, after the first of which something happens.
  private final class Keys implements ClusterPublisherManager<String, String> {
    @Override
    public <R> SegmentPublisherSupplier<R> keyPublisher(
        IntSet segments,
        Set<String> keys,
        InvocationContext context,
        long flags,
        DeliveryGuarantee guarantee,
        int batchSize,
        Function<? super Publisher<String>, ? extends Publisher<R>> transformer) {
      return new SegmentPublisherSupplier<>() {
        @Override
        public Publisher<R> publisherWithoutSegments() {
          return transformer.apply(
              Flowable.concat(
                  Flowable.just("a").doOnComplete(() -> afterFirst.run()),
                  Flowable.just("b", "c")));
        }

        @Override
        public Publisher<Notification<R>> publisherWithSegments() {
          throw new UnsupportedOperationException();
        }
      };
    }

    @Override
    public CompletionStage<Long> sizePublisher(
        IntSet segments, InvocationContext context, long flags) {
      afterFirst.run();
      return CompletableFuture.completedFuture((long) KEYS.size());
    }

    @Override
    public <R> CompletionStage<R> keyReduction(
        boolean parallel,
        IntSet segments,
        Set<String> keys,
        InvocationContext context,
        long flags,
        DeliveryGuarantee guarantee,
        Function<? super Publisher<String>, ? extends CompletionStage<R>> transformer,
        Function<? super Publisher<R>, ? extends CompletionStage<R>> finalizer) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <R> CompletionStage<R> entryReduction(
        boolean parallel,
        IntSet segments,
        Set<String> keys,
        InvocationContext context,
        long flags,
        DeliveryGuarantee guarantee,
        Function<? super Publisher<CacheEntry<String, String>>, ? extends CompletionStage<R>>
            transformer,
        Function<? super Publisher<R>, ? extends CompletionStage<R>> finalizer) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <R> SegmentPublisherSupplier<R> entryPublisher(
        IntSet segments,
        Set<String> keys,
        InvocationContext context,
        long flags,
        DeliveryGuarantee guarantee,
        int batchSize,
        Function<? super Publisher<CacheEntry<String, String>>, ? extends Publisher<R>>
            transformer) {
      throw new UnsupportedOperationException();
    }
  }
}
