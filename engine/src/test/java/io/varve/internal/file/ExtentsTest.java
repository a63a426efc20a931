package io.varve.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.CorruptStoreException;
import io.varve.internal.lock.StoreLocks;
import io.varve.internal.page.Extent;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// The accounts of space, through checkpoints, snapshots and cuts, against bit sets.
class ExtentsTest {
  private static final int FIRST_UNIT = 64;

  /// Far longer than any call takes on a busy machine.
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static void set(BitSet units, long extent, boolean value) {
    int unit = (int) Extent.unit(extent);
    units.set(unit, unit + Extent.units(extent), value);
  }

  private static long[] runs(BitSet units) {
    List<Long> runs = new ArrayList<>();
    for (int at = units.nextSetBit(0); at >= 0; ) {
      int end = units.nextClearBit(at);
      runs.add((long) at);
      runs.add((long) end - at);
      at = units.nextSetBit(end);
    }
    return runs.stream().mapToLong(Long::longValue).toArray();
  }

  /// A store's use of the accounts: pages and large values come and go, checkpoints close epochs,
  /// snapshots hold some of them back.
  private static final class Subject {
    final SplittableRandom random;
    final Extents extents = new Extents(new StoreLocks(), FIRST_UNIT);
    final BitSet taken = new BitSet();
    final BitSet live = new BitSet();

    /// What the tree of the current epoch reaches, and of that what no checkpoint reaches yet.
    final List<Long> reached = new ArrayList<>();

    final List<Long> unborn = new ArrayList<>();
    final Map<Long, Long> made = new HashMap<>();
    final TreeMap<Long, List<Long>> retired = new TreeMap<>();
    final TreeSet<Long> snapshots = new TreeSet<>();
    long epoch = 1;
    long previousEpoch;
    int end = FIRST_UNIT;

    Subject(long seed) {
      random = new SplittableRandom(seed);
    }

    long allocate() {
      int bytes = random.nextInt(8) == 0 ? random.nextInt(1, 60_000) : random.nextInt(1, 6000);
      int units = (bytes + Extent.UNIT_BYTES - 1) / Extent.UNIT_BYTES;
      boolean fitsBelow = fitsBelow(units);
      long extent = extents.allocate(bytes);
      int unit = (int) Extent.unit(extent);
      assertThat(Extent.bytes(extent)).isEqualTo(bytes);
      assertThat(Extent.units(extent)).isEqualTo(units);
      assertThat(unit).isGreaterThanOrEqualTo(FIRST_UNIT);
      assertThat(taken.get(unit, unit + units).isEmpty()).as("taken twice").isTrue();
      assertThat(unit + units <= end).as("the file grows only if it must").isEqualTo(fitsBelow);
      set(taken, extent, true);
      end = Math.max(end, unit + units);
      return extent;
    }

    private boolean fitsBelow(int units) {
      for (int at = taken.nextClearBit(FIRST_UNIT); at + units <= end; ) {
        int stop = taken.nextSetBit(at);
        if (stop < 0 || stop - at >= units) {
          return true;
        }
        at = taken.nextClearBit(stop);
      }
      return false;
    }

    private long removeAny(List<Long> list) {
      return list.remove(random.nextInt(list.size()));
    }

    void retire(long extent) {
      extents.retire(extent, epoch);
      retired.computeIfAbsent(epoch, _ -> new ArrayList<>()).add(extent);
    }

    void step() {
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> {
          long value = allocate();
          extents.born(value, epoch);
          made.put(value, epoch);
          reached.add(value);
          unborn.add(value);
        }
        case 3 -> {
          long refused = allocate();
          extents.discard(refused);
          set(taken, refused, false);
        }
        case 4, 5, 6 -> {
          if (!reached.isEmpty()) {
            retire(removeAny(reached));
          }
        }
        case 7 -> {
          if (snapshots.isEmpty() || random.nextInt(4) > 0) {
            snapshots.add(epoch++);
          } else {
            snapshots.remove(List.copyOf(snapshots).get(random.nextInt(snapshots.size())));
          }
        }
        case 8, 9 -> checkpoint();
        case 10 -> shrink(random.nextBoolean());
        default -> extents.searchFromStart();
      }
    }

