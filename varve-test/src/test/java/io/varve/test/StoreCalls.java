package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Codec;
import io.varve.Commit;
import io.varve.Durability;
import io.varve.OrderedSet;
import io.varve.ProgressListener;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.Table;
import io.varve.TableSet;
import io.varve.Visibility;
import io.varve.Watch;
import io.varve.admin.BackupOptions;
import io.varve.admin.Backups;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/// The calls of a store, and of the watches of its spaces.
final class StoreCalls extends InterfaceCalls {
  private static final Table<String, Long> EMPTY = Table.of("empty", Codec.string(), Codec.int64());
  private static final TableSet<String> EMPTY_SET = TableSet.of("empty set", Codec.string());

  StoreCalls() {
    addStore();
    addWatch();
  }

  private void addWatch() {
    add("Store.watch(Space)", c -> c.store.watch(c.space).close());
    add("Store.watch(Space, Visibility, long)", c -> inWatch(c, Watch::close));
    add(
        "Watch.start()",
        c ->
            inWatch(
                c,
                watch -> {
                  try (Snapshot snapshot = watch.start()) {
                    assertThat(snapshot.lastCommit().lsn()).isPositive();
                  }
                }));
    add("Watch.next(Duration)", c -> inWatch(c, watch -> requireReported(c, watch)));
    add("Watch.close()", c -> inWatch(c, Watch::close));
  }

  private static void inWatch(Caller caller, Consumer<Watch> use) {
    try (Watch watch = caller.store.watch(caller.space, Visibility.DURABLE, 1 << 20)) {
      use.accept(watch);
    }
  }

  private static void requireReported(Caller caller, Watch watch) {
    watch.start().close();
    Watch.Committed reported = watch.next(Duration.ofMillis(1)); // other callers may put streams
    assertThat(reported == null || reported.areMissed() == reported.changes().isEmpty()).isTrue();
  }

  private void addStore() {
    add("Store.awaitDurable(Commit)", c -> c.store.awaitDurable(c.store.lastCommit()));
    add("Backups.take(Store)", c -> c.requireRestorable(Backups.at(c.backups()).take(c.store)));
    add(
        "Backups.take(Store, BackupOptions)",
        c ->
            c.requireRestorable(
                Backups.at(c.backups()).take(c.store, BackupOptions.defaults().full(true))));
    add("Store.begin()", c -> c.store.begin().close());
    add("Store.checkpoint()", c -> c.store.checkpoint());
    add("Store.close()", StoreCalls::openAndClose);
    add("Store.compact()", c -> assertThat(c.store.compact()).isNotNegative());
    add(
        "Store.transactAndGet(TransactionBody)",
        c -> c.requireExpected(c.store.transactAndGet(tx -> tx.get(c.space, c.key()))));
    add(
        "Store.transactAndGet(Durability, TransactionBody)",
        c ->
            c.requireExpected(
                c.store.transactAndGet(Durability.BACKGROUND, tx -> tx.get(c.space, c.key()))));
    add("Store.dropSpace(String)", StoreCalls::makeAndDropSpace);
    add(
        "Store.whenDurable(Commit)",
        c -> {
          Commit last = c.store.lastCommit();
          assertThat(c.store.whenDurable(last).toCompletableFuture().join()).isEqualTo(last);
        });
    add(
        "Store.renameSpace(String, String)",
        c -> {
          Space space = c.store.space(c.otherName());
          String name = c.otherName();
          assertThat(c.store.renameSpace(space.name(), name)).isTrue();
          assertThat(space.name()).isEqualTo(name);
          assertThat(c.store.dropSpace(name)).isTrue();
        });
    add("Store.findSpace(String)", c -> assertThat(c.store.findSpace("none")).isNull());
    add("Store.indexed(Space)", c -> assertThat(c.store.indexed(c.space)).isNotNull());
    add("Store.items(String)", c -> assertThat(c.store.items("no items").count()).isZero());
    add("Store.lastCommit()", c -> assertThat(c.store.lastCommit().lsn()).isPositive());
    add(
        "Store.map(String, Codec, Codec)",
        c -> assertThat(c.store.map("empty", Codec.string(), Codec.int64())).isEmpty());
    add(
        "Store.set(String, Codec)",
        c -> {
          String name = c.otherName();
          OrderedSet<String> set = c.store.set(name, Codec.string());
          assertThat(set.add("a")).isTrue();
          assertThat(set.addAll(List.of("a", "b"))).isTrue();
          assertThat(set).containsExactly("a", "b");
          c.store.dropSpace(name);
        });
    add("Store.isInTransaction()", c -> assertThat(c.store.isInTransaction()).isFalse());
    add("Store.open(Table)", c -> assertThat(c.store.open(EMPTY)).isEmpty());
    add("Store.open(TableSet)", c -> assertThat(c.store.open(EMPTY_SET)).isEmpty());
    add("Store.options()", c -> assertThat(c.store.options()).isNotNull());
    add("Store.snapshot()", c -> c.store.snapshot().close());
    add("Store.snapshot(Visibility)", c -> c.store.snapshot(Visibility.DURABLE).close());
    add("Store.space(String)", c -> assertThat(c.store.space("shared")).isEqualTo(c.space));
    add("Store.spaceNames()", c -> assertThat(c.store.spaceNames()).contains("shared"));
    add(
        "Store.statistics()",
        c -> assertThat(c.store.statistics().commits().applied()).isPositive());
    add(
        "Store.transact(TransactionWork)",
        c -> {
          c.store.transact(tx -> tx.put(c.space, c.key(), c.value()));
          c.wrote();
        });
    add(
        "Store.transact(Durability, TransactionWork)",
        c -> {
          c.store.transact(Durability.PROCESS_CRASH, tx -> tx.delete(c.space, c.key()));
          c.removed();
        });
    add("Store.verify()", c -> c.store.verify().requireSound());
    add(
        "Store.verify(ProgressListener)",
        c -> c.store.verify(ProgressListener.none()).requireSound());
    add(
        "Store.verify(Snapshot, ProgressListener)",
        c ->
            inSnapshot(
                c,
                view -> c.store.verify((Snapshot) view, ProgressListener.none()).requireSound()));
  }

  private static void openAndClose(Caller c) {
    Store other = c.openOther();
    other.space("s").put(c.key(), c.value());
    other.close();
  }

  private static void makeAndDropSpace(Caller c) {
    String name = c.otherName();
    c.store.space(name).put(c.key(), c.value());
    assertThat(c.store.dropSpace(name)).isTrue();
  }
}
