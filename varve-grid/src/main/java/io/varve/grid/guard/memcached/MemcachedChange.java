package io.varve.grid.guard.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.varve.grid.guard.resp.command.ExpiryTime;
import io.varve.infinispan.ExpiryGuard;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.infinispan.AdvancedCache;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.container.versioning.EntryVersion;
import org.infinispan.container.versioning.NumericVersion;
import org.infinispan.metadata.Metadata;
import org.infinispan.metadata.impl.InternalMetadataImpl;
import org.infinispan.server.memcached.MemcachedMetadata;
import org.jspecify.annotations.Nullable;

/// A change of an item of memcached by what it is: a counter, a value that grows, another time to
/// live, or a value for an item of a certain number.
///
/// - MEMCACHED-6 A change is made once, of the item that is there. Another client's change between
///   read and write has it made again. Infinispan's `touch` writes the value back that it has read,
///   and undoes what another client has stored; its counters fail; two clients win one `cas`.
/// - MEMCACHED-7 An item keeps its flags and the time at which it expires, unless the request
///   brings others. Each change but that of the time gives it another number for `cas`.
///
/// **Threads:** one request has its own.
final class MemcachedChange {
  /// No copy of another owner lags so many calls after what its primary owner has (EXPIRE-5).
  private static final int SAME_READS_MAX = 8;

  private static final long NEVER = -1;

  private final AdvancedCache<byte[], byte[]> cache;
  private final byte[] key;
  private final Function<@Nullable CacheEntry<byte[], byte[]>, Outcome> change;

  private MemcachedChange(
      AdvancedCache<byte[], byte[]> cache,
      byte[] key,
      Function<@Nullable CacheEntry<byte[], byte[]>, Outcome> change) {
    this.cache = cache;
    this.key = key;
    this.change = change;
  }

  /// What an item becomes, and what is answered then. A null is no answer.
  sealed interface Outcome {
    @Nullable Object answer();

    /// What is written.
    ///
    /// @param createdMillis when its lifespan began, or -1 if it has none
    record Changed(byte[] value, Metadata metadata, long createdMillis, @Nullable Object answer)
        implements Outcome {}

    record Unchanged(@Nullable Object answer) implements Outcome {}
  }

  /// Makes a change.
  ///
  /// @param change of the item, null if there is none; called again if another client was quicker
  static CompletionStage<Outcome> make(
      AdvancedCache<byte[], byte[]> cache,
      byte[] key,
      Function<@Nullable CacheEntry<byte[], byte[]>, Outcome> change) {
    // What is read here is not part of an answer (ANSWER-1).
    return new MemcachedChange(cache.noFlags(), key, change).make(NEVER, 0);
  }

  /// @param seenBefore when the item expires by the read before
  /// @param reads that have shown that time
  private CompletionStage<Outcome> make(long seenBefore, int reads) {
    return cache
        .getCacheEntryAsync(key)
        .thenCompose(entry -> {
          byte[] before = entry == null ? null : entry.getValue();
          Outcome outcome = change.apply(entry);
          if (!(outcome instanceof Outcome.Changed changed)) {
            return CompletableFuture.completedFuture(outcome);
          }
          long seen = entry == null ? NEVER : ExpiryTime.ofEntry(entry).orElse(NEVER);
          int same = seen == seenBefore ? reads + 1 : 1;
          return write(before, changed, seen, same)
              .thenCompose(written ->
                  written ? CompletableFuture.completedFuture(outcome) : make(seen, same));
        });
  }

  /// Whether the item was still as it had been read, and so is written.
  private CompletionStage<Boolean> write(
      byte @Nullable [] before, Outcome.Changed to, long seen, int reads) {
    if (before == null) {
      return cache
          .putIfAbsentAsync(key, to.value(), to.metadata())
          .thenApply(there -> there == null);
    }
    Metadata metadata =
        reads > SAME_READS_MAX
            ? new InternalMetadataImpl(to.metadata(), to.createdMillis(), NEVER)
            : ExpiryGuard.ifExpiryIs(seen, to.metadata(), to.createdMillis());
    return cache.replaceAsync(key, before, to.value(), metadata);
  }

  /// Another value of an item that is there. (MEMCACHED-7)
  static Outcome.Changed changed(
      CacheEntry<byte[], byte[]> entry,
      byte[] value,
      EntryVersion version,
      @Nullable Object answer) {
    Metadata metadata = metadata(flags(entry), version, entry.getLifespan());
    return new Outcome.Changed(value, metadata, entry.getCreated(), answer);
  }

  /// An item that expires at another time. (MEMCACHED-7)
  ///
  /// @param lifespanMillis from now on, or less than 0 if it does not expire
  static Outcome.Changed touched(
      CacheEntry<byte[], byte[]> entry,
      long lifespanMillis,
      long nowMillis,
      @Nullable Object answer) {
    EntryVersion version = entry.getMetadata().version();
    Metadata metadata = metadata(flags(entry), version, lifespanMillis);
    return new Outcome.Changed(
        entry.getValue(), metadata, lifespanMillis < 0 ? NEVER : nowMillis, answer);
  }

  private static Metadata metadata(int flags, EntryVersion version, long lifespanMillis) {
    return new MemcachedMetadata.Builder()
        .flags(flags)
        .version(version)
        .lifespan(lifespanMillis)
        .build();
  }

  /// The flags of an item, which are 32 bits without a sign.
  static int flags(CacheEntry<?, ?> entry) {
    return entry.getMetadata() instanceof MemcachedMetadata metadata ? metadata.flags : 0;
  }

  /// The number of an item for `cas`; 0, which no item has, for an entry of another protocol.
  static long number(CacheEntry<?, ?> entry) {
    return entry.getMetadata().version() instanceof NumericVersion version
        ? version.getVersion()
        : 0;
  }

  /// The value of an item, longer by what a request brings.
  static byte[] joined(byte[] first, byte[] second) {
    byte[] all = new byte[Math.addExact(first.length, second.length)];
    System.arraycopy(first, 0, all, 0, first.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }

  /// A counter after a request. Counters have 64 bits without a sign: a sum wraps, as memcached's
  /// does, and a difference is 0 at least.
  ///
  /// @throws NumberFormatException if the value is no number of 64 bits
  static long counted(byte[] value, long by, boolean isIncrement) {
    long number = number(value);
    if (isIncrement) {
      return number + by;
    }
    return Long.compareUnsigned(number, by) < 0 ? 0 : number - by;
  }

  /// A number without a sign. Spaces may follow, as those that memcached writes.
  static long number(byte[] digits) {
    return Long.parseUnsignedLong(new String(digits, US_ASCII).stripTrailing());
  }
}
