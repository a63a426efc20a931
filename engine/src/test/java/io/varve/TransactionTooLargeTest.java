package io.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A transaction that needs more than transactions may have of the heap is refused before the heap
/// is full. It ended in an OutOfMemoryError, of its own thread or of one of the store.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TransactionTooLargeTest {
  private static final byte[] VALUE = new byte[2000];

  /// With a bound of the cache that leaves nothing of the heap: transactions have a quarter then,
  /// and one has an eighth.
  private static StoreOptions options() {
    return StoreOptions.defaults()
        .cacheBytes(Runtime.getRuntime().maxMemory())
        .cache(cache -> cache.share(0.01))
        .durability(Durability.BACKGROUND);
  }

  private static Store inMemory() {
    return Store.inMemory(options().durability(Durability.NONE));
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(8).putInt(number).array();
  }

  private static void putWithoutEnd(Transaction tx, Space space, AtomicInteger puts) {
    while (true) {
      tx.put(space, key(puts.getAndIncrement()), VALUE);
    }
  }

  @Test
  void aBodyThatPutsWithoutEndIsRefusedAndHasNoEffect() {
    try (Store store = inMemory()) {
      Space space = store.space("s");
      AtomicInteger puts = new AtomicInteger();
      for (int i = 0; i < 5; i++) { // what one has is released, or the next would have less
        puts.set(0);
        assertThatExceptionOfType(TransactionTooLargeException.class)
            .isThrownBy(() -> store.transact(tx -> putWithoutEnd(tx, space, puts)))
            .withMessageContaining("nothing was written; make several transactions of it");
        long bytes = puts.get() * 2L * VALUE.length;
        assertThat(bytes).isBetween(maxOfOne() / 10 * 9, maxOfOne());
      }
      assertThat(space.count(Range.all())).isZero();
      int half = puts.get() / 2;
      store.transact(tx -> {
        for (int i = 0; i < half; i++) {
          tx.put(space, key(i), VALUE);
        }
      });
      assertThat(space.count(Range.all())).isEqualTo(half);
      store.verify().requireSound();
    }
  }

  private static long maxOfOne() {
    return Runtime.getRuntime().maxMemory() / 8;
  }

  @Test
  void readsAndDeletesAndRewritesCountAsWell() {
    try (Store store = inMemory()) {
      Space space = store.space("s");
      AtomicInteger number = new AtomicInteger();
      List<TransactionWork<RuntimeException>> changes =
          List.of(
              tx -> tx.get(space, key(number.getAndIncrement())),
              tx -> tx.delete(space, key(number.getAndIncrement())),
              tx -> tx.put(space, key(1), VALUE),
              tx -> tx.count(space, Range.atLeast(key(number.getAndIncrement()))));
      for (TransactionWork<RuntimeException> change : changes) {
        assertThatThrownBy(() ->
                store.transact(tx -> {
                  while (true) {
                    change.run(tx);
                  }
                }))
            .isInstanceOf(TransactionTooLargeException.class);
      }
    }
  }

  /// A body that catches the refusal of one change would commit all others.
  @Test
  void aTransactionThatWasRefusedIsNotCommitted() {
    try (Store store = inMemory()) {
      Space space = store.space("s");
      assertThatThrownBy(() ->
              store.transact(tx -> {
                assertThatThrownBy(() -> putWithoutEnd(tx, space, new AtomicInteger()))
                    .isInstanceOf(TransactionTooLargeException.class);
              }))
          .isInstanceOf(TransactionTooLargeException.class);
      assertThat(space.count(Range.all())).isZero();
    }
  }

  private static long fileBytes(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Their bytes stayed in the page file, which nothing referred to, for as long as it was open.
  @Test
  void whatRefusedPutsOfLargeValuesTookIsFreed(@TempDir Path directory) {
    byte[] large = new byte[3 << 20];
    try (Store store = Store.open(directory, options())) {
      Space space = store.space("s");
      long bytesAfterFirst = 0;
      for (int i = 0; i < 4; i++) {
        try (Transaction tx = store.begin()) {
          assertThatThrownBy(() -> putWithoutEnd(tx, space, new AtomicInteger()))
              .isInstanceOf(TransactionTooLargeException.class);
          assertThatThrownBy(() -> tx.put(space, key(1), large))
              .isInstanceOf(TransactionTooLargeException.class);
        }
        long bytes = fileBytes(directory);
        bytesAfterFirst = i == 0 ? bytes : bytesAfterFirst;
        assertThat(bytes).isLessThan(bytesAfterFirst + large.length);
      }
    }
  }

  @Test
  void openTransactionsTogetherAreBoundedAndSmallOnesContinue() {
    try (Store store = inMemory()) {
      Space space = store.space("s");
      List<Transaction> open = new ArrayList<>();
      int puts = (int) (maxOfOne() / (2 * VALUE.length) / 10 * 9);
      open.add(filled(store, space, puts));
      Transaction second = store.begin();
      open.add(second);
      assertThatThrownBy(() -> fill(second, space, puts))
          .isInstanceOf(TransactionTooLargeException.class);
      store.transact(tx -> tx.put(space, key(1), VALUE));
      open.forEach(Transaction::close);
      filled(store, space, puts).commit();
      assertThat(space.count(Range.all())).isEqualTo(puts);
    }
  }

  private static Transaction filled(Store store, Space space, int puts) {
    Transaction tx = store.begin();
    fill(tx, space, puts);
    return tx;
  }

  private static void fill(Transaction tx, Space space, int puts) {
    for (int i = 0; i < puts; i++) {
      tx.put(space, key(i), VALUE);
    }
  }

  @Test
  void whatOthersHaveIsWaitedForByTransact() {
    try (Store store = inMemory()) {
      Space space = store.space("s");
      int puts = (int) (maxOfOne() / (2 * VALUE.length) / 10 * 9);
      Transaction other = filled(store, space, puts);
      AtomicInteger runs = new AtomicInteger();
      var refused = new CompletableFuture<Void>();
      Thread ends =
          Thread.ofPlatform()
              .start(() -> {
                refused.join();
                other.close();
              });
      store.transact(tx -> {
        runs.incrementAndGet();
        try {
          fill(tx, space, puts);
        } catch (TransactionTooLargeException e) {
          refused.complete(null);
          throw e;
        }
      });
      assertThat(runs).hasValueGreaterThan(1);
      assertThat(space.count(Range.all())).isEqualTo(puts);
      assertThat(ends.isDaemon()).isFalse();
    }
  }

  /// Few and small changes, but of so many leaves that are not in memory that the heap would not
  /// hold them with their copies.
  @Test
  void aCommitOfMoreLeavesThanTheHeapHoldsIsRefused(@TempDir Path directory) {
    int entries = (int) (Runtime.getRuntime().maxMemory() / 4 / VALUE.length);
    try (Store store = Store.open(directory, options())) {
      Space space = store.space("s");
      for (int from = 0; from < entries; from += 1000) {
        int first = from;
        store.transact(tx -> {
          for (int i = first; i < first + 1000; i++) {
            tx.put(space, key(i), VALUE);
          }
        });
      }
      store.checkpoint();
      byte[] small = {1};
      var random = new SplittableRandom(1);
      assertThatExceptionOfType(TransactionTooLargeException.class)
          .isThrownBy(() ->
              store.transact(tx -> {
                for (int i = 0; i < entries; i += 4) {
                  tx.put(space, key(Math.min(i + random.nextInt(4), entries - 1)), small);
                }
              }));
      store.transact(tx -> tx.put(space, key(1), small));
      assertThat(space.get(key(1))).isEqualTo(small);
      assertThat(space.get(key(5))).isEqualTo(VALUE);
      store.verify().requireSound();
    }
  }

  /// The message named no way to delete a range that is too large for one transaction.
  @Test
  void aRangeThatIsTooLargeForOneTransactionIsDeletedInParts() {
    int entries = (int) (maxOfOne() / Space.KEY_BYTES_MAX) + 1000;
    Range range = Range.all();
    try (Store store = inMemory()) {
      Space space = store.space("s");
      for (int i = 0; i < entries; i++) {
        space.put(Arrays.copyOf(key(i), Space.KEY_BYTES_MAX), new byte[0]);
      }
      assertThatThrownBy(() -> space.deleteRange(range))
          .isInstanceOf(TransactionTooLargeException.class)
          .hasMessageContaining("nothing was written")
          .hasMessageContaining("delete a range in parts");
      assertThat(space.count(range)).isEqualTo(entries);
      byte[] last = lastOfPart(space, range);
      while (last != null) {
        space.deleteRange(Range.closed(range.from(), last));
        last = lastOfPart(space, range);
      }
      assertThat(space.count(range)).isZero();
      store.verify().requireSound();
    }
  }

  private static byte @Nullable [] lastOfPart(Space space, Range range) {
    byte[] key = null;
    try (Cursor cursor = space.cursor(range)) {
      for (int i = 0; i < 5_000 && cursor.next(); i++) {
        key = cursor.key();
      }
    }
    return key;
  }
}