    /// Concurrently commits continue in the next epoch.
    void checkpoint() {
      long closed = epoch++;
      for (long extent : unborn) {
        set(live, extent, true);
      }
      unborn.clear();
      for (int i = random.nextInt(4); i > 0; i--) {
        long page = allocate();
        long epochOfPage = random.nextLong(previousEpoch + 1, closed + 1);
        extents.written(page, epochOfPage);
        made.put(page, epochOfPage);
        reached.add(page);
        set(live, page, true);
      }
      if (random.nextBoolean() && !reached.isEmpty()) {
        retire(removeAny(reached));
      }
      List<Long> dropped = new ArrayList<>();
      retired.subMap(previousEpoch, false, closed, true).values().forEach(dropped::addAll);
      for (long extent : dropped) {
        set(live, extent, false);
      }
      TreeSet<Long> held = new TreeSet<>(snapshots);
      held.add(closed);
      assertThat(extents.advanceLive(previousEpoch, closed, LiveEpochs.of(held)))
          .hasSameElementsAs(dropped);
      release(previousEpoch);
      previousEpoch = closed;
    }

    /// What neither superblock needs stays only while a snapshot shows it (E1).
    private void release(long upTo) {
      extents.release(upTo, LiveEpochs.of(snapshots));
      retired
          .headMap(upTo, true)
          .forEach((retiredIn, list) ->
              list.removeIf(extent -> {
                boolean shown = !snapshots.subSet(made.get(extent), retiredIn).isEmpty();
                set(taken, extent, shown);
                return !shown;
              }));
    }

    void shrink(boolean always) {
      int newEnd = Math.max(FIRST_UNIT, taken.length());
      long free = (long) (end - newEnd) * Extent.UNIT_BYTES;
      boolean cuts = always || free >= 8 << 20;
      List<Long> cut = new ArrayList<>();
      long given;
      try {
        given = extents.shrink(cut::add, always);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      assertThat(given).isEqualTo(cuts ? free : 0);
      if (cuts) {
        assertThat(cut).containsExactly((long) newEnd * Extent.UNIT_BYTES);
        end = newEnd;
      } else {
        assertThat(cut).isEmpty();
      }
    }

    private long freeBytesInPieces(int bytesMin) {
      long bytes = 0;
      for (int at = taken.nextClearBit(FIRST_UNIT); at < end; at = taken.nextClearBit(at)) {
        int next = taken.nextSetBit(at);
        int stop = next < 0 ? end : next;
        int piece = (stop - at) * Extent.UNIT_BYTES;
        bytes += piece >= bytesMin ? piece : 0;
        at = stop;
      }
      return bytes;
    }

    void requireEqual() {
      assertThat(extents.liveRuns()).isEqualTo(runs(live));
      assertThat(extents.liveBytes()).isEqualTo((long) live.cardinality() * Extent.UNIT_BYTES);
      assertThat(extents.endBytes()).isEqualTo((long) end * Extent.UNIT_BYTES);
      assertThat(extents.freeBytes())
          .isEqualTo((long) (end - FIRST_UNIT - taken.cardinality()) * Extent.UNIT_BYTES);
      assertThat(extents.takenBytes()).isEqualTo((long) taken.cardinality() * Extent.UNIT_BYTES);
      for (int bytesMin : new int[] {1, 512, 1024, 1536, 8192}) {
        assertThat(extents.freeBytesInPieces(bytesMin)).isEqualTo(freeBytesInPieces(bytesMin));
      }
      long waiting = retired.values().stream().flatMap(List::stream).mapToLong(Extent::units).sum();
      assertThat(extents.retiredBytes()).isEqualTo(waiting * Extent.UNIT_BYTES);
      for (long extent : reached) {
        assertThat(extents.isLive(extent)).isEqualTo(!unborn.contains(extent));
      }
    }
  }

  @Property(tries = 200)
  void accountsHoldThroughAnyHistory(@ForAll long seed) {
    Subject subject = new Subject(seed);
    for (int i = 0; i < 300; i++) {
      subject.step();
      subject.requireEqual();
    }
  }

