package io.varve.test;

import io.varve.KeySource;
import io.varve.ProgressListener;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.admin.BackupOptions;
import io.varve.admin.BackupPoint;
import io.varve.admin.RestoreTo;
import io.varve.admin.Restored;
import io.varve.admin.SalvageReport;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.store.RestoreRun;
import io.varve.internal.store.StoreOpener;
import io.varve.internal.store.StoreRestorer;
import io.varve.internal.store.StoreSalvager;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Opens stores on simulated disks: the engine is the one that [Store#open] opens, down to the last
/// byte; only the disk beneath it is not real.
///
/// ```java
/// var disk = new SimulatedDisk(seed);
/// disk.cutPowerAtCall(1000);
/// try (Store store = SimulatedStore.open(disk, StoreOptions.defaults())) {
///   workload.runOn(store); // fails when the power is cut
/// } catch (StoreFailedException e) {
///   // the machine is gone
/// }
/// try (Store store = SimulatedStore.open(disk.powerCut(), StoreOptions.defaults())) {
///   // holds every commit that was acknowledged as durable
/// }
/// ```
public final class SimulatedStore {
  private static final RestoreRun BY_SYSTEM = RestoreRun.bySystem(ProgressListener.none());

  private SimulatedStore() {}

  /// Opens or creates the store on `disk`, by the system's clock.
  public static Store open(SimulatedDisk disk, StoreOptions options) {
    return StoreOpener.open(disk.asDisk(), Clock.SYSTEM, StoreThreads.PLATFORM, options);
  }

  /// Opens or creates the store on `disk`, by a clock that the test moves.
  public static Store open(SimulatedDisk disk, SimulatedClock clock, StoreOptions options) {
    return StoreOpener.open(disk.asDisk(), clock.asClock(), StoreThreads.PLATFORM, options);
  }

  /// Opens or creates the store on `disk`, by the clock of `threads`, which run the store's own as
  /// well. Called by one of them.
  public static Store open(SimulatedDisk disk, SimulatedThreads threads, StoreOptions options) {
    return StoreOpener.open(disk.asDisk(), threads.asClock(), threads.asStoreThreads(), options);
  }

  /// Takes a backup of a store that was opened here to another disk, as
  /// [io.varve.admin.Backups#take(Store, BackupOptions)] does to a directory.
  public static BackupPoint backup(Store store, SimulatedDisk target, BackupOptions options) {
    return StoreOpener.backup(store, target.asDisk(), options);
  }

  /// Restores a store from the backups on one disk to another, which must be empty, as
  /// [io.varve.admin.Backups#restore] does.
  public static Restored restore(SimulatedDisk backups, SimulatedDisk target, RestoreTo state) {
    return restore(backups, target, state, null, BY_SYSTEM);
  }

  /// Restores an encrypted store from the backups on one disk to another, which must be empty.
  public static Restored restore(
      SimulatedDisk backups, SimulatedDisk target, RestoreTo state, KeySource key) {
    return restore(backups, target, state, key, BY_SYSTEM);
  }

  /// Restores a store with the clock of `threads`, which run those of the store that applies
  /// archived log. Called by one of them.
  ///
  /// @param key of the backups, or null if they are not encrypted
  @SuppressWarnings(
      "exports") // of Nullable: for the tools of a program that has it, no one needs it
  public static Restored restore(
      SimulatedDisk backups,
      SimulatedDisk target,
      RestoreTo state,
      @Nullable KeySource key,
      SimulatedThreads threads) {
    return restore(
        backups,
        target,
        state,
        key,
        new RestoreRun(threads.asClock(), threads.asStoreThreads(), ProgressListener.none()));
  }

  private static Restored restore(
      SimulatedDisk backups,
      SimulatedDisk target,
      RestoreTo state,
      @Nullable KeySource key,
      RestoreRun run) {
    return StoreRestorer.restore(backups.asDisk(), target::asDisk, state, key, run);
  }

  /// The points of the backups on a disk, as [io.varve.admin.Backups#points] lists them.
  public static List<BackupPoint> points(SimulatedDisk backups) {
    return StoreRestorer.points(backups.asDisk());
  }

  /// Salvages a damaged store on one disk onto another, which must be empty, as
  /// [io.varve.admin.Salvage#into] does.
  ///
  /// @param options of the new store
  public static SalvageReport salvage(
      SimulatedDisk damaged, SimulatedDisk target, StoreOptions options) {
    return StoreSalvager.salvage(
        damaged.asDisk(),
        target.asDisk(),
        Clock.SYSTEM,
        StoreThreads.PLATFORM,
        options,
        ProgressListener.none());
  }

  /// Salvages a damaged store as [#salvage(SimulatedDisk, SimulatedDisk, StoreOptions)] does, with
  /// the clock of `threads`, which run those of the new store as well. Called by one of them.
  public static SalvageReport salvage(
      SimulatedDisk damaged, SimulatedDisk target, SimulatedThreads threads, StoreOptions options) {
    return StoreSalvager.salvage(
        damaged.asDisk(),
        target.asDisk(),
        threads.asClock(),
        threads.asStoreThreads(),
        options,
        ProgressListener.none());
  }

  /// Deletes old points from the backups on a disk, as [io.varve.admin.Backups#prune] does.
  ///
  /// @param count how many of the newest to keep
  public static List<BackupPoint> prune(SimulatedDisk backups, int count) {
    return StoreRestorer.prune(backups.asDisk(), count);
  }

  /// How many commits a store that was opened here has applied, without the records that an
  /// archived log holds in addition. Takes no lock.
  public static long appliedCommits(Store store) {
    return StoreOpener.appliedCommits(store);
  }

  /// Changes the key of the store on `disk`, as [io.varve.admin.StoreKeys#change] does.
  public static void changeKey(SimulatedDisk disk, KeySource oldKeys, KeySource newKeys) {
    StoreOpener.changeKey(disk.asDisk(), oldKeys, newKeys);
  }
}
