package io.varve.bench.engine;

import io.varve.Durability;
import io.varve.infinispan.VarveStoreConfigurationBuilder;
import java.nio.file.Path;
import org.infinispan.configuration.cache.PersistenceConfigurationBuilder;
import org.infinispan.persistence.file.SingleFileStoreConfigurationBuilder;
import org.infinispan.persistence.rocksdb.configuration.RocksDBStoreConfigurationBuilder;

/// The stores that a cache of Infinispan can have on a disk of its own. Each is as it is by
/// default, except for what its writes survive.
enum InfinispanStore {
  /// Ours.
  VARVE("varve", "Varve", /* canForce= */ true) {
    @Override
    void addTo(PersistenceConfigurationBuilder persistence, Path directory, Promise promise) {
      persistence
          .addStore(VarveStoreConfigurationBuilder.class)
          .location(directory.toString())
          .durability(promise == Promise.DISK ? Durability.POWER_LOSS : Durability.PROCESS_CRASH);
    }

    @Override
    String describe(Promise promise) {
      return promise == Promise.DISK ? "Varve, POWER_LOSS" : "Varve, PROCESS_CRASH";
    }
  },

  /// Appended files, and an index of keys that an unclean stop makes it build again.
  SOFT_INDEX("sifs", "SoftIndexFileStore", /* canForce= */ true) {
    @Override
    void addTo(PersistenceConfigurationBuilder persistence, Path directory, Promise promise) {
      persistence
          .addSoftIndexFileStore()
          .dataLocation(directory.resolve("data").toString())
          .indexLocation(directory.resolve("index").toString())
          .syncWrites(promise == Promise.DISK);
    }

    @Override
    String describe(Promise promise) {
      return promise == Promise.DISK ? "SoftIndexFileStore, syncWrites" : "SoftIndexFileStore";
    }
  },

  /// One file, and an index of all keys on the heap.
  @SuppressWarnings({"deprecation", "removal"}) // many caches still have it
  SINGLE_FILE("single-file", "SingleFileStore", /* canForce= */ false) {
    @Override
    void addTo(PersistenceConfigurationBuilder persistence, Path directory, Promise promise) {
      persistence
          .addStore(SingleFileStoreConfigurationBuilder.class)
          .location(directory.toString());
    }
  },

  /// RocksDB, which logs writes and forces none.
  ROCKSDB("rocksdb", "RocksDBStore", /* canForce= */ false) {
    @Override
    void addTo(PersistenceConfigurationBuilder persistence, Path directory, Promise promise) {
      persistence
          .addStore(RocksDBStoreConfigurationBuilder.class)
          .location(directory.resolve("data").toString())
          .expiredLocation(directory.resolve("expired").toString());
    }
  };

  private final String label;
  private final String description;
  private final boolean canForce;

  InfinispanStore(String label, String description, boolean canForce) {
    this.label = label;
    this.description = description;
    this.canForce = canForce;
  }

  /// Has the caches of a configuration keep their entries in a directory.
  abstract void addTo(PersistenceConfigurationBuilder persistence, Path directory, Promise promise);

  String label() {
    return label;
  }

  String describe(Promise promise) {
    return description;
  }

  /// Whether a write can be made to survive a loss of power.
  boolean canForce() {
    return canForce;
  }
}
