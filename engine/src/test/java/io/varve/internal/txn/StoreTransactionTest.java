package io.varve.internal.txn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.varve.Commit;
import io.varve.ConflictException;
import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.Transaction;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Which transactions conflict: those whose reads another commit changed, and no others. On one
/// thread, so that every interleaving is the one written here.
class StoreTransactionTest {
  private final Store store = Store.inMemory();
  private final Space space = store.space("s");
  private final Space other = store.space("other");

  @AfterEach
  void storeIsSound() {
    store.verify().requireSound();
    store.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void put(String key, String value) {
    space.put(bytes(key), bytes(value));
  }

  private static void requireConflict(Transaction transaction) {
    assertThatExceptionOfType(ConflictException.class).isThrownBy(transaction::commit);
  }

  /// Runs `first` and, before it commits, `second`.
  private void requireSecondConflicts(Consumer<Transaction> first, Consumer<Transaction> second) {
    Transaction one = store.begin();
    Transaction two = store.begin();
    first.accept(one);
    second.accept(two);
    one.commit();
    requireConflict(two);
  }

  private void requireBothCommit(Consumer<Transaction> first, Consumer<Transaction> second) {
    Transaction one = store.begin();
    Transaction two = store.begin();
    first.accept(one);
    second.accept(two);
    Commit before = one.commit();
    assertThat(two.commit()).isGreaterThan(before);
  }

  private static Consumer<Transaction> increment(Space space, String key) {
    return transaction -> {
      byte[] value = transaction.get(space, bytes(key));
      transaction.put(space, bytes(key), Arrays.copyOf(value, value.length + 1));
    };
  }

  @Test
  void lostUpdateIsAConflict() {
    put("a", "1");
    requireSecondConflicts(increment(space, "a"), increment(space, "a"));
  }

  @Test
  void updatesOfDifferentKeysOfOneLeafAreNone() {
    put("a", "1");
    put("b", "1");
    requireBothCommit(increment(space, "a"), increment(space, "b"));
  }

  /// Each reads what the other writes; either order alone would be right, both together are not.
  @Test
  void writeSkewIsAConflict() {
    put("a", "on");
    put("b", "on");
    requireSecondConflicts(
        transaction -> {
          assertThat(transaction.get(space, bytes("b"))).isEqualTo(bytes("on"));
          transaction.put(space, bytes("a"), bytes("off"));
        },
        transaction -> {
          assertThat(transaction.get(space, bytes("a"))).isEqualTo(bytes("on"));
          transaction.put(space, bytes("b"), bytes("off"));
        });
  }

  @Test
  void writeSkewOverTwoSpacesIsAConflict() {
    requireSecondConflicts(
        transaction -> {
          assertThat(transaction.contains(other, bytes("k"))).isFalse();
          transaction.put(space, bytes("k"), bytes("v"));
        },
        transaction -> {
          assertThat(transaction.contains(space, bytes("k"))).isFalse();
          transaction.put(other, bytes("k"), bytes("v"));
        });
  }

  @Test
  void phantomsAreConflicts() {
    put("b", "1");
    put("d", "1");
    Range range = Range.of(bytes("a"), bytes("e"));
    List<Consumer<Transaction>> readers =
        List.of(
            transaction -> transaction.count(space, range),
            transaction -> transaction.scan(space, range).forEach(_ -> {}),
            transaction -> {
              try (Cursor cursor = transaction.cursor(space, range)) {
                assertThat(cursor.next()).isTrue();
              }
            },
            transaction -> transaction.deleteRange(space, Range.of(bytes("a"), bytes("e"))));
    for (Consumer<Transaction> reader : readers) {
      for (String inserted : List.of("a", "c", "d\0")) {
        requireSecondConflicts(
            transaction -> transaction.put(space, bytes(inserted), bytes("new")),
            transaction -> {
              reader.accept(transaction);
              transaction.put(other, bytes("k"), bytes("v"));
            });
        space.delete(bytes(inserted));
        put("b", "1");
        put("d", "1");
      }
    }
  }

  @Test
  void deletionInARangeReadIsAConflict() {
    put("b", "1");
    requireSecondConflicts(
        transaction -> transaction.delete(space, bytes("b")),
        transaction -> {
          assertThat(transaction.count(space, Range.all())).isEqualTo(1);
          transaction.put(other, bytes("k"), bytes("v"));
        });
  }

  @Test
  void changesRightOutsideOfARangeReadAreNone() {
    put("b", "1");
    requireBothCommit(
        transaction -> {
          transaction.put(space, bytes("a"), bytes("2"));
          transaction.put(space, bytes("c"), bytes("2"));
        },
        transaction -> {
          assertThat(transaction.count(space, Range.of(bytes("b"), bytes("c")))).isEqualTo(1);
          transaction.put(space, bytes("z"), bytes("3"));
        });
  }

  @Test
  void keyThatWasAbsentAndCameIsAConflict() {
    requireSecondConflicts(
        transaction -> transaction.put(space, bytes("a"), bytes("1")),
        transaction -> {
          assertThat(transaction.get(space, bytes("a"))).isNull();
          transaction.put(space, bytes("b"), bytes("1"));
        });
  }

  @Test
  void blindWritesNeverConflict() {
    requireBothCommit(
        transaction -> transaction.put(space, bytes("a"), bytes("1")),
        transaction -> transaction.put(space, bytes("a"), bytes("2")));
    assertThat(space.get(bytes("a"))).isEqualTo(bytes("2"));
  }

  @Test
  void readingOwnWritesIsNoReadOfOthers() {
    requireBothCommit(
        transaction -> transaction.put(space, bytes("a"), bytes("1")),
        transaction -> {
          transaction.put(space, bytes("a"), bytes("2"));
          assertThat(transaction.get(space, bytes("a"))).isEqualTo(bytes("2"));
          transaction.delete(space, bytes("a"));
          assertThat(transaction.contains(space, bytes("a"))).isFalse();
        });
    assertThat(space.get(bytes("a"))).isNull();
  }

  @Test
  void readerWithoutWritesNeverConflicts() {
    put("a", "1");
    try (Transaction reader = store.begin()) {
      assertThat(reader.get(space, bytes("a"))).isEqualTo(bytes("1"));
      put("a", "2");
      assertThat(reader.get(space, bytes("a"))).as("one snapshot").isEqualTo(bytes("1"));
      reader.commit();
    }
  }

  @Test
  void aConflictLeavesNoChange() {
    put("a", "1");
    Transaction loser = store.begin();
    loser.get(space, bytes("a"));
    loser.put(space, bytes("b"), new byte[100_000]);
    loser.put(other, bytes("c"), bytes("never"));
    put("a", "2");
    requireConflict(loser);
    assertThat(space.get(bytes("b"))).isNull();
    assertThat(other.get(bytes("c"))).isNull();
    assertThat(store.statistics().snapshots().open()).isEmpty();
  }

  /// A read of a space that was made after the snapshot.
  @Test
  void spaceThatCameLaterHoldsNothingYet() {
    Transaction transaction = store.begin();
    assertThat(transaction.get(space, bytes("a"))).isNull();
    Space late = store.space("late");
    assertThat(transaction.count(late, Range.all())).isZero();
    late.put(bytes("x"), bytes("1"));
    transaction.put(space, bytes("b"), bytes("1"));
    requireConflict(transaction);
  }

  /// A transaction that is open in a history, what it saw first, and what it did.
  private static final class Running {
    final Transaction transaction;
    NavigableMap<byte[], String> seen;
    final List<Range> reads = new ArrayList<>();
    final NavigableMap<byte[], String> writes = new TreeMap<>(Arrays::compareUnsigned);

    Running(Transaction transaction) {
      this.transaction = transaction;
    }

    NavigableMap<byte[], String> view() {
      NavigableMap<byte[], String> view = new TreeMap<>(seen);
      applyTo(view);
      return view;
    }

    void applyTo(NavigableMap<byte[], String> map) {
      writes.forEach((key, value) -> {
        if (value == null) {
          map.remove(key);
        } else {
          map.put(key, value);
        }
      });
    }
  }

  private static List<String> within(NavigableMap<byte[], String> map, Range range) {
    List<String> entries = new ArrayList<>();
    byte[] to = range.to();
    map.tailMap(range.from(), true)
        .forEach((key, value) -> {
          if (to == null || Arrays.compareUnsigned(key, to) < 0) {
            entries.add(new String(key, StandardCharsets.UTF_8) + "=" + value);
          }
        });
    return entries;
  }

  /// Several transactions concurrently, on pages so small that they split and merge concurrently,
  /// through checkpoints: each sees one state and its own writes. Its commit fails if and only if a
  /// range that it read from that state is another now.
  @Property(tries = 40)
  void conflictsAreExactlyTheReadsThatChanged(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    boolean onDisk = random.nextBoolean();
    StoreOptions options = StoreOptions.defaults().pageBytes(1024);
    try (Store tested =
        onDisk
            ? SimulatedStore.open(
                new SimulatedDisk(seed),
                options
                    .durability(Durability.BACKGROUND)
                    .cacheBytes(1 << 20)
                    .log(log -> log.bufferBytes(1 << 16).segmentBytes(1 << 18)))
            : Store.inMemory(options)) {
      run(tested, random, onDisk);
      tested.verify().requireSound();
    }
  }

  private static byte[] key(SplittableRandom random) {
    return bytes("key" + random.nextInt(random.nextBoolean() ? 12 : 200));
  }

  private static Range range(SplittableRandom random) {
    byte[] from = key(random);
    byte[] to = key(random);
    return switch (random.nextInt(5)) {
      case 0 -> Range.all();
      case 1 -> Range.atLeast(from);
      case 2 -> Range.prefix(from);
      default ->
          Arrays.compareUnsigned(from, to) <= 0 ? Range.of(from, to) : Range.closed(to, from);
    };
  }

  private static void run(Store store, SplittableRandom random, boolean onDisk) {
    Space space = store.space("s");
    NavigableMap<byte[], String> model = new TreeMap<>(Arrays::compareUnsigned);
    List<Running> running = new ArrayList<>();
    for (int step = 0; step < 400; step++) {
      if (running.isEmpty() || (running.size() < 4 && random.nextInt(6) == 0)) {
        running.add(new Running(store.begin()));
      }
      Running one = running.get(random.nextInt(running.size()));
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> read(space, one, model, Range.exactly(key(random)), random);
        case 3 -> read(space, one, model, range(random), random);
        case 4, 5, 6 -> {
          byte[] key = key(random);
          String value = step + "x".repeat(random.nextInt(random.nextInt(9) == 0 ? 1500 : 80));
          one.transaction.put(space, key, bytes(value));
          one.writes.put(key, value);
        }
        case 7 -> {
          byte[] key = key(random);
          one.transaction.delete(space, key);
          one.writes.put(key, null);
        }
        case 8 -> {
          byte[] key = key(random);
          space.put(key, bytes("alone" + step));
          model.put(key, "alone" + step);
        }
        case 9, 10 -> {
          commit(one, model);
          running.remove(one);
        }
        default -> {
          if (onDisk && random.nextInt(4) == 0) {
            store.checkpoint();
          }
        }
      }
    }
    running.forEach(one -> commit(one, model));
    List<String> held = new ArrayList<>();
    space
        .scan(Range.all())
        .forEach(entry ->
            held.add(
                new String(entry.key(), StandardCharsets.UTF_8)
                    + "="
                    + new String(entry.value(), StandardCharsets.UTF_8)));
    assertThat(held).isEqualTo(within(model, Range.all()));
  }

