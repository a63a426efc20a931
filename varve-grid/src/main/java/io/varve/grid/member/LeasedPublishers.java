package io.varve.grid.member;

import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Single;
import io.varve.grid.member.ReadLease.Begun;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.infinispan.commons.util.IntSet;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.context.InvocationContext;
import org.infinispan.partitionhandling.AvailabilityException;
import org.infinispan.reactive.publisher.impl.ClusterPublisherManager;
import org.infinispan.reactive.publisher.impl.DeliveryGuarantee;
import org.infinispan.reactive.publisher.impl.SegmentPublisherSupplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/// What iterations, streams and sizes of a cache of several nodes read: Infinispan's own
/// publishers, under a [Lease]. All protocols, the console and queries read by these.
///
/// - GUARD-5 An iteration begins when a read does. It waits without a thread, as servers begin
///   iterations on event loops.
/// - GUARD-6 What was read is released item by item, and so is the end. It takes that the node may
///   read then, and that sides of the cluster have not met since (LEASE-5). So the node was a
///   member for the others when it read. An iteration waits for a lease, and fails when sides have
///   met.
///
/// Other views that come while an iteration runs do not end it: Infinispan reads the segments once
/// more that the node has given away. Items that were read before a pause may be released after it:
/// they were there when the iteration had begun.
///
/// **Threads:** safe for any number of them. The component and the lease are set before the cache
/// runs, by the thread that starts it.
final class LeasedPublishers<K, V> implements ClusterPublisherManager<K, V> {
  private @Nullable ClusterPublisherManager<K, V> publishers;
  private volatile @Nullable ReadLease lease;

  /// Sets Infinispan's own.
  void use(ClusterPublisherManager<K, V> own) {
    publishers = own;
  }

  /// Has all that is read from now on read under a lease. A cache of Infinispan's own has none.
  void guard(ReadLease lease) {
    this.lease = lease;
  }

  private ClusterPublisherManager<K, V> publishers() {
    if (publishers == null) {
      throw new IllegalStateException("the publishers of a cache are not wired; start the cache");
    }
    return publishers;
  }

  @Override
  public <R> CompletionStage<R> keyReduction(
      boolean parallel,
      IntSet segments,
      Set<K> keys,
      InvocationContext context,
      long flags,
      DeliveryGuarantee guarantee,
      Function<? super Publisher<K>, ? extends CompletionStage<R>> transformer,
      Function<? super Publisher<R>, ? extends CompletionStage<R>> finalizer) {
    return reduced(() ->
        publishers()
            .keyReduction(
                parallel, segments, keys, context, flags, guarantee, transformer, finalizer));
  }

  @Override
  public <R> CompletionStage<R> entryReduction(
      boolean parallel,
      IntSet segments,
      Set<K> keys,
      InvocationContext context,
      long flags,
      DeliveryGuarantee guarantee,
      Function<? super Publisher<CacheEntry<K, V>>, ? extends CompletionStage<R>> transformer,
      Function<? super Publisher<R>, ? extends CompletionStage<R>> finalizer) {
    return reduced(() ->
        publishers()
            .entryReduction(
                parallel, segments, keys, context, flags, guarantee, transformer, finalizer));
  }

  @Override
  public <R> SegmentPublisherSupplier<R> keyPublisher(
      IntSet segments,
      Set<K> keys,
      InvocationContext context,
      long flags,
      DeliveryGuarantee guarantee,
      int batchSize,
      Function<? super Publisher<K>, ? extends Publisher<R>> transformer) {
    return published(() ->
        publishers()
            .keyPublisher(segments, keys, context, flags, guarantee, batchSize, transformer));
  }

  @Override
  public <R> SegmentPublisherSupplier<R> entryPublisher(
      IntSet segments,
      Set<K> keys,
      InvocationContext context,
      long flags,
      DeliveryGuarantee guarantee,
      int batchSize,
      Function<? super Publisher<CacheEntry<K, V>>, ? extends Publisher<R>> transformer) {
    return published(() ->
        publishers()
            .entryPublisher(segments, keys, context, flags, guarantee, batchSize, transformer));
  }

  @Override
  public CompletionStage<Long> sizePublisher(
      IntSet segments, InvocationContext context, long flags) {
    return reduced(() -> publishers().sizePublisher(segments, context, flags));
  }

  private <R> CompletionStage<R> reduced(Supplier<CompletionStage<R>> read) {
    ReadLease now = lease;
    if (now == null || now.isDegraded()) {
      return read.get(); // which refuses, in what is degraded
    }
    return now.await()
        .thenCompose(begun ->
            read.get()
                .thenCompose(result ->
                    now.await()
                        .thenApply(_ -> {
                          requireSameEra(now, begun);
                          return result;
                        })));
  }

  private <R> SegmentPublisherSupplier<R> published(Supplier<SegmentPublisherSupplier<R>> read) {
    ReadLease now = lease;
    return now == null || now.isDegraded() ? read.get() : new Guarded<>(now, read);
  }

  /// GUARD-6, after the lease that was waited for.
  private static void requireSameEra(ReadLease lease, Begun begun) {
    if (!lease.isSameEra(begun)) {
      throw new AvailabilityException(
          "sides of the cluster have met while entries were gone through, and what was read may be"
              + " old; begin again");
    }
  }

  private record Guarded<R>(ReadLease lease, Supplier<SegmentPublisherSupplier<R>> read)
      implements SegmentPublisherSupplier<R> {
    @Override
    public Publisher<R> publisherWithoutSegments() {
      return guarded(SegmentPublisherSupplier::publisherWithoutSegments);
    }

    @Override
    public Publisher<Notification<R>> publisherWithSegments() {
      return guarded(SegmentPublisherSupplier::publisherWithSegments);
    }

    /// GUARD-5
    private <S> Flowable<S> guarded(Function<SegmentPublisherSupplier<R>, Publisher<S>> items) {
      return Flowable.defer(() ->
          Single.fromCompletionStage(lease.await())
              .flatMapPublisher(begun ->
                  Flowable.fromPublisher(items.apply(read.get()))
                      .concatMapSingle(item -> released(begun, item))
                      .concatWith(Completable.defer(() -> ended(begun)))));
    }

    /// GUARD-6
    private <S> Single<S> released(Begun begun, S item) {
      return lease.isContinued(begun) ? Single.just(item) : ended(begun).andThen(Single.just(item));
    }

    private Completable ended(Begun begun) {
      return Single.fromCompletionStage(lease.await())
          .doOnSuccess(_ -> requireSameEra(lease, begun))
          .ignoreElement();
    }
  }
}
