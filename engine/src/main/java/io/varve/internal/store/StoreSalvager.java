package io.varve.internal.store;

import io.varve.Durability;
import io.varve.ProgressListener;
import io.varve.SalvageReport;
import io.varve.Store;
import io.varve.StoreIoException;
import io.varve.StoreOptions;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskLock;
import io.varve.internal.disk.FileDisk;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.page.PageFile;
import io.varve.internal.salvage.Salvager;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Salvages damaged stores into new ones.
public final class StoreSalvager {
  private StoreSalvager() {}

  /// Salvages the store in one directory into another, which must be empty or missing.
  public static SalvageReport salvage(Path damaged, Path target, ProgressListener listener) {
    try (Disk source = FileDisk.open(damaged, false)) {
      return salvage(source, FileDisk.open(target, true), StoreOptions.defaults(), listener);
    }
  }

  /// Salvages the store on one disk onto another, which is closed then.
  ///
  /// @param options of the new store
  public static SalvageReport salvage(
      Disk source, Disk target, StoreOptions options, ProgressListener listener) {
    String where = source.describe("");
    // What an unfinished salvage leaves behind is of no use: the close makes all durable.
    StoreOptions weak = options.durability(Durability.BACKGROUND);
    try (target) {
      if (!source.exists(PageFile.NAME)) {
        throw new StoreIoException(
            "no page file there: file=" + source.describe(PageFile.NAME) + "; restore a backup");
      }
      List<String> present = target.list("");
      if (!present.isEmpty()) {
        throw new StoreIoException(
            "a store is salvaged into an empty directory alone: directory="
                + target.describe("")
                + ", found="
                + present.getFirst()
                + "; name another, or empty it");
      }
      try (DiskLock _ = source.lock(StoreOpener.LOCK_FILE);
          Store store = StoreOpener.open(target, Clock.SYSTEM, StoreThreads.PLATFORM, weak)) {
        SalvageReport report = Salvager.salvage(source, store, listener);
        if (report.foundEntries() > 0) {
          store.compact(); // what the search needed is free now
        }
        return report;
      }
    } catch (IOException e) {
      throw new StoreIoException("cannot salvage: directory=" + where + "; " + e.getMessage(), e);
    }
  }
}
