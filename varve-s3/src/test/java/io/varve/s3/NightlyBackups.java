package io.varve.s3;

import io.varve.Store;
import io.varve.admin.BackupOptions;
import io.varve.admin.Backups;
import io.varve.spi.BackupTarget;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// Keeps the last four weeks of a store.
public final class NightlyBackups implements Runnable {
  private final Store store;
  private final Backups backups;

  public NightlyBackups(Store store, BackupTarget target) {
    this.store = store;
    this.backups = Backups.at(target);
  }

  /// A backup each night at half past two.
  public void startIn(ScheduledExecutorService executor) {
    LocalDateTime now = LocalDateTime.now();
    LocalDateTime first = now.toLocalDate().plusDays(1).atTime(2, 30);
    long delay = Duration.between(now, first).toSeconds();
    executor.scheduleAtFixedRate(this, delay, TimeUnit.DAYS.toSeconds(1), TimeUnit.SECONDS);
  }

  @Override
  public void run() {
    try {
      boolean full = LocalDate.now().getDayOfWeek() == DayOfWeek.SUNDAY;
      backups.take(store, BackupOptions.defaults().full(full));
      backups.prune(28);
    } catch (RuntimeException e) {
      // The store is unharmed; the next night tries again. An exception would end the schedule.
      System.getLogger("backups").log(System.Logger.Level.ERROR, "no backup tonight", e);
    }
  }
}
