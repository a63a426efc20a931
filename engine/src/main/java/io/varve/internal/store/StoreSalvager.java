package io.varve.internal.store;

import io.varve.Durability;
import io.varve.KeySource;
import io.varve.ProgressListener;
import io.varve.StoreIoException;
import io.varve.StoreKeyException;
import io.varve.StoreOptions;
import io.varve.admin.SalvageReport;
import io.varve.internal.crypto.DataKey;
import io.varve.internal.crypto.Keyring;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskLock;
import io.varve.internal.disk.FileDisk;
import io.varve.internal.disk.FileOption;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.file.PageFile;
import io.varve.internal.salvage.Salvager;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Salvages damaged stores into new ones.
///
/// (SALVAGER-1) A new store that lacks some of what was salvaged cannot be opened: a file that
/// forbids it is durable before the first of the store's, and goes when all of it is durable.
///
/// (SALVAGER-2) It goes when all was read back as well: what wrote the pages knows them from
/// memory, and the damaged store may be deleted next.
public final class StoreSalvager {
  private StoreSalvager() {}

  /// Salvages the store in one directory into another, which must be empty or missing.
  ///
  /// @param key of both stores, or null if they are not encrypted
  public static SalvageReport salvage(
      Path damaged, Path target, @Nullable KeySource key, ProgressListener listener) {
    StoreOptions options = StoreOptions.defaults();
    try (Disk source = FileDisk.open(damaged, false)) {
      // First of all: neither a wrong source nor a wrong key makes a directory.
      requirePageFile(source);
      requireKey(source, key);
      return salvage(
          source,
          FileDisk.open(target, true),
          Clock.SYSTEM,
          StoreThreads.PLATFORM,
          key == null ? options : options.encryption(key),
          listener);
    } catch (IOException e) {
      throw failed(damaged.toString(), e);
    }
  }

  /// Checks that there is the key of the damaged store, and one for the new store.
  private static void requireKey(Disk source, @Nullable KeySource key) throws IOException {
    var _ = dataKey(source, key);
    if (key != null) {
      Keyring.requireCurrent(key);
    }
  }

  /// Salvages the store on one disk onto another, which is closed then.
  ///
  /// @param threads of the new store, with its clock
  /// @param options of the new store; their key is that of the damaged one, too
  public static SalvageReport salvage(
      Disk source,
      Disk target,
      Clock clock,
      StoreThreads threads,
      StoreOptions options,
      ProgressListener listener) {
    String where = source.describe("");
    // What an unfinished salvage leaves is of no use: a checkpoint makes all durable.
    StoreOptions weak = options.durability(Durability.BACKGROUND);
    try (target) {
      requirePageFile(source);
      List<String> present = target.list("");
      if (!present.isEmpty()) {
        throw new StoreIoException(
            "a store is salvaged into an empty directory alone: directory="
                + target.describe("")
                + ", found="
                + present.getFirst()
                + "; name another, or empty it");
      }
      try (DiskLock lock = source.lock(StoreOpener.LOCK_FILE)) {
        StoreOpener.lockPages(source, lock);
        DataKey dataKey = dataKey(source, weak.encryption());
        target.open(StoreOpener.SALVAGING_FILE, FileOption.CREATE).close();
        target.syncDirectory(""); // (SALVAGER-1)
        SalvageReport report;
        try (OpenStore store = StoreOpener.openForSalvage(target, clock, threads, weak)) {
          report = salvage(source, dataKey, store, listener);
          store.checkpoint();
        }
        StoreOptions reading = weak.readOnly(true);
        try (OpenStore store = StoreOpener.openForSalvage(target, clock, threads, reading)) {
          store.verify().requireSound(); // (SALVAGER-2)
        }
        target.delete(StoreOpener.SALVAGING_FILE);
        target.syncDirectory("");
        return report;
      }
    } catch (IOException e) {
      throw failed(where, e);
    }
  }

  private static void requirePageFile(Disk source) {
    try {
      StoreOpener.requireSalvaged(source);
      if (!source.exists(PageFile.NAME)) {
        throw new StoreIoException(
            "no page file there: file=" + source.describe(PageFile.NAME) + "; restore a backup");
      }
    } catch (IOException e) {
      throw failed(source.describe(""), e);
    }
  }

  private static StoreIoException failed(String directory, IOException e) {
    return new StoreIoException(
        "cannot salvage: directory=" + directory + "; " + e.getMessage(), e);
  }

  /// The key of the damaged store's data, or null if it is not encrypted.
  private static @Nullable DataKey dataKey(Disk source, @Nullable KeySource key)
      throws IOException {
    Keyring keys = Keyring.open(source, key);
    if (keys == null && key != null) {
      throw new StoreKeyException(
          "a key was given, but there is no keys file: directory="
              + source.describe("")
              + "; put back its keys file if the store is encrypted, or else salvage it without a"
              + " key");
    }
    return keys == null ? null : keys.dataKey();
  }

  private static SalvageReport salvage(
      Disk source, @Nullable DataKey dataKey, OpenStore store, ProgressListener listener)
      throws IOException {
    SalvageReport report = Salvager.salvage(source, dataKey, store.salvageTarget(), listener);
    if (report.foundEntries() > 0) {
      store.compact(); // what the search needed is free now
    }
    return report;
  }
}