  /// An open takes what the newest checkpoint, and the one before, reach; all else is free.
  @Property(tries = 50)
  void catalogBringsTheAccountsBack(@ForAll long seed) {
    Subject subject = new Subject(seed);
    for (int i = 0; i < 100; i++) {
      subject.step();
    }
    long[] runs = subject.extents.liveRuns();
    Extents opened = new Extents(new StoreLocks(), FIRST_UNIT);
    Catalog catalog = new Catalog(1, List.of(), runs, List.of(), 0);
    long own = Extent.of(Math.max(FIRST_UNIT, subject.live.length()), 700);
    catalog.reserve(opened, own);
    catalog.reservePrevious(opened, 5);
    assertThat(opened.liveRuns()).isEqualTo(runs);
    BitSet taken = (BitSet) subject.live.clone();
    set(taken, own, true);
    for (int i = 0; i < 200; i++) {
      long extent = opened.allocate(600);
      int unit = (int) Extent.unit(extent);
      assertThat(taken.get(unit, unit + 2).isEmpty()).isTrue();
      set(taken, extent, true);
    }
  }

  @Test
  void whatIsRetiredIsFreeOnlyWhenItsEpochIsReleased() {
    Extents extents = new Extents(new StoreLocks(), FIRST_UNIT);
    long extent = extents.allocate(512);
    extents.allocate(512);
    extents.retire(extent, 7);
    extents.release(6, LiveEpochs.NONE);
    assertThat(extents.freeBytes()).isZero();
    assertThat(Extent.unit(extents.allocate(1))).isEqualTo(FIRST_UNIT + 2);
    extents.release(7, LiveEpochs.NONE);
    assertThat(extents.freeBytes()).isEqualTo(512);
    assertThat(extents.retiredBytes()).isZero();
    assertThat(Extent.unit(extents.allocate(1))).isEqualTo(FIRST_UNIT);
  }

  /// What was written and retired before any checkpoint is free as soon as no snapshot needs it;
  /// but what was retired while a checkpoint was written belongs to that, and waits as all it
  /// reaches.
  @Test
  void whatNoCheckpointReachesIsFreeSooner() {
    Extents extents = new Extents(new StoreLocks(), FIRST_UNIT);
    long spilled = extents.allocate(512);
    long reached = extents.allocate(512);
    extents.written(spilled, 2);
    extents.written(reached, 2);
    extents.retire(spilled, 5);
    assertThat(extents.retiredBytes()).isEqualTo(512);
    extents.releaseUnreached(5, epochs(4L));
    assertThat(extents.freeBytes()).as("a snapshot of epoch 4 may need it").isZero();
    // The checkpoint of epoch 6 is under way.
    extents.retire(reached, 7);
    assertThat(extents.advanceLive(1, 6, epochs(6L))).isEmpty();
    assertThat(extents.isLive(reached)).isTrue();
    assertThat(extents.isLive(spilled)).isFalse();
    extents.releaseUnreached(7, LiveEpochs.NONE);
    assertThat(extents.freeBytes()).isEqualTo(512);
    assertThat(extents.advanceLive(6, 8, epochs(8L))).containsExactly(reached);
    extents.release(6, LiveEpochs.NONE);
    assertThat(extents.freeBytes()).isEqualTo(512);
    extents.release(7, LiveEpochs.NONE);
    assertThat(extents.freeBytes()).isEqualTo(1024);
  }

  private static LiveEpochs epochs(Long... ascending) {
    return LiveEpochs.of(List.of(ascending));
  }

  /// One snapshot kept every version that was made and retired after it, which no reader can reach.
  @Test
  void oldSnapshotKeepsItsOwnVersionAlone() {
    Extents extents = new Extents(new StoreLocks(), FIRST_UNIT);
    long version = extents.allocate(512);
    extents.written(version, 1);
    extents.advanceLive(0, 1, epochs(1L));
    for (long epoch = 2; epoch < 100; epoch++) {
      extents.retire(version, epoch);
      version = extents.allocate(512);
      extents.written(version, epoch);
      extents.advanceLive(epoch - 1, epoch, epochs(1L, epoch));
      extents.release(epoch - 1, epochs(1L));
    }
    // The snapshot's version, and those that the two checkpoints reach.
    assertThat(extents.endBytes()).isEqualTo((FIRST_UNIT + 4) * 512L);
    extents.release(98, LiveEpochs.NONE);
    assertThat(extents.retiredBytes()).isEqualTo(512);
  }

