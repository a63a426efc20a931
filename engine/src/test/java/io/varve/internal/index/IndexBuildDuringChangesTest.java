package io.varve.internal.index;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.IndexedSpace;
import io.varve.ProgressListener;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreBusyException;
import io.varve.StoreFullException;
import io.varve.StoreOptions;
import io.varve.UniqueIndexException;
import io.varve.internal.txn.LiveSpace;
import io.varve.spi.SpaceIndex;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Builds of indexes during changes of what was gathered and is not added yet (BUILD-1), broken off
/// and continued (BUILD-2), and within their memory (BUILD-4).
class IndexBuildDuringChangesTest {
  private static final int PREFIX_BYTES = 6;
  private static final int LONG_BYTES = 400;
  private static final int ROWS = 1000;

  /// How often a transaction that meets conflicts runs before it runs alone.
  private static final int RUNS_AMONG_OTHERS = 8;

  private static final String INDEX = "first";

  @TempDir private Path directory;

  /// The first bytes of each value are indexed.
  private record First(boolean isUnique, int bytes) implements SpaceIndex {
    @Override
    public String name() {
      return INDEX;
    }

    @Override
    public String id() {
      return "first/" + bytes;
    }

    @Override
    public void prefixes(byte[] key, byte[] value, Consumer<byte[]> prefixes) {
      prefixes.accept(Arrays.copyOf(value, bytes));
    }

    @Override
    public int prefixBytes(byte[] indexEntry) {
      return bytes;
    }
  }

  /// Refuses values that are shorter than the prefix.
  private record Refusing(First index) implements SpaceIndex {
    @Override
    public String name() {
      return index.name();
    }

    @Override
    public String id() {
      return index.id();
    }

    @Override
    public boolean isUnique() {
      return index.isUnique();
    }

    @Override
    public void prefixes(byte[] key, byte[] value, Consumer<byte[]> prefixes) {
      if (value.length < index.bytes()) {
        throw new IllegalArgumentException("too short");
      }
      index.prefixes(key, value, prefixes);
    }

    @Override
    public int prefixBytes(byte[] indexEntry) {
      return index.prefixBytes(indexEntry);
    }
  }

  private static byte[] key(int row) {
    return "%06d".formatted(row).getBytes(UTF_8);
  }

  /// Values in another order than keys.
  private static byte[] value(int number) {
    return "%06d".formatted(number * 7919L % 1_000_000).getBytes(UTF_8);
  }

  private static StoreOptions smallCache() {
    return StoreOptions.defaults().cacheBytes(1 << 20).durability(Durability.BACKGROUND);
  }

  private static IndexedSpace filled(Store store, int rows) {
    Space space = store.space("rows").with(Durability.BACKGROUND);
    for (int row = 0; row < rows; row++) {
      space.put(key(row), value(row));
    }
    return store.indexed(space);
  }

  /// Runs once, at the first report: all is gathered then, and nothing added.
  private static ProgressListener afterGathering(Runnable changes) {
    AtomicBoolean isDone = new AtomicBoolean();
    return (_, _) -> {
      if (isDone.compareAndSet(false, true)) {
        changes.run();
      }
    };
  }

  private static void requireSound(IndexedSpace indexed) {
    assertThat(indexed.verify(INDEX)).isEmpty();
    assertThat(indexed.list().getFirst().isBuilt()).isTrue();
    requireNoWorkspace(indexed);
  }

  private static void requireNoWorkspace(IndexedSpace indexed) {
    LiveSpace entries = (LiveSpace) indexed.entries(INDEX);
    assertThat(entries.core().indexes().workspace()).as("workspace after the build").isNull();
  }

