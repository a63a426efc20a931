package io.varve.test;

import io.varve.Durability;
import io.varve.KeySource;
import io.varve.PageRetention;
import io.varve.StoreOptions;
import io.varve.admin.RestoreTo;
import io.varve.admin.Restored;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/// Options that make a small history meet what a large one would: splits, evictions, checkpoints,
/// full logs and new segments.
final class Stores {
  private Stores() {}

  /// The smallest of everything.
  static StoreOptions tiny() {
    return StoreOptions.defaults()
        .pageBytes(1024)
        .cacheBytes(1 << 20)
        .log(log ->
            log.bufferBytes(1 << 16)
                .segmentBytes(1 << 18)
                .bytesMax(1 << 20)
                .flushInterval(Duration.ofMillis(5)));
  }

  /// The key of every store of a test that is encrypted.
  static KeySource key() {
    byte[] key = new byte[KeySource.KEY_BYTES];
    new SplittableRandom(77).nextBytes(key);
    return KeySource.of(key);
  }

  /// Restores a store that is encrypted or not.
  static Restored restore(
      SimulatedDisk backups, SimulatedDisk target, RestoreTo state, boolean encrypted) {
    return encrypted
        ? SimulatedStore.restore(backups, target, state, key())
        : SimulatedStore.restore(backups, target, state);
  }

  /// The smallest options, of a store that is encrypted or not.
  static StoreOptions tiny(boolean encrypted) {
    return encrypted ? tiny().encryption(key()) : tiny();
  }

  /// Whether the store of the history of this seed is encrypted: one in three is.
  static boolean isEncrypted(long seed) {
    return Long.remainderUnsigned(seed, 3) == 0;
  }

  /// Small options as by [#random(SplittableRandom)], of a store that is encrypted or not.
  static StoreOptions random(SplittableRandom random, boolean encrypted) {
    StoreOptions options = random(random);
    return encrypted ? options.encryption(key()) : options;
  }

  /// Small options that chance picks; those of one store may differ from open to open.
  static StoreOptions random(SplittableRandom random) {
    StoreOptions options = tiny();
    if (random.nextInt(4) == 0) {
      options = options.pageBytes(1024 << random.nextInt(4));
    }
    if (random.nextInt(4) == 0) {
      options = options.log(log -> log.bytesMax(4 << 20));
    }
    if (random.nextInt(3) == 0) {
      options = options.checkpointInterval(Duration.ofMillis(10));
    }
    if (random.nextInt(2) == 0) {
      options = LogModes.random(random, options);
    }
    if (random.nextInt(3) == 0) {
      options = options.compression("deflate");
    }
    if (random.nextInt(4) == 0) {
      options =
          options.cacheBytes(4 << 20).cache(cache -> cache.share(0.1 + random.nextDouble() / 2));
    }
    List<PageRetention> retentions = PageRetention.builtIn();
    options =
        options.cache(cache -> cache.retention(retentions.get(random.nextInt(retentions.size()))));
    Durability[] durabilities = {
      Durability.POWER_LOSS, Durability.PROCESS_CRASH, Durability.BACKGROUND
    };
    Durability durability = durabilities[random.nextInt(durabilities.length)];
    int flushMillis = 1 + random.nextInt(20);
    return options
        .durability(durability)
        .log(log -> log.flushInterval(Duration.ofMillis(flushMillis)))
        .cache(cache -> cache.offHeapBytes(offHeapBytes(flushMillis)));
  }

  /// None for two stores of three. From a number that was drawn already: one more would change all
  /// histories that come after it.
  private static long offHeapBytes(int drawn) {
    return drawn % 3 == 0 ? 1L << (20 + drawn % 4) : 0;
  }
}