  @Test
  void twoClaimsToOneUnitAreDamage() {
    Extents extents = new Extents(new StoreLocks(), FIRST_UNIT);
    extents.reserve(Extent.of(100, 1024));
    assertThatThrownBy(() -> extents.reserve(Extent.of(101, 1)))
        .isInstanceOf(CorruptStoreException.class)
        .hasMessageStartingWith("extents overlap: file=pages, offset=51712, bytes=512;");
    assertThatThrownBy(() -> extents.reserve(Extent.of(FIRST_UNIT - 1, 1)))
        .isInstanceOf(CorruptStoreException.class);
  }

  /// Guards against a call that keeps the lock: the next caller would wait forever.
  @Test
  void noCallKeepsTheLock() throws Exception {
    Extents extents = new Extents(new StoreLocks(), FIRST_UNIT);
    long extent = Extent.of(FIRST_UNIT, 512);
    List<Executable> calls =
        List.of(
            () -> extents.reserve(extent),
            () -> extents.reserveLive(FIRST_UNIT + 4, 2),
            () -> extents.born(extents.allocate(512), 1),
            () -> extents.written(extents.allocate(512), 1),
            () -> extents.retire(extent, 2),
            () -> extents.releaseUnreached(2, LiveEpochs.NONE),
            () -> extents.advanceLive(0, 3, epochs(3L)),
            () -> extents.release(3, LiveEpochs.NONE),
            () -> extents.discard(extents.allocate(512)),
            () -> extents.forgetBorn(3, LiveEpochs.NONE),
            () -> extents.endFrom(1 << 20),
            () -> extents.endAt(1 << 19),
            () -> extents.shrink(_ -> {}, true),
            extents::searchFromStart,
            extents::endBytes,
            extents::freeBytes,
            () -> extents.freeBytesInPieces(1),
            extents::retiredBytes,
            extents::liveRuns,
            extents::liveBytes,
            () -> extents.isLive(extent));
    for (int i = 0; i < calls.size(); i++) {
      try {
        calls.get(i).execute();
      } catch (Throwable e) {
        throw new AssertionError("call " + i, e);
      }
      Thread other = Thread.ofVirtual().start(() -> extents.discard(extents.allocate(512)));
      assertThat(other.join(PATIENCE)).as("a caller after call %d continues", i).isTrue();
    }
  }

  @Test
  void freeingTwiceIsRefused() {
    Extents extents = new Extents(new StoreLocks(), FIRST_UNIT);
    long extent = extents.allocate(100);
    extents.discard(extent);
    assertThatThrownBy(() -> extents.discard(extent)).isInstanceOf(CorruptStoreException.class);
  }

  /// What a crash left at the end of the file is used again, and cut when nothing is there.
  @Test
  void theEndOfALongFileIsFree() throws IOException {
    Extents extents = new Extents(new StoreLocks(), FIRST_UNIT);
    extents.reserve(Extent.of(90, 512));
    extents.endFrom((100 << 20) + 1);
    assertThat(extents.endBytes()).isEqualTo((100 << 20) + Extent.UNIT_BYTES);
    assertThat(Extent.unit(extents.allocate(5))).isEqualTo(FIRST_UNIT);
    assertThat(Extent.unit(extents.allocate(64 << 10))).isEqualTo(91);
    extents.shrink(_ -> {}, false);
    assertThat(extents.endBytes()).isEqualTo((91 + 128) * Extent.UNIT_BYTES);
  }

  /// An image that was given units and never written leaves no file to cut.
  @Test
  void unitsPastTheFileThatNothingTakesAreNotItsEnd() {
    Extents extents = new Extents(new StoreLocks(), FIRST_UNIT);
    extents.allocate(512);
    extents.discard(extents.allocate(4096));
    extents.endAt((FIRST_UNIT + 3) * 512L);
    assertThat(extents.endBytes()).as("the file is longer").isEqualTo((FIRST_UNIT + 3) * 512L);
    extents.endAt((FIRST_UNIT + 1) * 512L + 1);
    assertThat(extents.endBytes()).as("a part of a unit").isEqualTo((FIRST_UNIT + 2) * 512L);
    extents.endAt(1 << 20);
    assertThat(extents.endBytes()).as("never longer").isEqualTo((FIRST_UNIT + 2) * 512L);
    extents.endAt(0);
    assertThat(extents.endBytes()).as("after what is taken").isEqualTo((FIRST_UNIT + 1) * 512L);
    assertThat(extents.freeBytes()).isZero();
    assertThat(Extent.unit(extents.allocate(1))).isEqualTo(FIRST_UNIT + 1);
  }