  private static void read(
      Space space,
      Running one,
      NavigableMap<byte[], String> model,
      Range range,
      SplittableRandom random) {
    byte[] first = range.from();
    boolean isKey =
        range.to() != null && Arrays.equals(range.to(), Arrays.copyOf(first, first.length + 1));
    if (isKey && one.writes.containsKey(first)) {
      String own = one.writes.get(first);
      byte[] read = one.transaction.get(space, first);
      assertThat(read).isEqualTo(own == null ? null : bytes(own));
      return;
    }
    if (one.seen == null) {
      one.seen = new TreeMap<>(model);
    }
    one.reads.add(range);
    List<String> expected = within(one.view(), range);
    if (isKey) {
      byte[] read = one.transaction.get(space, first);
      String entry =
          read == null
              ? null
              : new String(first, StandardCharsets.UTF_8)
                  + "="
                  + new String(read, StandardCharsets.UTF_8);
      assertThat(entry).isEqualTo(expected.isEmpty() ? null : expected.getFirst());
    } else if (random.nextBoolean()) {
      assertThat(one.transaction.count(space, range)).isEqualTo(expected.size());
    } else {
      List<String> read = new ArrayList<>();
      one.transaction
          .scan(space, range)
          .forEach(entry ->
              read.add(
                  new String(entry.key(), StandardCharsets.UTF_8)
                      + "="
                      + new String(entry.value(), StandardCharsets.UTF_8)));
      assertThat(read).isEqualTo(expected);
    }
  }

