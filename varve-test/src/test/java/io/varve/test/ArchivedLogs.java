package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Commit;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.Transaction;
import io.varve.VarveException;
import io.varve.admin.BackupOptions;
import io.varve.admin.BackupPoint;
import io.varve.admin.RestoreTo;
import io.varve.admin.Restored;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Stores that archive their logs, their backups, and what these must restore.
final class ArchivedLogs {
  static final StoreOptions KEEPING = Stores.tiny().archiveLog(true);

  /// With a log's ring that doubles with use.
  static final StoreOptions GROWING = KEEPING.log(log -> log.bufferBytes(1 << 18));

  private ArchivedLogs() {}

  /// A history whose state is known after each commit.
  static final class History {
    final SplittableRandom random;
    final SimulatedDisk backups;
    final NavigableMap<Commit, Model> states = new TreeMap<>();
    final List<BackupPoint> points = new ArrayList<>();
    private final Model model = new Model();
    SimulatedDisk disk;
    Store store;

    /// Open over many commits and backups, with large values that the log holds already.
    private @Nullable Transaction open;

    private final Model ofOpen = new Model();
    private final StoreOptions options;

    History(long seed) {
      this(seed, false);
    }

    History(long seed, boolean encrypted) {
      StoreOptions ring = seed / 2 % 2 == 0 ? KEEPING : GROWING;
      StoreOptions keeping = seed % 2 == 0 ? ring : ring.compression("deflate");
      options = encrypted ? keeping.encryption(Stores.key()) : keeping;
      random = new SplittableRandom(seed);
      disk = new SimulatedDisk(seed);
      backups = new SimulatedDisk(seed + 1);
      store = SimulatedStore.open(disk, options);
    }

    void step() {
      Space space = store.space("s" + random.nextInt(2));
      int dice = random.nextInt(100);
      if (dice < 40) {
        put(space, random.nextInt(300));
      } else if (dice < 50) {
        put(space, random.nextInt(20_000));
      } else if (dice < 65) {
        put(space, 131_073 + random.nextInt(100_000));
      } else if (dice < 68) {
        put(space, 1_000_000 + random.nextInt(2_000_000));
      } else if (dice < 72) {
        byte[] key = key();
        byte[] value = value(300 + random.nextInt(10_000));
        model.put(space.name(), key, value);
        note(space.put(key, new ByteArrayInputStream(value), value.length));
      } else if (dice < 84) {
        byte[] key = key();
        model.delete(space.name(), key);
        note(space.delete(key));
      } else if (dice < 85) {
        store.dropSpace(space.name());
        List.copyOf(model.entries(space.name()).keySet())
            .forEach(key -> model.delete(space.name(), key));
        endOpen(false);
        states.put(store.lastCommit(), model.copy());
      } else if (dice < 90) {
        store.checkpoint();
      } else if (dice < 91) {
        store.compact();
      } else if (dice < 94) {
        writeInOpen(space);
      } else if (dice < 96) {
        endOpen(true);
      } else {
        reopen();
      }
    }

    private void writeInOpen(Space space) {
      Transaction present = open == null ? store.begin() : open;
      open = present;
      byte[] key = key();
      byte[] value = value(131_073 + random.nextInt(1_200_000));
      present.put(space, key, value);
      ofOpen.put(space.name(), key, value);
    }

    void endOpen(boolean commit) {
      Transaction ended = open;
      if (ended == null) {
        return;
      }
      if (commit) {
        Commit last = ended.commit();
        for (String space : ofOpen.spaceNames()) {
          ofOpen.entries(space).forEach((key, value) -> model.put(space, key, value));
        }
        note(last);
      } else {
        ended.close();
      }
      open = null;
      for (String space : ofOpen.spaceNames()) {
        List.copyOf(ofOpen.entries(space).keySet()).forEach(key -> ofOpen.delete(space, key));
      }
    }

    private void put(Space space, int bytes) {
      byte[] key = key();
      byte[] value = value(bytes);
      model.put(space.name(), key, value);
      note(space.put(key, value));
    }

    private void note(Commit commit) {
      states.put(commit, model.copy());
    }

    private byte[] key() {
      return Bytes.of("k" + random.nextInt(60));
    }

    private byte[] value(int bytes) {
      byte[] value = new byte[bytes];
      random.nextBytes(value);
      Arrays.fill(value, bytes / 2, bytes, (byte) '-'); // compresses
      return value;
    }

    private void reopen() {
      endOpen(false);
      if (random.nextBoolean()) {
        store.close();
      } else {
        SimulatedDisk after = random.nextBoolean() ? disk.powerCut() : disk.processCrash();
        closeDead(store);
        disk = after;
      }
      store = SimulatedStore.open(disk, options);
      model.requireEqual(Model.of(store), "reopened");
    }

    void backup() {
      points.add(SimulatedStore.backup(store, backups, BackupOptions.defaults()));
    }
  }

  static Restored requireRestores(SimulatedDisk backups, RestoreTo state, Model expected) {
    return requireRestores(backups, state, expected, false);
  }

  static Restored requireRestores(
      SimulatedDisk backups, RestoreTo state, Model expected, boolean encrypted) {
    SimulatedDisk target = new SimulatedDisk(7);
    Restored restored = Stores.restore(backups, target, state, encrypted);
    try (Store store = SimulatedStore.open(target.powerCut(), Stores.tiny(encrypted))) {
      expected.requireEqual(Model.of(store), "restored " + state + " from " + restored);
      store.verify().requireSound();
      assertThat(store.space("after").put(Bytes.of("k"), Bytes.of("v")))
          .isGreaterThan(restored.lastCommit());
    }
    return restored;
  }

  record Committed(Commit commit, Model state) {}

  /// @return a commit that the archived log alone leads to
  static Committed backUpTwice(SimulatedDisk disk, SimulatedDisk backups, String value) {
    Committed between;
    try (Store store = SimulatedStore.open(disk, KEEPING)) {
      Space space = store.space("s");
      space.put(Bytes.of("k"), Bytes.of(value));
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
      for (int i = 0; i < 100; i++) {
        space.put(Bytes.of(i), Bytes.of(value + i));
      }
      between = new Committed(store.lastCommit(), Model.of(store));
      space.put(Bytes.of("k"), Bytes.of(value + " later"));
    }
    try (Store store = SimulatedStore.open(disk, KEEPING)) {
      store.space("s").put(Bytes.of("k"), Bytes.of(value + " again"));
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
    }
    return between;
  }

  static void closeDead(Store store) {
    try {
      store.close();
    } catch (VarveException e) {
      // The disk is off.
    }
  }

  static void delete(SimulatedDisk disk, String name) {
    try {
      disk.asDisk().delete(name);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
