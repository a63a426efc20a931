package io.varve.query;

import static io.varve.query.Sample.NUMBER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Codec;
import io.varve.ConflictException;
import io.varve.Snapshot;
import io.varve.Store;
import io.varve.Table;
import io.varve.Transaction;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A table that is open is that of its rows, whatever its name becomes: a program that builds
/// another table and gives it the name changes neither by a handle of the first one.
class RenamedTableTest {
  private static final String NAME = Sample.TABLE.name();
  private static final QueryTable<Long, Sample> TABLE =
      QueryTable.of(Sample.TABLE, Sample.ENTITY).index(QueryIndex.of(NUMBER));

  private final Store store = Store.inMemory();
  private Queryable<Long, Sample> first;

  @BeforeEach
  void fill() {
    first = TABLE.open(store);
    for (long key = 0; key < 4; key++) {
      first.map().put(key, Sample.of(key));
    }
  }

  @AfterEach
  void close() {
    store.verify().requireSound();
    store.close();
  }

  /// Gives the name to another table, with a row of each key.
  private Map<Long, Sample> exchange() {
    assertThat(store.renameSpace(NAME, "old")).isTrue();
    Map<Long, Sample> second = TABLE.open(store).map();
    for (long key = 0; key < 4; key++) {
      second.put(key, Sample.of(key));
    }
    return second;
  }

  @Test
  void changesOfFoundRowsStayInTheirTable() {
    Map<Long, Sample> second = exchange();
    assertThat(first.where(NUMBER.eq(Sample.of(0).number())).delete()).isPositive();
    assertThat(first.all().update(_ -> Sample.of(9))).isEqualTo(first.all().count());
    assertThat(first.where(NUMBER.eq(Sample.of(9).number())).count()).isEqualTo(3);
    Queries queries = Queries.of(store).table(first);
    assertThat(queries.query("delete from " + NAME + " where id(this) = 1").update()).isEqualTo(1);
    assertThat(queries.query("delete from " + NAME + " where id(this) = 2").updateInBatches(1))
        .isEqualTo(1);
    assertThat(first.all().keys()).containsExactly(3L);
    assertThat(second).hasSize(4).containsEntry(3L, Sample.of(3));
  }

  @Test
  void itsMapIsThatOfItsRows() {
    Map<Long, Sample> second = exchange();
    first.map().put(10L, Sample.of(10));
    store.transact(tx -> first.in(tx).map().put(11L, Sample.of(11)));
    assertThat(second).hasSize(4);
    assertThat(first.all().keys()).contains(10L, 11L);
    try (Snapshot snapshot = store.snapshot()) {
      assertThat(first.in(snapshot).map()).containsKeys(10L, 11L);
    }
    assertThat(first.indexes().verify(first.indexes().list().getFirst().name())).isEmpty();
  }

  /// A map by the name that the table has just lost is that of another table.
  @Test
  void itsMapIsThatOfItsRowsWhileOthersRenameIt() {
    store.transact(transaction -> {
      Transaction renaming =
          (Transaction)
              Proxy.newProxyInstance(
                  Transaction.class.getClassLoader(),
                  new Class<?>[] {Transaction.class},
                  (_, method, arguments) -> {
                    if (method.getName().equals("open") && store.findSpace("old") == null) {
                      store.renameSpace(NAME, "old");
                    }
                    return method.invoke(transaction, arguments);
                  });
      first.in(renaming).map().put(10L, Sample.of(10));
    });
    assertThat(first.all().keys()).contains(10L);
  }

  /// A table without indexes is found by its name, first to read and then to change its rows.
  @Test
  void rowsOfATableAreNotRemovedFromTheNextOneOfItsName() {
    Map<Long, Sample> next = store.open(Table.of("next", Codec.int64(), Sample.TABLE.values()));
    next.put(1L, Sample.of(9));
    Codec<Sample> exchanging =
        Codec.of(
            Sample.TABLE.values()::encode,
            bytes -> {
              if (store.findSpace("old") == null) {
                store.renameSpace(NAME, "old");
                store.renameSpace("next", NAME);
              }
              return Sample.TABLE.values().decode(bytes);
            });
    Query delete =
        Queries.of(store)
            .table(Table.of(NAME, Codec.int64(), exchanging), Sample.ENTITY)
            .query("delete from " + NAME + " where number = 1");
    assertThatThrownBy(delete::update).isInstanceOf(ConflictException.class);
    assertThat(next).hasSize(1);
    assertThat(first.all().count()).isEqualTo(4);
    assertThat(delete.update()).as("none of the next one").isZero();
  }

  @Test
  void oneThatWasDroppedIsNotMadeAgain() {
    store.dropSpace(NAME);
    assertThatThrownBy(() -> first.map().put(1L, Sample.of(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("dropped");
    assertThatThrownBy(() -> store.transact(tx -> first.in(tx).map().put(1L, Sample.of(1))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("dropped");
    assertThatThrownBy(() -> first.all().delete()).isInstanceOf(IllegalStateException.class);
    assertThat(store.spaceNames()).isEmpty();
  }
}