  private static void commit(Running one, NavigableMap<byte[], String> model) {
    boolean holds =
        one.writes.isEmpty()
            || one.reads.stream()
                .allMatch(range -> within(one.seen, range).equals(within(model, range)));
    if (holds) {
      one.transaction.commit();
      one.applyTo(model);
    } else {
      requireConflict(one.transaction);
    }
  }

  /// The least key that was changed is named by its length: keys are the user's.
  @Test
  void aConflictNamesTheSpaceAndTheLengthOfAKey() {
    put("b", "1");
    for (String changed : List.of("a", "b", "an inserted one")) {
      Transaction transaction = store.begin();
      transaction.count(space, Range.all());
      transaction.put(other, bytes("x"), bytes("y"));
      space.put(bytes(changed), bytes("2"));
      assertThatExceptionOfType(ConflictException.class)
          .isThrownBy(transaction::commit)
          .withMessageContaining("space=s, keyBytes=" + changed.length() + ";");
    }
    Transaction transaction = store.begin();
    transaction.count(space, Range.all());
    transaction.put(other, bytes("x"), bytes("y"));
    space.delete(bytes("an inserted one"));
    assertThatExceptionOfType(ConflictException.class)
        .isThrownBy(transaction::commit)
        .withMessageContaining("keyBytes=15;");
  }

  /// The conflict of another transaction was taken for one of the body's own, and the body run
  /// again.
  @Test
  void theConflictOfAnotherTransactionEndsTheBody() {
    AtomicInteger runs = new AtomicInteger();
    assertThatExceptionOfType(ConflictException.class)
        .isThrownBy(() ->
            store.transact(transaction -> {
              runs.incrementAndGet();
              transaction.put(space, bytes("x"), bytes("y"));
              try (Transaction inner = store.begin()) {
                inner.get(other, bytes("k"));
                inner.put(other, bytes("l"), bytes("v"));
                other.put(bytes("k"), bytes("v" + runs));
                inner.commit();
              }
            }))
        .withMessageContaining("space=other");
    assertThat(runs).hasValue(1);
    assertThat(space.get(bytes("x"))).isNull();
  }
}