  /// A key begins others, which continue with zeros: as the bytes of small numbers do.
  @Test
  void keysThatBeginOthersOfOtherRunsAreMergedInOrder() {
    try (Store store = Store.open(directory, smallCache())) {
      Space space = store.space("rows").with(Durability.BACKGROUND);
      space.put(new byte[0], value(0));
      int rows = 4 * ROWS;
      for (int row = 0; row < rows; row++) {
        space.put(ByteBuffer.allocate(Integer.BYTES).putInt(row).array(), value(0));
      }
      IndexedSpace indexed = store.indexed(space);
      indexed.keep(
          List.of(new First(false, PREFIX_BYTES / 2)),
          afterGathering(() -> {
            for (int row = 0; row < rows; row += 2) {
              space.delete(ByteBuffer.allocate(Integer.BYTES).putInt(row).array());
            }
          }));
      requireSound(indexed);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsChangedAfterItWasGatheredIsIndexedAsItIs(boolean isUnique) {
    try (Store store = Store.inMemory()) {
      IndexedSpace indexed = filled(store, ROWS);
      Space space = indexed.space();
      ProgressListener changing =
          afterGathering(() -> {
            space.delete(key(1));
            space.put(key(2), value(ROWS));
            space.put(key(3), value(ROWS + 1));
            space.put(key(3), value(3)); // and back
            space.delete(key(4));
            space.put(key(4), value(4));
            space.put(key(ROWS), value(1)); // what another key had
            space.delete(key(5));
            space.put(key(5), value(5));
            space.delete(key(5)); // after it came again
            store.transact(tx -> {
              tx.put(space, key(6), value(7)); // two keys exchange what they have
              tx.put(space, key(7), value(6));
              tx.delete(space, key(8));
            });
            space.deleteRange(Range.of(key(20), key(40)));
          });
      indexed.keep(List.of(new First(isUnique, PREFIX_BYTES)), changing);
      assertThat(indexed.list().getFirst().entries()).isEqualTo(ROWS + 1 - 3 - 20);
      requireSound(indexed);
    }
  }

  @Test
  void aKeyThatTakesAUniqueValueOfAnotherWhileTheIndexIsBuiltFailsTheBuild() {
    try (Store store = Store.inMemory()) {
      IndexedSpace indexed = filled(store, ROWS);
      ProgressListener changing =
          afterGathering(() -> indexed.space().put(key(ROWS), value(500))); // not added yet
      assertThatThrownBy(() -> indexed.keep(List.of(new First(true, PREFIX_BYTES)), changing))
          .isInstanceOfSatisfying(
              UniqueIndexException.class,
              refused ->
                  assertThat(List.of(refused.key(), refused.presentKey()))
                      .containsExactly(key(500), key(ROWS)));
      assertThat(indexed.list()).isEmpty();
    }
  }

  /// The longest entries are noted by a digest.
  @Test
  void theLongestEntriesThatAreRemovedDuringABuildStayAway() {
    int prefixBytes = Space.KEY_BYTES_MAX - key(0).length;
    try (Store store = Store.inMemory()) {
      Space space = store.space("rows");
      for (int row = 0; row < 50; row++) {
        space.put(key(row), Arrays.copyOf(value(row), prefixBytes));
      }
      IndexedSpace indexed = store.indexed(space);
      ProgressListener changing =
          afterGathering(() -> {
            space.delete(key(10));
            space.put(key(11), Arrays.copyOf(value(100), prefixBytes));
          });
      indexed.keep(List.of(new First(false, prefixBytes)), changing);
      assertThat(indexed.list().getFirst().entries()).isEqualTo(49);
      requireSound(indexed);
    }
  }

  @Test
  void shortEntriesThatAreRemovedDuringABuildStayAwayAmongTheLongest() {
    byte[] longest = new byte[Space.KEY_BYTES_MAX - PREFIX_BYTES];
    try (Store store = Store.inMemory()) {
      Space space = store.space("rows");
      space.put(longest, "b".repeat(PREFIX_BYTES).getBytes(UTF_8));
      space.put(key(1), "a".repeat(PREFIX_BYTES).getBytes(UTF_8));
      space.put(key(2), "c".repeat(PREFIX_BYTES).getBytes(UTF_8));
      IndexedSpace indexed = store.indexed(space);
      ProgressListener changing = afterGathering(() -> space.delete(key(2)));
      indexed.keep(List.of(new First(false, PREFIX_BYTES)), changing);
      assertThat(indexed.list().getFirst().entries()).isEqualTo(2);
      requireSound(indexed);
    }
  }

  /// What changes before the index is built again is noted.
  @Test
  void aBuildThatADefinitionRefusesContinuesAfterChanges() {
    try (Store store = Store.inMemory()) {
      IndexedSpace indexed = filled(store, ROWS);
      indexed.space().put(key(ROWS), new byte[] {'x'}); // refused: shorter than the prefix
      SpaceIndex refusing = new Refusing(new First(false, PREFIX_BYTES));
      assertThatThrownBy(() -> indexed.keep(List.of(refusing), ProgressListener.none()))
          .isInstanceOf(IllegalArgumentException.class);
      indexed.space().delete(key(1));
      indexed.keep(List.of(new First(false, PREFIX_BYTES)), ProgressListener.none());
      requireSound(indexed);
    }
  }

  /// A commit of many entries needs capacity for as many leaves.
  @Test
  void aBuildWithLittleCapacityAddsFewerEntriesTogether() {
    try (Store store = Store.open(directory, smallDisk())) {
      IndexedSpace indexed = filledWithLongValues(store, 12_000);
      indexed.keep(List.of(new First(false, LONG_BYTES)), ProgressListener.none());
      requireSound(indexed);
    }
  }

  /// Its workspace would take the capacity that is missing, and a note is an addition: so deletes
  /// would be refused as well.
  @Test
  void aBuildOnAFullDiskLeavesNoWorkspaceAndDeletesContinue() {
    int rows = 24_000;
    try (Store store = Store.open(directory, smallDisk())) {
      IndexedSpace indexed = filledWithLongValues(store, rows);
      List<First> indexes = List.of(new First(false, LONG_BYTES));
      assertThatThrownBy(() -> indexed.keep(indexes, ProgressListener.none()))
          .isInstanceOf(StoreFullException.class);
      Space other = store.space("other").with(Durability.BACKGROUND);
      assertThatThrownBy(() -> fill(other, 2 * rows)).isInstanceOf(StoreFullException.class);
      for (int row = 0; row < rows; row++) {
        if (row % 4 > 0) {
          indexed.space().delete(key(row));
        }
      }
      requireNoWorkspace(indexed);
      store.dropSpace("other");
      indexed.keep(indexes, ProgressListener.none());
      requireSound(indexed);
    }
  }

  private static StoreOptions smallDisk() {
    return smallCache().log(log -> log.bytesMax(4 << 20)).diskBytesMax(24 << 20);
  }

  private static IndexedSpace filledWithLongValues(Store store, int rows) {
    Space space = store.space("rows").with(Durability.BACKGROUND);
    fill(space, rows);
    return store.indexed(space);
  }

  private static void fill(Space space, int rows) {
    for (int row = 0; row < rows; row++) {
      space.put(key(row), Arrays.copyOf(value(row), LONG_BYTES));
    }
  }

  /// The two waited for each other: the body for the build, whose next commit waited for the body.
  @Test
  void aTransactionThatRunsAloneDoesNotWaitForABuildThatWaitsForIt() throws Exception {
    First index = new First(false, PREFIX_BYTES);
    CountDownLatch builds = new CountDownLatch(1);
    CompletableFuture<Boolean> isRefused = new CompletableFuture<>();
    try (Store store = Store.inMemory();
        ExecutorService other = Executors.newVirtualThreadPerTaskExecutor()) {
      IndexedSpace indexed = filled(store, ROWS);
      Future<?> build =
          other.submit(() ->
              indexed.keep(
                  List.of(index),
                  afterGathering(() -> {
                    builds.countDown();
                    boolean _ = isRefused.completeOnTimeout(true, 5, TimeUnit.SECONDS).join();
                  })));
      builds.await();
      AtomicInteger runs = new AtomicInteger();
      assertThatThrownBy(() ->
              store.transact(transaction -> {
                byte[] _ = transaction.get(indexed.space(), key(0));
                if (runs.incrementAndGet() <= RUNS_AMONG_OTHERS) {
                  other.submit(() -> indexed.space().put(key(0), value(runs.get()))).get();
                  transaction.put(indexed.space(), key(1), value(1));
                } else {
                  indexed.keep(List.of(index), ProgressListener.none());
                }
              }))
          .isInstanceOf(StoreBusyException.class)
          .hasMessageContaining("space=rows, index=first");
      isRefused.complete(true);
      build.get();
      requireSound(indexed);
      indexed.keep(List.of(index), ProgressListener.none());
    }
  }

  @Test
  void aBuildWhoseIndexIsDroppedNamesTheIndex() {
    try (Store store = Store.inMemory()) {
      IndexedSpace indexed = filled(store, ROWS);
      ProgressListener dropping = afterGathering(() -> indexed.drop(INDEX));
      assertThatThrownBy(() -> indexed.keep(List.of(new First(false, PREFIX_BYTES)), dropping))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the index was dropped while it was built: space=rows, index=" + INDEX);
      assertThat(indexed.list()).isEmpty();
    }
  }

  /// With so small a cache there are more runs than are merged together.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anIndexOfManyRunsIsBuiltDuringWritesThoughItBreaksOff(boolean isUnique) throws Exception {
    SpaceIndex index = new First(isUnique, PREFIX_BYTES);
    int rows = 60_000;
    AtomicInteger breaks = new AtomicInteger();
    try (Store store = Store.open(directory, smallCache())) {
      filled(store, rows);
    }
    boolean isBuilt = false;
    while (!isBuilt) {
      try (Store store = Store.open(directory, smallCache());
          ExecutorService threads = Executors.newSingleThreadExecutor()) {
        IndexedSpace indexed = store.indexed(store.space("rows"));
        AtomicBoolean isOver = new AtomicBoolean();
        int reportsMax = 20 + breaks.get();
        AtomicInteger reports = new AtomicInteger();
        Future<?> writing = threads.submit(() -> change(indexed, isOver, breaks.get(), rows));
        try {
          indexed.keep(List.of(index), (_, _) -> breakOffAt(reports, reportsMax));
          isBuilt = true;
        } catch (BrokenOffException e) {
          breaks.incrementAndGet();
        } finally {
          isOver.set(true);
        }
        writing.get();
      }
    }
    assertThat(breaks.get()).isPositive();
    try (Store store = Store.open(directory, smallCache())) {
      IndexedSpace indexed = store.indexed(store.space("rows"));
      indexed.keep(List.of(index), ProgressListener.none());
      requireSound(indexed);
      try (Snapshot snapshot = store.snapshot()) {
        assertThat(snapshot.count(indexed.entries(INDEX), Range.all()))
            .isEqualTo(snapshot.count(indexed.space(), Range.all()));
      }
    }
  }

  private static final class BrokenOffException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static void breakOffAt(AtomicInteger reports, int reportsMax) {
    if (reports.incrementAndGet() > reportsMax) {
      throw new BrokenOffException();
    }
  }

  /// Moves values between keys: no two keys have one.
  private static void change(IndexedSpace indexed, AtomicBoolean isOver, int seed, int rows) {
    SplittableRandom random = new SplittableRandom(seed);
    Space space = indexed.space().with(Durability.BACKGROUND);
    while (indexed.list().isEmpty()) {
      Thread.onSpinWait(); // until then there is nothing that follows the changes
    }
    while (!isOver.get()) {
      byte[] one = key(random.nextInt(rows));
      byte[] other = key(random.nextInt(rows));
      try {
        indexed
            .space()
            .store()
            .transact(
                Durability.BACKGROUND,
                tx -> {
                  byte[] value = tx.get(space, one);
                  byte[] otherValue = tx.get(space, other);
                  if (value != null) {
                    tx.delete(space, one);
                  }
                  if (otherValue != null && !Arrays.equals(one, other)) {
                    tx.put(space, one, otherValue);
                    tx.delete(space, other);
                  }
                  if (value != null && random.nextInt(100) > 0) {
                    tx.put(space, other, value);
                  }
                });
      } catch (IllegalStateException e) {
        assertThat(e).hasMessageContaining("definitions the program has not given");
      }
    }
  }

  @Test
  void theCacheDoesWithoutTheMemoryOfTheBuildUntilItEnds() {
    StoreOptions options = StoreOptions.defaults().cacheBytes(8 << 20);
    try (Store store = Store.open(directory, options)) {
      IndexedSpace indexed = filled(store, ROWS);
      var cache = ((LiveSpace) indexed.space()).core().tree().pages().cache();
      long budget = cache.bytesMax();
      long[] during = new long[1];
      ProgressListener failing =
          (_, _) -> {
            during[0] = cache.bytesMax();
            throw new BrokenOffException();
          };
      List<First> indexes = List.of(new First(false, PREFIX_BYTES));
      assertThatThrownBy(() -> indexed.keep(indexes, failing))
          .isInstanceOf(BrokenOffException.class);
      assertThat(during[0]).isEqualTo(budget - budget / 8);
      assertThat(cache.bytesMax()).isEqualTo(budget);
      indexed.keep(indexes, ProgressListener.none());
      assertThat(cache.bytesMax()).isEqualTo(budget);
      requireSound(indexed);
    }
  }
}
