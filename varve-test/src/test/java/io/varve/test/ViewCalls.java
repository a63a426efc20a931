package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Codec;
import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Range;
import io.varve.ReadView;
import io.varve.Snapshot;
import io.varve.Table;
import io.varve.TableSet;
import io.varve.Transaction;
import io.varve.TransactionPoint;
import java.time.Duration;
import java.util.List;
import java.util.Spliterators;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// The calls of snapshots and transactions.
final class ViewCalls extends InterfaceCalls {
  /// The space of all callers.
  private static final Table<byte[], byte[]> SHARED =
      Table.of("shared", Codec.bytes(), Codec.bytes());

  private static final TableSet<String> EMPTY_SET = TableSet.of("empty set", Codec.string());

  ViewCalls() {
    addView("Snapshot", InterfaceCalls::inSnapshot);
    addSnapshot();
    addView("Transaction", ViewCalls::inTransaction);
    addTransaction();
  }

  private static void inTransaction(Caller c, Consumer<ReadView> work) {
    try (Transaction transaction = c.store.begin()) {
      work.accept(transaction);
      transaction.commit();
    }
  }

  private void addView(String type, BiConsumer<Caller, Consumer<ReadView>> in) {
    add(
        type + ".open(Table)",
        c -> in.accept(c, view -> c.requireExpected(view.open(SHARED).get(c.key()))));
    add(
        type + ".open(TableSet)",
        c -> in.accept(c, view -> assertThat(view.open(EMPTY_SET)).isEmpty()));
    add(type + ".store()", c -> in.accept(c, view -> assertThat(view.store()).isSameAs(c.store)));
    add(
        type + ".contains(Space, byte[])",
        c ->
            in.accept(
                c,
                view ->
                    assertThat(view.contains(c.space, c.key())).isEqualTo(c.expected() != null)));
    add(
        type + ".count(Space, Range)",
        c ->
            in.accept(
                c,
                view ->
                    assertThat(view.count(c.space, c.own)).isEqualTo(c.expected(c.own).size())));
    add(
        type + ".cursor(Space, Range)",
        c ->
            in.accept(
                c,
                view -> {
                  try (Cursor cursor = view.cursor(c.space, c.own)) {
                    c.requireMoved(cursor, cursor.last(), c.expected(c.own).lastEntry());
                  }
                }));
    add(
        type + ".get(Space, byte[])",
        c -> in.accept(c, view -> c.requireExpected(view.get(c.space, c.key()))));
    add(
        type + ".get(Space, byte[], Decoder)",
        c ->
            in.accept(
                c, view -> c.requireExpected(view.get(c.space, c.key(), InterfaceCalls::bytes))));
    add(
        type + ".getAll(Space, List)",
        c ->
            in.accept(
                c, view -> c.requireExpected(view.getAll(c.space, List.of(c.key())).getFirst())));
    add(
        type + ".scan(Space, Range)",
        c -> in.accept(c, view -> c.requireEntries(c.own, view.scan(c.space, c.own))));
  }

  private void addSnapshot() {
    add(
        "Snapshot.age()",
        c ->
            inSnapshot(
                c,
                view -> assertThat(((Snapshot) view).age()).isGreaterThanOrEqualTo(Duration.ZERO)));
    add("Snapshot.close()", c -> c.store.snapshot().close());
    add(
        "Snapshot.spliterator(Space, Range)",
        c ->
            inSnapshot(
                c,
                view ->
                    c.requireEntries(
                        c.own,
                        () ->
                            Spliterators.iterator(((Snapshot) view).spliterator(c.space, c.own)))));
    add(
        "Snapshot.spliterator(Space, Range, Function)",
        c ->
            inSnapshot(
                c,
                view ->
                    c.requireEntries(
                        c.own,
                        () ->
                            Spliterators.iterator(
                                ((Snapshot) view).spliterator(c.space, c.own, Cursor::entry)))));
    add(
        "Snapshot.stream(Space, Range)",
        c ->
            inSnapshot(
                c,
                view ->
                    c.requireEntries(
                        c.own, ((Snapshot) view).stream(c.space, c.own).parallel()::iterator)));
    add(
        "Snapshot.lastCommit()",
        c -> inSnapshot(c, view -> assertThat(((Snapshot) view).lastCommit().lsn()).isPositive()));
  }

  private void addTransaction() {
    add("Transaction.close()", c -> withWrite(c, Transaction::close));
    addWrite("Transaction.commit()", c -> withWrite(c, Transaction::commit));
    addWrite(
        "Transaction.commit(Durability)",
        c -> withWrite(c, transaction -> transaction.commit(Durability.POWER_LOSS)));
    addWrite(
        "Transaction.commitAsync(Durability)",
        c ->
            withWrite(
                c,
                transaction ->
                    transaction.commitAsync(Durability.POWER_LOSS).toCompletableFuture().join()));
    addRemoval(
        "Transaction.delete(Space, byte[])",
        c -> inTransaction(c, view -> ((Transaction) view).delete(c.space, c.key())));
    add(
        "Transaction.point()",
        c ->
            inTransaction(
                c,
                view -> {
                  TransactionPoint point = ((Transaction) view).point();
                  byte[] key = c.key();
                  c.requireExpected(point.get(c.space, key));
                  assertThat(point.isWritten(c.space, key)).isFalse();
                  point.cursor(c.space, Range.exactly(key)).close();
                }));
    add(
        "Transaction.deleteRange(Space, Range)",
        c ->
            inTransaction(
                c,
                view -> c.removed(c.part(), ((Transaction) view).deleteRange(c.space, c.part()))));
    addWrite(
        "Transaction.put(Space, byte[], byte[])",
        c -> inTransaction(c, view -> ((Transaction) view).put(c.space, c.key(), c.value())));
  }

  /// Runs `end` on a transaction that reads the key and puts it.
  private static void withWrite(Caller c, Consumer<Transaction> end) {
    try (Transaction transaction = c.store.begin()) {
      c.requireExpected(transaction.get(c.space, c.key()));
      transaction.put(c.space, c.key(), c.value());
      end.accept(transaction);
    }
  }
}
