package io.varve.grid.guard.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.varve.grid.guard.memcached.MemcachedChange.Outcome;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.Function;
import javax.security.auth.Subject;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.container.versioning.EntryVersion;
import org.infinispan.container.versioning.NumericVersion;
import org.infinispan.metadata.Metadata;
import org.infinispan.server.memcached.MemcachedResponse;
import org.infinispan.server.memcached.MemcachedResponse.ResponseWriter;
import org.infinispan.server.memcached.MemcachedServer;
import org.infinispan.server.memcached.MemcachedStats;
import org.infinispan.server.memcached.MemcachedStatus;
import org.infinispan.server.memcached.binary.BinaryCommand;
import org.infinispan.server.memcached.binary.BinaryHeader;
import org.infinispan.server.memcached.binary.BinaryOpDecoderImpl;
import org.jspecify.annotations.Nullable;

/// Requests of memcached's binary protocol, of which Infinispan carries out those that are not
/// here.
///
/// (MEMCACHED-9) A request that names a number for `cas` is done if the item has that number. Of
/// several clients that name the same, one has it done. Infinispan answers that it was done
/// although the item had been changed, and never does a `replace` that names one.
final class MemcachedBinary extends BinaryOpDecoderImpl {
  private static final byte[] NOTHING = {};
  private static final int HEADER_BYTES = 24;
  private static final int FLAGS_BYTES = 4;

  /// The expiry by which a counter is not made.
  private static final int NO_INITIAL = -1;

  MemcachedBinary(MemcachedServer server, Subject subject) {
    super(server, subject);
  }

  @Override
  protected MemcachedResponse set(
      BinaryHeader header, byte[] key, byte[] value, int flags, int expiration, boolean quiet) {
    return header.getCas() == 0
        ? super.set(header, key, value, flags, expiration, quiet)
        : replaceNumbered(header, key, value, metadata(flags, expiration), quiet);
  }

  @Override
  protected MemcachedResponse replace(
      BinaryHeader header, byte[] key, byte[] value, int flags, int expiration, boolean quiet) {
    return header.getCas() == 0
        ? super.replace(header, key, value, flags, expiration, quiet)
        : replaceNumbered(header, key, value, metadata(flags, expiration), quiet);
  }

  /// MEMCACHED-9
  private MemcachedResponse replaceNumbered(
      BinaryHeader header, byte[] key, byte[] value, Metadata metadata, boolean quiet) {
    long createdMillis = metadata.lifespan() < 0 ? -1 : timeService.wallClockTime();
    return change(
        header,
        key,
        MemcachedStatus.KEY_NOT_FOUND,
        _ ->
            new Outcome.Changed(
                value, metadata, createdMillis, stored(header, metadata.version(), quiet)));
  }

  @Override
  protected MemcachedResponse append(BinaryHeader header, byte[] key, byte[] value, boolean quiet) {
    return grow(header, key, old -> MemcachedChange.joined(old, value), quiet);
  }

  @Override
  protected MemcachedResponse prepend(
      BinaryHeader header, byte[] key, byte[] value, boolean quiet) {
    return grow(header, key, old -> MemcachedChange.joined(value, old), quiet);
  }

  private MemcachedResponse grow(
      BinaryHeader header, byte[] key, Function<byte[], byte[]> grown, boolean quiet) {
    return change(
        header,
        key,
        MemcachedStatus.ITEM_NOT_STORED,
        entry -> {
          EntryVersion version = versionGenerator.generateNew();
          return MemcachedChange.changed(
              entry, grown.apply(entry.getValue()), version, stored(header, version, quiet));
        });
  }

  /// Changes an item that is there, and has the number that the request names, if it does.
  private MemcachedResponse change(
      BinaryHeader header,
      byte[] key,
      MemcachedStatus absent,
      Function<CacheEntry<byte[], byte[]>, Outcome> change) {
    long number = header.getCas();
    CompletionStage<Outcome> changed =
        MemcachedChange.make(
            cache,
            key,
            entry -> {
              if (entry == null) {
                return refused(header, absent);
              }
              return number == 0 || number == MemcachedChange.number(entry)
                  ? change.apply(entry)
                  : refused(header, MemcachedStatus.KEY_EXISTS);
            });
    return send(header, changed.thenApply(Outcome::answer));
  }

  private Outcome refused(BinaryHeader header, MemcachedStatus status) {
    ResponseWriter answer =
        _ -> {
          header.setCas(0);
          return response(header, status);
        };
    return new Outcome.Unchanged(answer);
  }

