package io.varve.grid.guard.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.stream.Stream;
import javax.security.auth.Subject;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.server.memcached.MemcachedResponse;
import org.infinispan.server.memcached.MemcachedServer;
import org.infinispan.server.memcached.MemcachedStats;
import org.infinispan.server.memcached.text.TextConstants;
import org.infinispan.server.memcached.text.TextHeader;
import org.infinispan.server.memcached.text.TextOpDecoderImpl;
import org.jspecify.annotations.Nullable;

/// Requests of memcached's text protocol, of which Infinispan carries out those that are not here.
///
/// (MEMCACHED-8) Flags and counters are written without a sign. The answer to `gets` and `gats` of
/// several keys has the numbers for `cas`, as that of one key has them.
final class MemcachedText extends TextOpDecoderImpl {
  private static final String NOT_NUMERIC =
      "CLIENT_ERROR cannot increment or decrement non-numeric value\r\n";
  private static final String INVALID_DELTA = "CLIENT_ERROR invalid numeric delta argument\r\n";
  private static final byte[] LINE_END = {'\r', '\n'};

  MemcachedText(MemcachedServer server, Subject subject) {
    super(server, subject);
  }

  @Override
  protected MemcachedResponse get(TextHeader header, List<byte[]> keys, boolean withVersions) {
    return send(header, read(keys).thenApply(entries -> items(entries, withVersions)));
  }

  @Override
  protected MemcachedResponse gat(
      TextHeader header, int expiration, List<byte[]> keys, boolean withVersions) {
    if (keys.size() == 1) {
      return send(
          header,
          touch(
              keys.getFirst(),
              expiration,
              entry -> items(entry == null ? List.of() : List.of(entry), withVersions)));
    }
    return send(
        header,
        read(keys)
            .thenCompose(entries -> { // so that their lengths are bounded (ANSWER-1)
              CompletionStage<?> last = CompletableFuture.completedFuture(null);
              for (CacheEntry<byte[], byte[]> entry : entries) {
                last = last.thenCompose(_ -> touch(entry.getKey(), expiration, _ -> null));
              }
              return last.thenApply(_ -> items(entries, withVersions));
            }));
  }

  /// The items of some keys, without those that are not there.
  private CompletionStage<List<CacheEntry<byte[], byte[]>>> read(List<byte[]> keys) {
    if (keys.isEmpty()) {
      throw new UnsupportedOperationException("no key"); // which is answered as an error
    }
    List<CompletableFuture<CacheEntry<byte[], byte[]>>> reads = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      reads.add(cache.getCacheEntryAsync(key));
    }
    return CompletableFuture.allOf(reads.toArray(CompletableFuture<?>[]::new))
        .thenApply(
            _ -> reads.stream().map(CompletableFuture::join).flatMap(Stream::ofNullable).toList());
  }

  @Override
  protected MemcachedResponse touch(TextHeader header, byte[] key, int expiration, boolean quiet) {
    return send(
        header,
        touch(
            key,
            expiration,
            entry -> {
              byte[] answer = entry == null ? TextConstants.NOT_FOUND : TextConstants.TOUCHED;
              return quiet ? null : answer;
            }));
  }

  private interface Answer {
    @Nullable Object to(@Nullable CacheEntry<byte[], byte[]> entry);
  }

  private CompletionStage<@Nullable Object> touch(byte[] key, int expiration, Answer answer) {
    long lifespanMillis = expiration > 0 ? toMillis(expiration) : -1;
    return MemcachedChange.make(
            cache,
            key,
            entry ->
                entry == null
                    ? new MemcachedChange.Outcome.Unchanged(answer.to(null))
                    : MemcachedChange.touched(
                        entry, lifespanMillis, timeService.wallClockTime(), answer.to(entry)))
        .thenApply(MemcachedChange.Outcome::answer);
  }

  @Override
  protected MemcachedResponse concat(
      TextHeader header,
      byte[] key,
      byte[] value,
      int flags,
      int expiration,
      boolean quiet,
      boolean append) {
    return send(
        header,
        MemcachedChange.make(
                cache,
                key,
                entry -> {
                  if (entry == null) {
                    return new MemcachedChange.Outcome.Unchanged(
                        quiet ? null : TextConstants.NOT_STORED);
                  }
                  byte[] all =
                      append
                          ? MemcachedChange.joined(entry.getValue(), value)
                          : MemcachedChange.joined(value, entry.getValue());
                  return MemcachedChange.changed(
                      entry,
                      all,
                      versionGenerator.generateNew(),
                      quiet ? null : TextConstants.STORED);
                })
            .thenApply(MemcachedChange.Outcome::answer));
  }

  @Override
  protected MemcachedResponse incr(
      TextHeader header, byte[] key, byte[] delta, boolean quiet, boolean isIncrement) {
    long by;
    try {
      by = MemcachedChange.number(delta);
    } catch (NumberFormatException _) {
      return send(header, CompletableFuture.completedFuture(quiet ? null : INVALID_DELTA));
    }
    return send(
        header,
        MemcachedChange.make(cache, key, entry -> count(entry, by, quiet, isIncrement))
            .thenApply(outcome -> {
              if (outcome instanceof MemcachedChange.Outcome.Changed) {
                note(isIncrement ? MemcachedStats.INCR_HITS : MemcachedStats.DECR_HITS);
              }
              return outcome.answer();
            }));
  }

  private MemcachedChange.Outcome count(
      @Nullable CacheEntry<byte[], byte[]> entry, long by, boolean quiet, boolean isIncrement) {
    if (entry == null) {
      note(isIncrement ? MemcachedStats.INCR_MISSES : MemcachedStats.DECR_MISSES);
      return new MemcachedChange.Outcome.Unchanged(quiet ? null : TextConstants.NOT_FOUND);
    }
    try {
      String number =
          Long.toUnsignedString(MemcachedChange.counted(entry.getValue(), by, isIncrement));
      return MemcachedChange.changed(
          entry,
          number.getBytes(US_ASCII),
          versionGenerator.generateNew(),
          quiet ? null : number + "\r\n");
    } catch (NumberFormatException _) {
      return new MemcachedChange.Outcome.Unchanged(quiet ? null : NOT_NUMERIC);
    }
  }

  private void note(AtomicLongFieldUpdater<MemcachedStats> count) {
    if (statsEnabled) {
      count.incrementAndGet(statistics);
    }
  }

  /// Writes items, and the line that ends them.
  private static MemcachedResponse.ResponseWriter items(
      List<CacheEntry<byte[], byte[]>> entries, boolean withVersions) {
    return pool -> {
      int length = 0;
      for (CacheEntry<byte[], byte[]> entry : entries) {
        byte[] value = entry.getValue();
        String line =
            " " + Integer.toUnsignedString(MemcachedChange.flags(entry)) + " " + value.length;
        if (withVersions) {
          line += " " + Long.toUnsignedString(MemcachedChange.number(entry));
        }
        byte[] end = line.getBytes(US_ASCII);
        int bytes =
            TextConstants.VALUE_SIZE
                + entry.getKey().length
                + end.length
                + value.length
                + 2 * LINE_END.length;
        ByteBuf answer = pool.acquire(bytes);
        answer.writeBytes(TextConstants.VALUE).writeBytes(entry.getKey()).writeBytes(end);
        answer.writeBytes(LINE_END).writeBytes(value).writeBytes(LINE_END);
        length += bytes;
      }
      pool.acquire(TextConstants.END_SIZE).writeBytes(TextConstants.END);
      return length + TextConstants.END_SIZE;
    };
  }
}
