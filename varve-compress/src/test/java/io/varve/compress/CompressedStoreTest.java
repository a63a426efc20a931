package io.varve.compress;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.KeySource;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.admin.BackupOptions;
import io.varve.admin.RestoreTo;
import io.varve.test.Model;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Histories of a store that chance compresses one way, then another, by all codecs there are, with
/// power cuts, backups and encryption: it always holds what the model holds.
class CompressedStoreTest {
  private static final String[] CODECS = {"none", "deflate", "lz4", "zstd"};
  private static final KeySource KEY = KeySource.of(new byte[KeySource.KEY_BYTES]);

  private final SplittableRandom random = new SplittableRandom(Long.getLong("varve.seed", 1));

  private StoreOptions options(boolean encrypted) {
    StoreOptions options =
        StoreOptions.defaults()
            .pageBytes(1024 << random.nextInt(6))
            .cacheBytes(1 << 20)
            .log(log -> log.bufferBytes(1 << 16).segmentBytes(1 << 18).bytesMax(4 << 20))
            .compression(CODECS[random.nextInt(CODECS.length)]);
    return encrypted ? options.encryption(KEY) : options;
  }

  @Test
  void holdsWhatTheModelHolds() {
    for (int history = 0; history < 4; history++) {
      boolean encrypted = history % 3 == 0;
      SimulatedDisk disk = new SimulatedDisk(history);
      SimulatedDisk backups = new SimulatedDisk(history);
      Model model = new Model();
      for (int life = 0; life < 4; life++) {
        try (Store store = SimulatedStore.open(disk, options(encrypted))) {
          model.requireEqual(Model.of(store), "opened");
          for (int i = 0; i < 400; i++) {
            step(store, model);
          }
          store.awaitDurable(store.lastCommit());
          if (random.nextBoolean()) {
            SimulatedStore.backup(store, backups, BackupOptions.defaults());
            requireRestores(backups, model, encrypted);
          }
          store.verify().requireSound();
          if (random.nextBoolean()) {
            disk = disk.powerCut();
          }
        }
      }
    }
  }

  private static void requireRestores(SimulatedDisk backups, Model model, boolean encrypted) {
    SimulatedDisk target = new SimulatedDisk(1);
    StoreOptions options = StoreOptions.defaults();
    if (encrypted) {
      SimulatedStore.restore(backups, target, RestoreTo.newest(), KEY);
      options = options.encryption(KEY);
    } else {
      SimulatedStore.restore(backups, target, RestoreTo.newest());
    }
    try (Store restored = SimulatedStore.open(target, options)) {
      model.requireEqual(Model.of(restored), "restored");
    }
  }

  private void step(Store store, Model model) {
    Space space = store.space("s" + random.nextInt(2));
    byte[] key = ("key/" + random.nextInt(2000)).getBytes(StandardCharsets.UTF_8);
    int dice = random.nextInt(400);
    if (dice < 50) {
      space.with(Durability.BACKGROUND).delete(key);
      model.delete(space.name(), key);
      return;
    }
    if (dice == 399) {
      store.checkpoint();
    } else if (dice == 398) {
      store.compact();
    }
    byte[] value = value(dice == 397 ? 1_500_000 : dice > 380 ? 9_000 : 150);
    space.with(Durability.BACKGROUND).put(key, value);
    model.put(space.name(), key, value);
  }

  private byte[] value(int bytesMax) {
    byte[] value = new byte[random.nextInt(bytesMax)];
    for (int i = 0; i < value.length; i++) {
      value[i] = (byte) ("lines of text, and more ".charAt(i % 24) + random.nextInt(2));
    }
    return value;
  }

  /// What compresses well takes a part of the space with each codec.
  @Test
  void eachCodecSaves() throws IOException {
    int plain = 0;
    for (String codec : CODECS) {
      SimulatedDisk disk = new SimulatedDisk(1);
      try (Store store = SimulatedStore.open(disk, StoreOptions.defaults().compression(codec))) {
        Space space = store.space("s");
        for (int i = 0; i < 3000; i++) {
          byte[] value =
              ("{\"id\":" + i + ",\"name\":\"somebody\",\"city\":\"Berlin\"}")
                  .getBytes(StandardCharsets.UTF_8);
          space
              .with(Durability.BACKGROUND)
              .put(("user:" + i).getBytes(StandardCharsets.UTF_8), value);
        }
      }
      int bytes = disk.content("pages").length;
      if (codec.equals("none")) {
        plain = bytes;
      } else {
        assertThat(bytes).as(codec).isLessThan(plain / 2);
      }
    }
  }
}
