package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreIoException;
import io.varve.StoreOptions;
import io.varve.admin.BackupOptions;
import io.varve.admin.RestoreTo;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.store.StoreOpener;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The wall clock jumps: back, far forward, before 1970, and to where no clock is. A store goes by
/// it only to note the time of commits and backups. All waits and intervals go by a clock that does
/// not jump.
@Timeout(120)
class ClockJumpsTest {
  private static final long START = Instant.parse("2026-11-29T10:00:00Z").toEpochMilli();

  private final SimulatedClock steady = new SimulatedClock();
  private final AtomicLong wallMillis = new AtomicLong(START);
  private final SimulatedDisk disk = new SimulatedDisk(1);
  private final SimulatedDisk backups = new SimulatedDisk(2);

  private final Clock clock =
      new Clock() {
        @Override
        public long nanoTime() {
          return steady.asClock().nanoTime();
        }

        @Override
        public long currentTimeMillis() {
          return wallMillis.get();
        }

        @Override
        public void parkNanos(Object blocker, long nanos) {
          steady.asClock().parkNanos(blocker, nanos);
        }
      };

  private Store open() {
    StoreOptions options =
        Stores.tiny().archiveLog(true).checkpointInterval(Duration.ofMillis(100));
    return StoreOpener.open(disk.asDisk(), clock, StoreThreads.PLATFORM, options);
  }

  /// A life of the store: one commit, whose time is noted at the close.
  private void commitAt(long millis) {
    wallMillis.set(millis);
    try (Store store = open()) {
      Space space = store.space("s");
      space.put(Bytes.of("k" + space.count(Range.all())), Bytes.of("v"));
    }
  }

  private void backup() {
    try (Store store = open()) {
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
    }
  }

  private long restored(Instant time) {
    SimulatedDisk target = new SimulatedDisk(3);
    SimulatedStore.restore(backups, target, RestoreTo.time(time));
    try (Store store = SimulatedStore.open(target, Stores.tiny())) {
      store.verify().requireSound();
      Space space = store.findSpace("s");
      return space == null ? 0 : space.count(Range.all());
    }
  }

  private static Instant at(long millis) {
    return Instant.ofEpochMilli(millis);
  }

  /// What comes after a note that is younger than the wanted time is not applied, though the clock
  /// was put back after it.
  @Test
  void aRestoreToATimeEndsBeforeTheFirstYoungerNote() {
    long hour = Duration.ofHours(1).toMillis();
    backup();
    commitAt(START + 1000);
    commitAt(START + hour);
    commitAt(START + 2000); // an hour back
    commitAt(START + 365 * 24 * hour);
    commitAt(START + 2 * hour);
    wallMillis.set(START + 400 * 24 * hour);
    backup();
    assertThat(restored(at(START))).isZero();
    assertThat(restored(at(START + 1999))).isEqualTo(1);
    assertThat(restored(at(START + 3000))).isEqualTo(1);
    assertThat(restored(at(START + hour))).isEqualTo(3);
    assertThat(restored(at(START + 3 * hour))).isEqualTo(3);
    assertThat(restored(at(START + 365 * 24 * hour))).isEqualTo(5);
    assertThat(restored(at(START + 401 * 24 * hour))).isEqualTo(5);
  }

  @Test
  void timesBefore1970AndBeyondEveryCalendarAreNoted() {
    wallMillis.set(Long.MIN_VALUE / 2);
    backup();
    commitAt(-1);
    commitAt(0);
    commitAt(Long.MAX_VALUE / 2);
    commitAt(Long.MAX_VALUE);
    wallMillis.set(Long.MAX_VALUE);
    backup();
    assertThat(restored(at(Long.MIN_VALUE / 2))).isZero();
    assertThat(restored(at(-1))).isEqualTo(1);
    assertThat(restored(at(START))).isEqualTo(2);
    assertThat(restored(at(Long.MAX_VALUE - 1))).isEqualTo(3);
  }

  /// No number of milliseconds shows these: they failed as an overflow.
  @Test
  void timesThatNoClockShowsAreBeforeAllPointsOrAfter() {
    backup();
    commitAt(START + 1000);
    backup();
    assertThat(restored(Instant.MAX)).isEqualTo(1);
    assertThatThrownBy(() -> restored(Instant.MIN))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("every point is younger");
  }

  @Test
  void checkpointsComeThoughTheClockJumps() {
    try (Store store = open()) {
      for (long millis : new long[] {START, START - 3_600_000, -5, Long.MAX_VALUE / 2, START}) {
        wallMillis.set(millis);
        long before = store.statistics().checkpoints().count();
        store.space("s").put(Bytes.of("k" + millis), Bytes.of("v"));
        while (store.statistics().checkpoints().count() == before) {
          steady.advance(Duration.ofMillis(100));
        }
      }
    }
  }
}
