package io.varve.test;

import io.varve.Durability;
import io.varve.ProgressListener;
import io.varve.Space;
import io.varve.Statistics;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.Verification;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.FileDisk;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.store.StoreOpener;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/// The process of [RecoveryHeapTest]: fills a store and dies, dies while it recovers one, or
/// recovers it and prints how that went.
///
/// Arguments: what to do (`fill`, `die` or `open`), the directory, the MiB of data, the MiB of log
/// after the only checkpoint; for `die` also the write to the page file at which to.
final class RecoveryChild {
  private static final int KEY_BYTES = 16;
  private static final int VALUE_BYTES = 100;

  /// What a commit of one entry takes in the log, about.
  private static final int COMMIT_BYTES = 152;

  private static final int LOADED_TOGETHER = 1000;
  private static final int CHECKED = 2000;

  private final Path directory;
  private final long keys;
  private final long changes;
  private final long logBytes;

  private RecoveryChild(Path directory, long dataBytes, long logBytes) {
    this.directory = directory;
    this.keys = dataBytes / (KEY_BYTES + VALUE_BYTES);
    this.changes = logBytes / COMMIT_BYTES;
    this.logBytes = logBytes;
  }

  public static void main(String[] arguments) {
    long dataBytes = Long.parseLong(arguments[2]) << 20;
    long logBytes = Long.parseLong(arguments[3]) << 20;
    var child = new RecoveryChild(Path.of(arguments[1]), dataBytes, logBytes);
    switch (arguments[0]) {
      case "fill" -> child.fill();
      case "die" -> child.open(Long.parseLong(arguments[4]));
      default -> child.open(Long.MAX_VALUE);
    }
  }

  private StoreOptions options(long logBytesMax) {
    return StoreOptions.defaults()
        .durability(Durability.BACKGROUND)
        .log(log -> log.bytesMax(logBytesMax))
        .checkpointInterval(Duration.ofHours(1));
  }

  private static byte[] key(long number) {
    return ByteBuffer.allocate(KEY_BYTES).putLong(number).putLong(~number).array();
  }

  private static byte[] value(long change) {
    ByteBuffer value = ByteBuffer.allocate(VALUE_BYTES);
    for (int at = 0; at + Long.BYTES <= VALUE_BYTES; at += Long.BYTES) {
      value.putLong(mixed(change + at));
    }
    return value.array();
  }

  /// Finalizer of SplitMix64.
  private static long mixed(long number) {
    long z = number * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  private long changedKey(long change) {
    return Long.remainderUnsigned(mixed(~change), keys);
  }

  /// The cache is as large as the heap allows, so that nothing is written after the checkpoint.
  private void fill() {
    StoreOptions options =
        options(3 * logBytes).cacheBytes(Runtime.getRuntime().maxMemory() / 4 * 3);
    Store store = Store.open(directory, options);
    Space space = store.space("s");
    for (long first = 0; first < keys; first += LOADED_TOGETHER) {
      long from = first;
      store.transact(tx -> {
        for (long i = from; i < Math.min(keys, from + LOADED_TOGETHER); i++) {
          tx.put(space, key(i), value(-1 - i));
        }
      });
    }
    store.checkpoint();
    store.checkpoint();
    Statistics before = store.statistics();
    for (long change = 0; change < changes; change++) {
      space.put(key(changedKey(change)), value(change));
    }
    store.awaitDurable(store.lastCommit());
    Statistics after = store.statistics();
    say("commits", changes);
    say("log", after.log().retainedBytes());
    say("file", after.disk().pageFileBytes());
    say("written", after.checkpoints().writtenBytes() - before.checkpoints().writtenBytes());
    Runtime.getRuntime().halt(0);
  }

  private void open(long deathAtWrite) {
    AtomicLong left = new AtomicLong(deathAtWrite);
    var disk =
        new WatchedDisk(
            FileDisk.open(directory, false),
            call -> {
              if (call.operation() == DiskOperation.WRITE
                  && call.name().equals("pages")
                  && left.decrementAndGet() == 0) {
                Runtime.getRuntime().halt(0);
              }
            });
    long started = System.nanoTime();
    Store store = StoreOpener.open(disk, Clock.SYSTEM, StoreThreads.PLATFORM, options(logBytes));
    long millis = (System.nanoTime() - started) / 1_000_000;
    Statistics statistics = store.statistics();
    say("millis", millis);
    say("commits", statistics.recovery().replayedCommits());
    say("dirty", statistics.cache().dirtyBytes());
    say("cache", statistics.cache().budgetBytes());
    say("file", statistics.disk().pageFileBytes());
    say("read", statistics.disk().readBytes());
    say("writes", statistics.disk().writtenBytes());
    check(store);
    Verification verification = store.verify(ProgressListener.none());
    verification.requireSound();
    say("live", verification.liveBytes());
    store.close();
  }

  /// Looks at what the newest changes left.
  private void check(Store store) {
    Space space = store.space("s");
    Map<Long, Long> newest = new HashMap<>();
    for (long change = Math.max(0, changes - CHECKED); change < changes; change++) {
      newest.put(changedKey(change), change);
    }
    newest.forEach((key, change) -> {
      if (!Arrays.equals(space.get(key(key)), value(change))) {
        throw new AssertionError("lost: key=" + key + ", change=" + change);
      }
    });
  }

  private static void say(String name, long number) {
    System.out.println(name + "=" + number);
  }
}
