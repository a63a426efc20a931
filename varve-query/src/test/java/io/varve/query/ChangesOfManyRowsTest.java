package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Codec;
import io.varve.Snapshot;
import io.varve.Store;
import io.varve.Table;
import io.varve.UniqueIndexException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Updates and deletes of so many rows that their objects would not fit in memory.
final class ChangesOfManyRowsTest {
  private static final int ROWS = 2_000;

  record Counted(int number, int weight) {}

  private final Store store = Store.inMemory();
  private final List<WeakReference<Counted>> decoded = new ArrayList<>();

  /// The most objects that there were when a value was encoded.
  private long aliveMax;

  private Runnable onEncode = () -> {};

  private final Codec<Counted> plain = Codec.record(Counted.class);

  private final Table<Integer, Counted> table =
      Table.of("counted", Codec.int32(), Codec.of(this::encode, this::decode));

  private Counted decode(byte[] bytes) {
    Counted value = plain.decode(bytes);
    decoded.add(new WeakReference<>(value));
    return value;
  }

  private byte[] encode(Counted value) {
    onEncode.run();
    if (value.number() == ROWS - 1) { // the last row
      System.gc();
      aliveMax = decoded.stream().filter(each -> each.get() != null).count();
    }
    return plain.encode(value);
  }

  private Queries filled() {
    Queries queries =
        Queries.of(store)
            .table(QueryTable.of(table, Entity.of(Counted.class)).index("weight").open(store));
    store.transact(transaction -> {
      var rows = transaction.open(table);
      for (int number = 0; number < ROWS; number++) {
        rows.put(number, new Counted(number, number % 7));
      }
    });
    decoded.clear();
    return queries;
  }

  @AfterEach
  void close() {
    store.verify();
    store.close();
  }

  /// Every row was held as two objects, before the change and after it, until the last one.
  @Test
  void updateHoldsNoObjectOfARowThatItHasRead() {
    Queries queries = filled();
    assertThat(queries.query("update counted set weight = weight + 7").update()).isEqualTo(ROWS);
    assertThat(decoded).hasSizeGreaterThanOrEqualTo(ROWS);
    assertThat(aliveMax).isLessThan(ROWS / 10);
    assertThat(queries.query("select sum(weight) from counted").list(Long.class))
        .containsExactly(sumOf(weight -> weight + 7));
  }

  @Test
  void deleteRemovesTheRowsAndTheirEntries() {
    Queries queries = filled();
    assertThat(queries.query("delete from counted where weight < 6").update())
        .isEqualTo(ROWS - ROWS / 7);
    assertThat(queries.query("select distinct weight from counted").list(Integer.class))
        .containsExactly(6);
  }

  /// A row whose entry moves to where the index is read next would be found again and again.
  @Test
  void batchesChangeEachRowOnce() {
    Queries queries = filled();
    long before = sumOf(weight -> weight);
    AtomicInteger encoded = new AtomicInteger();
    List<Long> committed = new ArrayList<>();
    onEncode =
        () -> {
          if (encoded.incrementAndGet() % 100 == 1) { // the first of a batch
            committed.addAll(queries.query("select sum(weight) from counted").list(Long.class));
          }
        };
    assertThat(
            queries
                .query("update counted set weight = weight + 1 where weight >= 3")
                .updateInBatches(100))
        .isEqualTo(sumOf(weight -> weight >= 3 ? 1 : 0));
    assertThat(committed.subList(0, 3)).containsExactly(before, before + 100, before + 200);
    assertThat(queries.query("select sum(weight) from counted").list(Long.class))
        .containsExactly(sumOf(weight -> weight >= 3 ? weight + 1 : weight));
    assertThat(
            queries.query("delete from counted where weight = 7 or number < 0").updateInBatches(1))
        .isEqualTo(sumOf(weight -> weight == 6 ? 1 : 0));
    assertThat(
            queries
                .query("select distinct weight from counted order by weight")
                .list(Integer.class))
        .containsExactly(0, 1, 2, 4, 5, 6);
  }

  /// Rows that others change before their transaction comes are as these have left them.
  @Test
  void batchesPassRowsByThatTheConditionIsNotTrueOfAnyMore() {
    Queries queries = filled();
    AtomicInteger encoded = new AtomicInteger();
    onEncode =
        () -> {
          if (encoded.incrementAndGet() == 1) {
            Thread other =
                Thread.startVirtualThread(() -> {
                  var rows = store.open(table);
                  rows.put(ROWS - 2, new Counted(ROWS - 2, 100));
                  rows.remove(ROWS - 3);
                });
            assertThat(join(other)).isTrue();
          }
        };
    long others = sumOf(weight -> weight < 100 ? 1 : 0);
    assertThat(
            queries
                .query("update counted set weight = weight + 1000 where weight < 100")
                .updateInBatches(10))
        .isEqualTo(others - 2);
    assertThat(queries.query("select weight from counted where weight < 1000").list(Integer.class))
        .containsExactly(100);
  }

  /// The message asked to run the query again, which would have changed the first hundred twice.
  @Test
  void batchesReportHowManyRowsWereChangedBeforeTheirIndexWasDropped() {
    Queries queries = filled();
    AtomicInteger encoded = new AtomicInteger();
    onEncode =
        () -> {
          if (encoded.incrementAndGet() == 101) { // the first of the second batch
            var indexed = store.indexed(store.open(table).space());
            String index = indexed.list().getFirst().name();
            assertThat(join(Thread.startVirtualThread(() -> indexed.drop(index)))).isTrue();
          }
        };
    long rows = sumOf(weight -> weight == 1 ? 1 : 0);
    long changed = rows - rows % 100; // the next batch has rows of both weights
    assertThatIllegalStateException()
        .isThrownBy(() ->
            queries
                .query("update counted set weight = weight + 1000 where weight in (1, 3)")
                .updateInBatches(100))
        .withMessageContaining("changed=" + changed)
        .withMessageNotContaining("ask again");
    assertThat(queries.query("select count(*) from counted where weight >= 1000").list(Long.class))
        .containsExactly(changed);
  }

  /// A unique index is checked by each transaction.
  @Test
  void batchesLeaveRowsAsTheyWereWhereAUniqueIndexRefusesOne() {
    Query change = filled().query("update counted set number = number + 1");
    Queries queries =
        Queries.of(store)
            .table(
                QueryTable.of(table, Entity.of(Counted.class)).uniqueIndex("number").open(store));
    assertThatThrownBy(() -> change.updateInBatches(100)).isInstanceOf(UniqueIndexException.class);
    assertThat(
            queries.query("select count(*) from counted where id(this) = number").list(Long.class))
        .containsExactly((long) ROWS);
    assertThat(change.update()).isEqualTo(ROWS);
  }

  private static boolean join(Thread thread) {
    try {
      return thread.join(Duration.ofSeconds(30));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void batchesAreRefusedWhereThereIsNoTransactionOfTheirOwn() {
    Queries queries = filled();
    Query change = queries.query("delete from counted");
    assertThatIllegalArgumentException().isThrownBy(() -> change.updateInBatches(0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> queries.query("from counted").updateInBatches(10));
    try (Snapshot snapshot = store.snapshot()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> change.in(snapshot).updateInBatches(10));
    }
    assertThat(store.open(table)).hasSize(ROWS);
  }

  private static long sumOf(IntUnaryOperator value) {
    return IntStream.range(0, ROWS)
        .map(number -> value.applyAsInt(number % 7))
        .asLongStream()
        .sum();
  }
}
