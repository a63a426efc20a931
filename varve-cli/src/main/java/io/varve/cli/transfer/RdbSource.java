package io.varve.cli.transfer;

import com.moilioncircle.redis.replicator.Configuration;
import com.moilioncircle.redis.replicator.FileType;
import com.moilioncircle.redis.replicator.RedisReplicator;
import com.moilioncircle.redis.replicator.Replicator;
import com.moilioncircle.redis.replicator.event.Event;
import com.moilioncircle.redis.replicator.event.PostRdbSyncEvent;
import com.moilioncircle.redis.replicator.rdb.datatype.KeyValuePair;
import io.varve.Entry;
import io.varve.cli.console.CommandException;
import io.varve.cli.console.Figures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/// The keys of an RDB file of Redis as entries. Strings are values as they are; what else Redis has
/// becomes JSON, by [RdbValues]. Keys whose time is over are left out.
///
/// The library gives its events to a listener, so it reads in a thread of its own. That thread
/// waits where it is ahead by more than a few.
final class RdbSource implements RecordSource {
  /// How many keys the reader may be ahead: values may be large, and are in memory.
  private static final int AHEAD_MAX = 16;

  /// What the reader's thread has found.
  private sealed interface Found {
    record Key(KeyValuePair<?, ?> pair) implements Found {}

    record End() implements Found {}

    record Failure(Throwable cause) implements Found {}
  }

  private final String name;
  private final CountingInput input;
  private final long totalBytes;
  private final SourceOptions options;
  private final RdbChecksum checksum = new RdbChecksum();
  private final Replicator replicator;
  private final RdbVersions versions;
  private final BlockingQueue<Found> found = new ArrayBlockingQueue<>(AHEAD_MAX);
  private final Thread reader;
  private final long nowMillis = System.currentTimeMillis();
  private @Nullable Found last;
  private long expired;
  private long expiring;

  RdbSource(String name, CountingInput input, long totalBytes, SourceOptions options) {
    if (options.key() != null || options.value() != null) {
      throw CommandException.usage("--key and --value choose nothing in an RDB file");
    }
    this.name = name;
    this.input = input;
    this.totalBytes = totalBytes;
    this.options = options;
    replicator =
        new RedisReplicator(
            input,
            FileType.RDB,
            Configuration.defaultSetting().setUseDefaultExceptionListener(false));
    versions = new RdbVersions(replicator, nowMillis);
    replicator.setRdbVisitor(versions);
    replicator.addRawByteListener(checksum);
    replicator.addEventListener((_, event) -> take(event));
    reader = Thread.ofPlatform().daemon().name("varve-rdb").start(this::read);
  }

  private void read() {
    try {
      replicator.open();
      // Where the file ends too early the library ends as if that were all.
      put(new Found.Failure(new IOException("the file ends before its end mark")));
    } catch (Exception | Error e) {
      // The library checks nothing of what a damaged file contains, the lengths of values included,
      // and what it does not know is an assertion. Unless it is put, the other thread waits
      // forever.
      put(new Found.Failure(e));
    }
  }

  private void take(Event event) {
    switch (event) {
      case KeyValuePair<?, ?> pair -> put(key(pair));
      case PostRdbSyncEvent _ -> put(end());
      default -> {} // what the server notes of itself
    }
  }

  private Found key(KeyValuePair<?, ?> pair) {
    return isEmpty(pair) && !versions.fieldsMayExpire()
        ? new Found.Failure(
            new IOException("a hash has no fields: key=" + RdbValues.text((byte[]) pair.getKey())))
        : new Found.Key(pair);
  }

  private Found end() {
    String problem = checksum.problem();
    return problem == null ? new Found.End() : new Found.Failure(new IOException(problem));
  }

  private void put(Found next) {
    try {
      found.put(next);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // the source was closed
    }
  }

  @Override
  public @Nullable Incoming next() {
    if (last != null) {
      return null;
    }
    while (true) {
      Found next = take();
      switch (next) {
        case Found.Key(var pair) -> {
          Long until = pair.getExpiredMs();
          if ((until == null || until > nowMillis) && !isEmpty(pair)) {
            expiring += until == null ? 0 : 1;
            return entry(pair);
          }
          expired++;
        }
        case Found.End _ -> {
          last = next;
          return null;
        }
        case Found.Failure(var cause) ->
            throw CommandException.usage(name + ": no RDB file that can be read: " + cause, cause);
      }
    }
  }

  /// Whether it is a hash without fields. Redis has none: they have all expired, or it is damage.
  private static boolean isEmpty(KeyValuePair<?, ?> pair) {
    return pair.getValue() instanceof Map<?, ?> hash && hash.isEmpty();
  }

  private Found take() {
    try {
      return found.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandException.usage(name + ": interrupted", e);
    }
  }

  private Incoming entry(KeyValuePair<?, ?> pair) {
    byte[] key = (byte[]) pair.getKey();
    String place = name + ": key " + RdbValues.text(key);
    InputPlace.requireKey(place, key);
    String space = options.space() == null ? "db" + pair.getDb().getDbNumber() : options.space();
    return new Incoming.Whole(space, new Entry(key, RdbValues.bytes(pair.getValue(), place)));
  }

  @Override
  public List<String> notes() {
    var notes = new ArrayList<String>();
    if (expired > 0) {
      notes.add(Figures.count(expired) + " keys had expired, and were left out");
    }
    if (expiring > 0) {
      notes.add(Figures.count(expiring) + " keys had a time to live, and have none now");
    }
    if (last instanceof Found.End && versions.expiredFields() > 0) {
      notes.add(
          Figures.count(versions.expiredFields())
              + " fields of hashes had expired, and were left out");
    }
    if (last instanceof Found.End && versions.expiringFields() > 0) {
      notes.add(
          Figures.count(versions.expiringFields())
              + " fields of hashes had a time to live, and have none now");
    }
    return notes;
  }

  @Override
  public long totalBytes() {
    return totalBytes;
  }

  @Override
  public long bytesRead() {
    return input.count();
  }

  @Override
  public void close() {
    reader.interrupt();
    try {
      replicator.close();
      input.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