  @Test
  void whatAnOpenReservesIsTaken() {
    Extents extents = new Extents(new StoreLocks(), FIRST_UNIT);
    extents.reserve(Extent.of(70, 1024));
    extents.reserveLive(72, 3);
    assertThat(extents.takenBytes()).isEqualTo(5 * 512);
    assertThat(extents.freeBytes()).isEqualTo(6 * 512);
    assertThat(extents.liveBytes()).isEqualTo(3 * 512);
  }

  @Test
  void theFirstUnitOfAFileWithoutAHeadIsGivenAgain() {
    Extents extents = new Extents(new StoreLocks(), 0);
    long first = extents.allocate(512);
    extents.allocate(512);
    extents.discard(first);
    extents.searchFromStart();
    assertThat(Extent.unit(extents.allocate(512))).isZero();
  }

  @Test
  void shrinkKeepsASmallFreeTailUnlessAlways() throws IOException {
    Extents extents = new Extents(new StoreLocks(), FIRST_UNIT);
    long kept = extents.allocate(512);
    long tail = extents.allocate(4096);
    extents.discard(tail);
    assertThat(extents.shrink(_ -> {}, false)).isZero();
    assertThat(extents.shrink(_ -> {}, true)).isEqualTo(4096);
    assertThat(extents.endBytes()).isEqualTo(Extent.offset(kept) + 512);
    long large = extents.allocate(9 << 20);
    extents.discard(large);
    assertThat(extents.shrink(_ -> {}, false)).isEqualTo(9 << 20);
  }

  @Property(tries = 200)
  void unitMapIsASet(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    UnitMap units = new UnitMap();
    BitSet model = new BitSet();
    for (int i = 0; i < 200; i++) {
      // Past the words that the map begins with, and runs over many words.
      int from = random.nextInt(random.nextInt(3) == 0 ? 20_000 : 300);
      int count = random.nextInt(random.nextInt(4) == 0 ? 400 : 10);
      BitSet within = model.get(from, from + count);
      if (random.nextInt(3) != 0) {
        assertThat(units.add(from, count)).isEqualTo(within.isEmpty());
        model.set(from, from + count);
      } else {
        assertThat(units.remove(from, count)).isEqualTo(within.cardinality() == count);
        model.clear(from, from + count);
      }
      requireEqual(units, model, random.nextInt(20_500), random);
    }
  }

  private static void requireEqual(UnitMap units, BitSet model, int at, SplittableRandom random) {
    assertThat(units.size()).isEqualTo(model.cardinality());
    assertThat(units.end()).isEqualTo(model.length());
    assertThat(units.contains(at)).isEqualTo(model.get(at));
    assertThat(units.nextAbsent(at)).isEqualTo(model.nextClearBit(at));
    int limit = at + random.nextInt(1000);
    int next = model.nextSetBit(at);
    assertThat(units.nextPresent(at, limit)).isEqualTo(next < 0 ? limit : Math.min(next, limit));
  }

  @Test
  void extentSetNamesWhatDiffersFromTheAccounts() {
    Extents extents = new Extents(new StoreLocks(), FIRST_UNIT);
    extents.reserveLive(70, 10);
    ExtentSet met = new ExtentSet();
    assertThat(met.add(Extent.of(70, 8 * 512))).isTrue();
    assertThat(met.add(Extent.of(90, 1))).isTrue();
    assertThat(met.add(Extent.of(77, 1))).as("overlaps").isFalse();
    assertThat(met.bytes()).isEqualTo(9 * 512);
    List<String> reports = new ArrayList<>();
    met.compareWith(extents, (what, unit) -> reports.add(what + " " + unit));
    assertThat(reports)
        .containsExactly("space leaked 78", "space in use that the accounts hold free 90");
  }
}