  private @Nullable ResponseWriter stored(
      BinaryHeader header, EntryVersion version, boolean quiet) {
    return quiet
        ? null
        : _ -> {
          header.setCas(((NumericVersion) version).getVersion());
          return response(header, MemcachedStatus.NO_ERROR);
        };
  }

  @Override
  protected MemcachedResponse increment(
      BinaryHeader header, byte[] key, long delta, long initial, int expiration, boolean quiet) {
    BinaryCommand command = header.getCommand();
    boolean isIncrement = command == BinaryCommand.INCREMENT || command == BinaryCommand.INCREMENTQ;
    long by = isIncrement ? delta : -delta;
    long number = header.getCas();
    CompletionStage<Outcome> counted =
        MemcachedChange.make(
            cache,
            key,
            entry -> {
              if (entry == null) {
                note(isIncrement ? MemcachedStats.INCR_MISSES : MemcachedStats.DECR_MISSES);
                return expiration == NO_INITIAL
                    ? refused(header, MemcachedStatus.KEY_NOT_FOUND)
                    : initial(header, initial, expiration, quiet);
              }
              if (number != 0 && number != MemcachedChange.number(entry)) {
                return refused(header, MemcachedStatus.KEY_EXISTS);
              }
              long sum = MemcachedChange.counted(entry.getValue(), by, isIncrement);
              EntryVersion version = versionGenerator.generateNew();
              return MemcachedChange.changed(
                  entry, digits(sum), version, counter(header, version, sum, quiet));
            });
    return send(
        header,
        counted.thenApply(outcome -> {
          if (outcome instanceof Outcome.Changed) {
            note(isIncrement ? MemcachedStats.INCR_HITS : MemcachedStats.DECR_HITS);
          }
          return outcome.answer();
        }));
  }

  private Outcome initial(BinaryHeader header, long initial, int expiration, boolean quiet) {
    Metadata metadata = metadata(0, expiration);
    return new Outcome.Changed(
        digits(initial), metadata, -1, counter(header, metadata.version(), initial, quiet));
  }

  private static byte[] digits(long number) {
    return Long.toUnsignedString(number).getBytes(US_ASCII);
  }

  private @Nullable ResponseWriter counter(
      BinaryHeader header, EntryVersion version, long number, boolean quiet) {
    return quiet
        ? null
        : _ -> {
          header.setCas(((NumericVersion) version).getVersion());
          response(header, MemcachedStatus.NO_ERROR, number);
          return HEADER_BYTES + Long.BYTES;
        };
  }

  private void note(AtomicLongFieldUpdater<MemcachedStats> count) {
    if (statsEnabled) {
      count.incrementAndGet(statistics);
    }
  }

  @Override
  protected MemcachedResponse touch(BinaryHeader header, byte[] key, int expiration) {
    return change(
        header,
        key,
        MemcachedStatus.KEY_NOT_FOUND,
        entry -> touched(header, entry, expiration, NOTHING, NOTHING));
  }

  @Override
  protected MemcachedResponse gat(BinaryHeader header, byte[] key, int expiration, boolean quiet) {
    BinaryCommand command = header.getCommand();
    boolean withKey = command == BinaryCommand.GATK || command == BinaryCommand.GATKQ;
    byte[] named = withKey ? key : NOTHING;
    ResponseWriter absent =
        _ -> {
          header.setCas(0);
          return response(header, MemcachedStatus.KEY_NOT_FOUND, named, NOTHING);
        };
    CompletionStage<Outcome> touched =
        MemcachedChange.make(
            cache,
            key,
            entry ->
                entry == null
                    ? new Outcome.Unchanged(quiet ? null : absent)
                    : touched(header, entry, expiration, named, entry.getValue()));
    return send(header, touched.thenApply(Outcome::answer));
  }

  private Outcome touched(
      BinaryHeader header,
      CacheEntry<byte[], byte[]> entry,
      int expiration,
      byte[] key,
      byte[] value) {
    ResponseWriter answer =
        _ -> {
          header.setCas(MemcachedChange.number(entry));
          response(header, MemcachedStatus.NO_ERROR, MemcachedChange.flags(entry), key, value);
          return HEADER_BYTES + FLAGS_BYTES + key.length + value.length;
        };
    long lifespanMillis = expiration > 0 ? toMillis(expiration) : -1;
    return MemcachedChange.touched(entry, lifespanMillis, timeService.wallClockTime(), answer);
  }
}
