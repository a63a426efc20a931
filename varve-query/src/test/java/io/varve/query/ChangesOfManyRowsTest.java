package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Codec;
import io.varve.Store;
import io.varve.Table;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
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

  private final Codec<Counted> plain = Codec.record(Counted.class);

  private final Table<Integer, Counted> table =
      Table.of("counted", Codec.int32(), Codec.of(this::encode, this::decode));

  private Counted decode(byte[] bytes) {
    Counted value = plain.decode(bytes);
    decoded.add(new WeakReference<>(value));
    return value;
  }

  private byte[] encode(Counted value) {
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
        .containsExactly((long) ROWS * 7 + sumBefore());
  }

  @Test
  void deleteRemovesTheRowsAndTheirEntries() {
    Queries queries = filled();
    assertThat(queries.query("delete from counted where weight < 6").update())
        .isEqualTo(ROWS - ROWS / 7);
    assertThat(queries.query("select distinct weight from counted").list(Integer.class))
        .containsExactly(6);
  }

  private static long sumBefore() {
    long sum = 0;
    for (int number = 0; number < ROWS; number++) {
      sum += number % 7;
    }
    return sum;
  }
}
