package io.varve.grid.guard.resp.command;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.util.concurrent.AggregateCompletionStage;
import org.infinispan.commons.util.concurrent.CompletionStages;
import org.infinispan.server.resp.commands.tx.WATCH.TxKeysListener;
import org.infinispan.server.resp.meta.ClientMetadata;

/// The listeners of `WATCH` of a connection, each with the cache that it listens to. Safe for
/// threads.
///
/// - WATCHED-1 A listener is removed from its own cache: when the connection ends, and before the
///   next `WATCH` after a transaction or `UNWATCH`. Infinispan removes it in the end of a
///   transaction alone, and from the cache that the connection has selected since.
/// - WATCHED-2 A connection has at most [#LISTENERS_MAX] listeners for [#KEYS_MAX] keys. Each of
///   them compares the key of each write to its cache with all of its own.
/// - WATCHED-3 What Infinispan counts of a listener is counted once, and taken back once: by its
///   end of a transaction, or by the end of the connection. After that no listener counts.
/// - WATCHED-4 A key that was to expire when it was watched, and is not there before `EXEC`, has
///   changed, as at Redis. Infinispan notifies a listener of that when it removes the entry, which
///   may be later. A key that had expired before it was watched has not changed.
@SuppressWarnings("FutureReturnValueIgnored") // no thread waits for the end of a listener
final class WatchedKeys {
  static final int LISTENERS_MAX = 256;

  static final int KEYS_MAX = 1_024; // as many as a command that waits

  private static final AttributeKey<WatchedKeys> KEY =
      AttributeKey.valueOf(WatchedKeys.class, "watched");

  /// @param expiring those of the keys that were there and were to expire
  record Watch(
      AdvancedCache<byte[], Object> cache, TxKeysListener listener, List<byte[]> expiring) {
    /// Has the listener see that a key has expired.
    CompletionStage<Void> look() {
      AggregateCompletionStage<Void> looks = CompletionStages.aggregateCompletionStage();
      for (byte[] key : expiring) {
        looks.dependsOn(
            cache
                .containsKeyAsync(key)
                .thenCompose(isThere ->
                    isThere
                        ? CompletableFuture.completedFuture(null)
                        : listener.onEvent(null))); // It does not look at the event.
      }
      return looks.freeze();
    }

    void end() {
      cache.removeListenerAsync(listener);
    }
  }

  private final List<Watch> watches = new ArrayList<>(); // guarded by this
  private boolean ended; // guarded by this

  private WatchedKeys() {}

  /// The watches of a connection, which end with it. Called by its event loop alone.
  ///
  /// @param listeners under which Infinispan has those of the transaction to come
  static WatchedKeys of(
      Channel channel, AttributeKey<List<TxKeysListener>> listeners, ClientMetadata clients) {
    WatchedKeys known = channel.attr(KEY).get();
    if (known != null) {
      return known;
    }
    var watches = new WatchedKeys();
    channel.attr(KEY).set(watches);
    channel
        .closeFuture()
        .addListener(_ -> {
          watches.close();
          List<TxKeysListener> left = channel.attr(listeners).getAndSet(null);
          if (left != null) { // WATCHED-3
            for (TxKeysListener listener : left) {
              clients.recordWatchedKeys(-listener.getNumberOfKeys());
              clients.decrementWatchingClients();
            }
          }
        });
    return watches;
  }

  synchronized boolean isFull() {
    return watches.size() >= LISTENERS_MAX;
  }

  /// Whether some keys more may be watched.
  synchronized boolean takes(int keys) {
    return watches.stream().mapToInt(watch -> watch.listener.getNumberOfKeys()).sum() + keys
        <= KEYS_MAX;
  }

  /// Adds a listener, or removes it from its cache if the connection has ended.
  ///
  /// @param count counts the listener if it was added, before the end of the connection takes back
  ///   what was counted (WATCHED-3)
  void add(Watch watch, Runnable count) {
    synchronized (this) {
      if (!ended) {
        watches.add(watch);
        count.run();
        return;
      }
    }
    watch.end();
  }

  /// Those of the keys that are there and are to expire.
  static CompletionStage<List<byte[]>> expiring(
      AdvancedCache<byte[], Object> cache, List<byte[]> keys) {
    return CompletionStages.performSequentially(
            keys.iterator(),
            key ->
                cache
                    .getCacheEntryAsync(key)
                    .thenApply(entry ->
                        entry != null && (entry.getLifespan() >= 0 || entry.getMaxIdle() >= 0)
                            ? Stream.of(key)
                            : Stream.<byte[]>empty()),
            Collectors.<Stream<byte[]>>toList())
        .thenApply(found -> found.stream().flatMap(key -> key).toList());
  }

  /// Has the listeners of a connection see which of their keys have expired. WATCHED-4
  static CompletionStage<Void> look(Channel channel) {
    WatchedKeys known = channel.attr(KEY).get();
    if (known == null) {
      return CompletableFuture.completedFuture(null);
    }
    List<Watch> watched;
    synchronized (known) {
      watched = List.copyOf(known.watches);
    }
    AggregateCompletionStage<Void> looks = CompletionStages.aggregateCompletionStage();
    for (Watch watch : watched) {
      looks.dependsOn(watch.look());
    }
    return looks.freeze();
  }

  /// Removes all listeners, of which some may have been removed.
  void clear() {
    List<Watch> removed;
    synchronized (this) {
      removed = List.copyOf(watches);
      watches.clear();
    }
    removed.forEach(Watch::end);
  }

  private void close() {
    synchronized (this) {
      ended = true;
    }
    clear();
  }
}
