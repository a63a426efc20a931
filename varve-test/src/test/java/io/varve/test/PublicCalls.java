package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.AsyncSpace;
import io.varve.Codec;
import io.varve.Commit;
import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Entry;
import io.varve.OrderedMap;
import io.varve.OrderedSet;
import io.varve.ProgressListener;
import io.varve.Range;
import io.varve.ReadView;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.Table;
import io.varve.TableSet;
import io.varve.Transaction;
import io.varve.TransactionPoint;
import io.varve.Visibility;
import io.varve.Watch;
import io.varve.Written;
import io.varve.admin.BackupOptions;
import io.varve.admin.Backups;
import io.varve.item.Item;
import io.varve.item.ItemCodec;
import io.varve.item.ItemSnapshot;
import io.varve.item.ItemSpace;
import io.varve.item.ItemView;
import io.varve.spi.NonBlockingSpace;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.Spliterators;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Every public call of a store and of what it gives out, each with a check of its answer.
///
/// The table is complete: [#declared()] names all methods of the interfaces, [#all()] the calls,
/// and a test compares them.
final class PublicCalls {
  private static final List<Class<?>> INTERFACES =
      List.of(
          Store.class,
          Space.class,
          AsyncSpace.class,
          NonBlockingSpace.class,
          Snapshot.class,
          Transaction.class,
          Cursor.class,
          Watch.class,
          OrderedMap.class,
          ItemSpace.class,
          ItemSnapshot.class);

  private static final Item A = Item.of("a", 1L);
  private static final Item B = Item.of("b", 1L);

  private final SortedMap<String, Consumer<Caller>> calls = new TreeMap<>();

  /// The space of all callers.
  private static final Table<byte[], byte[]> SHARED =
      Table.of("shared", Codec.bytes(), Codec.bytes());

  private static final Table<String, Long> EMPTY = Table.of("empty", Codec.string(), Codec.int64());
  private static final TableSet<String> EMPTY_SET = TableSet.of("empty set", Codec.string());

  private PublicCalls() {
    addStore();
    addWatch();
    addSpaceReads();
    addSpaceChanges();
    addView("Snapshot", PublicCalls::inSnapshot);
    addSnapshot();
    addView("Transaction", PublicCalls::inTransaction);
    addTransaction();
    addCursorMoves();
    addCursorReads();
    addMapReads();
    addMapChanges();
    addMapViews();
    add(
        "OrderedMap.with(Durability)",
        c ->
            c.onMaps((map, key) ->
                map instanceof OrderedMap<String, String> own
                    ? own.with(Durability.BACKGROUND).put(key, key)
                    : map.put(key, key)));
    add(
        "OrderedMap.async()",
        c ->
            c.onMaps((map, key) ->
                map instanceof OrderedMap<String, String> own
                    ? done(own.async().put(key, key))
                    : map.put(key, key)));
    addItemChanges();
    addItemViews();
    addItemReads("ItemSpace", (c, read) -> inItems(c, read::accept));
    addItemReads("ItemSnapshot", PublicCalls::inItemSnapshot);
    add("ItemSnapshot.close()", c -> inItems(c, items -> items.snapshot().close()));
  }

  /// The calls by name, as `Space.get(byte[])`.
  static SortedMap<String, Consumer<Caller>> all() {
    return new PublicCalls().calls;
  }

  /// The names of all methods that the interfaces declare or inherit, and of those that take a
  /// backup of a store.
  static SortedSet<String> declared() {
    SortedSet<String> names = new TreeSet<>();
    for (Class<?> type : INTERFACES) {
      for (Method method : type.getMethods()) {
        if (!Modifier.isStatic(method.getModifiers()) && !method.isBridge()) {
          names.add(name(type, method));
        }
      }
    }
    for (Method method : Backups.class.getMethods()) {
      if (List.of(method.getParameterTypes()).contains(Store.class)) {
        names.add(name(Backups.class, method));
      }
    }
    return names;
  }

  private static String name(Class<?> type, Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(Class::getSimpleName)
        .collect(
            Collectors.joining(", ", type.getSimpleName() + "." + method.getName() + "(", ")"));
  }

  private void add(String name, Consumer<Caller> call) {
    if (calls.put(name, call) != null) {
      throw new IllegalStateException("call is there twice: " + name);
    }
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
    add("Store.close()", PublicCalls::openAndClose);
    add("Store.compact()", c -> assertThat(c.store.compact()).isNotNegative());
    add(
        "Store.transactAndGet(TransactionBody)",
        c -> c.requireExpected(c.store.transactAndGet(tx -> tx.get(c.space, c.key()))));
    add(
        "Store.transactAndGet(Durability, TransactionBody)",
        c ->
            c.requireExpected(
                c.store.transactAndGet(Durability.BACKGROUND, tx -> tx.get(c.space, c.key()))));
    add("Store.dropSpace(String)", PublicCalls::makeAndDropSpace);
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

  /// Items of the caller alone: one that is committed, and one that is not.
  private static void inItems(Caller c, Consumer<ItemSpace> call) {
    String name = c.otherName();
    ItemSpace items = c.store.items(name);
    items.insert(A);
    items.commit();
    items.insert(B);
    call.accept(items);
    c.store.dropSpace(name);
  }

  private static void inItemSnapshot(Caller c, Consumer<ItemView> call) {
    inItems(
        c,
        items -> {
          try (ItemSnapshot snapshot = items.snapshot()) {
            items.deleteSubspace(Item.empty());
            call.accept(snapshot);
          }
        });
  }

  private void addItem(String name, Consumer<ItemSpace> call) {
    add("ItemSpace." + name, c -> inItems(c, call));
  }

  private static void requireItems(ItemView items, Item... expected) {
    assertThat(items.scan()).containsExactly(expected);
  }

  private void addItemChanges() {
    addItem(
        "insert(Item)",
        items -> {
          items.insert(Item.of("c"));
          requireItems(items, A, B, Item.of("c"));
        });
    addItem(
        "delete(Item)",
        items -> {
          items.delete(A);
          requireItems(items, B);
        });
    addItem(
        "deleteSubspace(Item)",
        items -> {
          items.deleteSubspace(Item.of("a"));
          requireItems(items, B);
        });
    addItem(
        "update(Item, int)",
        items -> {
          items.update(Item.of("a", 2L), 1);
          requireItems(items, Item.of("a", 2L), B);
        });
    addItem("commit()", items -> requireCommit(items, items.commit()));
    addItem(
        "commit(Durability)",
        items -> requireCommit(items, items.commit(Durability.PROCESS_CRASH)));
    addItem(
        "rollback()",
        items -> {
          items.rollback();
          requireItems(items, A);
        });
  }

  private static void requireCommit(ItemSpace items, Commit commit) {
    assertThat(commit.lsn()).isPositive();
    assertThat(commit).isLessThanOrEqualTo(items.store().lastCommit());
    items.rollback();
    requireItems(items, A, B);
  }

  private void addItemViews() {
    addItem("name()", items -> assertThat(items.name()).isNotEmpty());
    addItem(
        "statistics()", items -> assertThat(items.statistics().merged().entries()).isEqualTo(1));
    addItem("store()", items -> assertThat(items.store().lastCommit().lsn()).isPositive());
    addItem("snapshot()", items -> items.snapshot().close());
    addItem(
        "map(Item, ItemCodec, ItemCodec)",
        items ->
            assertThat(items.map(Item.empty(), ItemCodec.string(), ItemCodec.int64()))
                .containsExactly(Map.entry("a", 1L), Map.entry("b", 1L)));
    addItem(
        "set(Item, ItemCodec)",
        items -> assertThat(items.set(Item.of("a"), ItemCodec.int64())).containsExactly(1L));
    addItem(
        "outputStream(Item)",
        items -> {
          try (OutputStream out = items.outputStream(Item.of("lob"))) {
            out.write(new byte[2000]);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          assertThat(items.count(Item.of("lob"))).isEqualTo(2);
        });
    addItem(
        "writer(Item)",
        items -> {
          try (Writer writer = items.writer(Item.of("lob"))) {
            writer.write("x".repeat(2000));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          assertThat(items.count(Item.of("lob"))).isEqualTo(2);
        });
  }

  /// What a view of the two items can be asked.
  private void addItemReads(String type, BiConsumer<Caller, Consumer<ItemView>> in) {
    BiConsumer<String, Consumer<ItemView>> addRead =
        (name, read) -> add(type + "." + name, c -> in.accept(c, read));
    addRead.accept("contains(Item)", items -> assertThat(items.contains(B)).isTrue());
    addRead.accept("count()", items -> assertThat(items.count()).isEqualTo(2));
    addRead.accept("count(Item)", items -> assertThat(items.count(Item.of("b"))).isEqualTo(1));
    addRead.accept("cursor()", items -> assertThat(items.cursor().last()).isTrue());
    addRead.accept(
        "cursor(Item)", items -> assertThat(items.cursor(Item.of("c")).next()).isFalse());
    addRead.accept("scan()", items -> assertThat(items.scan()).containsExactly(A, B));
    addRead.accept("scan(Item)", items -> assertThat(items.scan(Item.of("b"))).containsExactly(B));
    addRead.accept("first(Item, int)", items -> assertThat(items.first(A, 0)).isEqualTo(A));
    addRead.accept("next(Item, int)", items -> assertThat(items.next(A, 0)).isEqualTo(B));
    addRead.accept("last(Item, int)", items -> assertThat(items.last(B, 0)).isEqualTo(B));
    addRead.accept("previous(Item, int)", items -> assertThat(items.previous(B, 1)).isNull());
    addRead.accept(
        "inputStream(Item)", items -> assertThat(items.inputStream(Item.of("none"))).isEmpty());
    addRead.accept(
        "reader(Item)",
        items -> {
          try (Reader reader = items.reader(Item.of("none"))) {
            assertThat(reader.read()).isEqualTo(-1);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
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

  private void addSpaceReads() {
    add("Space.statistics()", c -> assertThat(c.space.statistics().name()).isEqualTo("shared"));
    add(
        "Space.approximateBytes(Range)",
        c -> assertThat(c.space.approximateBytes(c.own)).isNotNegative());
    add(
        "Space.contains(byte[])",
        c -> assertThat(c.space.contains(c.key())).isEqualTo(c.expected() != null));
    add(
        "Space.count(Range)",
        c -> assertThat(c.space.count(c.own)).isEqualTo(c.expected(c.own).size()));
    add("Space.cursor(Range)", c -> c.space.cursor(c.own).close());
    add("Space.get(byte[])", c -> c.requireExpected(c.space.get(c.key())));
    add(
        "Space.get(byte[], Decoder)",
        c -> c.requireExpected(c.space.get(c.key(), PublicCalls::bytes)));
    add("Space.getAll(List)", c -> c.requireExpected(c.space.getAll(List.of(c.key())).getFirst()));
    add("Space.name()", c -> assertThat(c.space.name()).isEqualTo("shared"));
    add(
        "NonBlockingSpace.tryGet(byte[], Consumer)",
        c -> {
          if (!NonBlockingSpace.of(c.space).tryGet(c.key(), c::requireExpected)) {
            c.requireExpected(c.space.get(c.key()));
          }
        });
    add(
        "Space.read(byte[])",
        c -> {
          try (InputStream stream = c.space.read(c.key())) {
            c.requireExpected(stream == null ? null : stream.readAllBytes());
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    add("AsyncSpace.space()", c -> assertThat(c.space.async().space().name()).isEqualTo("shared"));
    add("Space.async()", c -> assertThat(c.space.async()).isNotNull());
    add("Space.first(Range)", c -> requireEnd(c, c.space.first(c.part())));
    add("Space.last(Range)", c -> requireEnd(c, c.space.last(c.part())));
    add("Space.scan(Range)", c -> c.requireEntries(c.part(), c.space.scan(c.part())));
    add("Space.store()", c -> assertThat(c.space.store()).isSameAs(c.store));
    add(
        "Space.stream(Range)",
        c -> {
          try (Stream<Entry> stream = c.space.stream(c.part())) {
            c.requireEntries(c.part(), stream::iterator);
          }
        });
  }

  private static <T extends @Nullable Object> T done(CompletionStage<Written<T>> stage) {
    return stage.toCompletableFuture().join().value();
  }

  private void addAsyncChanges() {
    addWrite(
        "AsyncSpace.put(byte[], InputStream, long)",
        c -> {
          byte[] value = c.value();
          var stream = new ByteArrayInputStream(value);
          c.space.async().put(c.key(), stream, value.length).toCompletableFuture().join();
        });
    addWrite(
        "AsyncSpace.getAndPut(byte[], byte[])",
        c -> c.requireExpected(done(c.space.async().getAndPut(c.key(), c.value()))));
    addRemoval(
        "AsyncSpace.getAndDelete(byte[])",
        c -> c.requireExpected(done(c.space.async().getAndDelete(c.key()))));
    addWrite(
        "AsyncSpace.merge(byte[], byte[], BinaryOperator)",
        c ->
            assertThat(done(c.space.async().merge(c.key(), c.value(), (_, given) -> given)))
                .isNotNull());
    add(
        "AsyncSpace.compareAndSet(byte[], byte[], byte[])",
        c -> {
          assertThat(done(c.space.async().compareAndSet(c.key(), c.expected(), c.value())))
              .isTrue();
          c.wrote();
        });
    add(
        "AsyncSpace.putIfAbsent(byte[], byte[])",
        c -> {
          byte[] there = done(c.space.async().putIfAbsent(c.key(), c.value()));
          c.requireExpected(there);
          if (there == null) {
            c.wrote();
          }
        });
    add(
        "AsyncSpace.deleteRange(Range)",
        c -> c.removed(c.part(), done(c.space.async().deleteRange(c.part()))));
    add(
        "AsyncSpace.clear()",
        c -> {
          Space space = c.store.space(c.otherName());
          space.put(c.key(), c.value());
          assertThat(done(space.async().clear())).isEqualTo(1);
          c.store.dropSpace(space.name());
        });
  }

  private static void requireEnd(Caller c, @Nullable Entry end) {
    assertThat(end == null).isEqualTo(c.expected(c.part()).isEmpty());
  }

  private static byte[] bytes(MemorySegment segment) {
    return segment.toArray(ValueLayout.JAVA_BYTE);
  }

  private void addSpaceChanges() {
    add(
        "Space.compareAndSet(byte[], byte[], byte[])",
        c -> {
          assertThat(c.space.compareAndSet(c.key(), c.expected(), c.value())).isTrue();
          c.wrote();
        });
    addRemoval("Space.delete(byte[])", c -> c.space.delete(c.key()));
    addRemoval(
        "AsyncSpace.delete(byte[])",
        c -> c.space.async().delete(c.key()).toCompletableFuture().join());
    addRemoval(
        "NonBlockingSpace.tryDelete(byte[])",
        c -> {
          if (NonBlockingSpace.of(c.space).tryDelete(c.key()) == null) {
            c.space.delete(c.key());
          }
        });
    add(
        "Space.clear()",
        c -> {
          Space space = c.store.space(c.otherName());
          space.put(c.key(), c.value());
          assertThat(space.clear()).isEqualTo(1);
          c.store.dropSpace(space.name());
        });
    add("Space.deleteRange(Range)", c -> c.removed(c.part(), c.space.deleteRange(c.part())));
    addAsyncChanges();
    addRemoval("Space.getAndDelete(byte[])", c -> c.requireExpected(c.space.getAndDelete(c.key())));
    addWrite(
        "Space.getAndPut(byte[], byte[])",
        c -> c.requireExpected(c.space.getAndPut(c.key(), c.value())));
    addWrite(
        "Space.merge(byte[], byte[], BinaryOperator)",
        c -> assertThat(c.space.merge(c.key(), c.value(), (_, given) -> given)).isNotNull());
    addWrite("Space.put(byte[], byte[])", c -> c.space.put(c.key(), c.value()));
    addWrite(
        "Space.with(Durability)", c -> c.space.with(Durability.POWER_LOSS).put(c.key(), c.value()));
    addWrite(
        "Space.put(byte[], InputStream, long)",
        c -> c.space.put(c.key(), new ByteArrayInputStream(c.value()), c.value().length));
    addWrite(
        "AsyncSpace.put(byte[], byte[])",
        c -> c.space.async().put(c.key(), c.value()).toCompletableFuture().join());
    addWrite(
        "NonBlockingSpace.tryPut(byte[], byte[])",
        c -> {
          if (NonBlockingSpace.of(c.space).tryPut(c.key(), c.value()) == null) {
            c.space.put(c.key(), c.value());
          }
        });
    add(
        "Space.putIfAbsent(byte[], byte[])",
        c -> {
          byte[] there = c.space.putIfAbsent(c.key(), c.value());
          c.requireExpected(there);
          if (there == null) {
            c.wrote();
          }
        });
  }

  private void addWrite(String name, Consumer<Caller> call) {
    add(name, call.andThen(Caller::wrote));
  }

  private void addRemoval(String name, Consumer<Caller> call) {
    add(name, call.andThen(Caller::removed));
  }

  private static void inSnapshot(Caller c, Consumer<ReadView> work) {
    try (Snapshot snapshot = c.store.snapshot()) {
      work.accept(snapshot);
    }
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
                c, view -> c.requireExpected(view.get(c.space, c.key(), PublicCalls::bytes))));
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

  private void addCursorMoves() {
    addMove("Cursor.first()", (_, cursor) -> cursor.first(), (_, there) -> there.firstEntry());
    addMove("Cursor.last()", (_, cursor) -> cursor.last(), (_, there) -> there.lastEntry());
    addMove("Cursor.next()", (_, cursor) -> cursor.next(), (_, there) -> there.firstEntry());
    addMove("Cursor.previous()", (_, cursor) -> cursor.previous(), (_, _) -> null);
    addMove(
        "Cursor.seek(byte[])",
        (c, cursor) -> cursor.seek(c.key()),
        (c, there) -> there.ceilingEntry(c.key()));
    addMove(
        "Cursor.seekFloor(byte[])",
        (c, cursor) -> cursor.seekFloor(c.key()),
        (c, there) -> there.floorEntry(c.key()));
    add("Cursor.close()", c -> c.space.cursor(c.own).close());
  }

  /// Adds a move of a cursor that is before the first entry.
  private void addMove(
      String name,
      BiFunction<Caller, Cursor, Boolean> move,
      BiFunction<Caller, NavigableMap<byte[], byte[]>, Map.@Nullable Entry<byte[], byte[]>>
          expected) {
    add(
        name,
        c -> {
          try (Cursor cursor = c.space.cursor(c.own)) {
            c.requireMoved(cursor, move.apply(c, cursor), expected.apply(c, c.expected(c.own)));
          }
        });
  }

  private void addCursorReads() {
    addRead("Cursor.entry()", c -> new Entry(c.key(), c.value()), Cursor::entry);
    addRead("Cursor.key()", Caller::key, Cursor::key);
    addRead("Cursor.readKey(byte[])", c -> c.key().length, cursor -> cursor.readKey(new byte[1]));
    addRead(
        "Cursor.readValue(byte[])",
        c -> c.value().length,
        cursor -> cursor.readValue(new byte[100]));
    addRead("Cursor.value()", Caller::value, Cursor::value);
    addRead("Cursor.valueLength()", c -> c.value().length, Cursor::valueLength);
    addRead("Cursor.valueSegment()", Caller::value, cursor -> bytes(cursor.valueSegment()));
    addRead("Cursor.valueStream()", Caller::value, PublicCalls::readStream);
  }

  private static byte[] readStream(Cursor cursor) {
    try (InputStream stream = cursor.valueStream()) {
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Adds a read of a cursor that is on the key, which has the value.
  private void addRead(
      String name, Function<Caller, Object> expected, Function<Cursor, Object> read) {
    add(
        name,
        c -> {
          c.space.with(Durability.BACKGROUND).put(c.key(), c.value());
          c.wrote();
          try (Cursor cursor = c.space.cursor(c.own)) {
            assertThat(cursor.seek(c.key())).isTrue();
            assertThat(read.apply(cursor)).isEqualTo(expected.apply(c));
          }
        });
  }

  /// Adds a call that a map of the JDK answers likewise.
  private void addMap(
      String name,
      BiFunction<ConcurrentNavigableMap<String, String>, String, @Nullable Object> call) {
    add("OrderedMap." + name, c -> c.onMaps(call));
  }

  private void addMapReads() {
    addMap("ceilingEntry(Object)", (map, key) -> map.ceilingEntry(key));
    addMap("ceilingKey(Object)", (map, key) -> map.ceilingKey(key));
    add("OrderedMap.comparator()", c -> assertThat(c.map().comparator()).isNotNull());
    addMap("containsKey(Object)", (map, key) -> map.containsKey(key));
    addMap("containsValue(Object)", (map, key) -> map.containsValue(key + "!"));
    addMap("equals(Object)", (map, _) -> map.equals(Map.copyOf(map)));
    addMap("firstEntry()", (map, _) -> map.firstEntry());
    addMap("firstKey()", (map, _) -> map.firstKey());
    addMap("floorEntry(Object)", (map, key) -> map.floorEntry(key));
    addMap("floorKey(Object)", (map, key) -> map.floorKey(key));
    addMap(
        "forEach(BiConsumer)",
        (map, _) -> {
          StringBuilder all = new StringBuilder();
          map.forEach((key, value) -> all.append(key).append(value));
          return all.toString();
        });
    addMap("get(Object)", (map, key) -> map.get(key));
    addMap("getOrDefault(Object, Object)", (map, key) -> map.getOrDefault(key, "none"));
    addMap("hashCode()", (map, _) -> map.hashCode());
    addMap("higherEntry(Object)", (map, key) -> map.higherEntry(key));
    addMap("higherKey(Object)", (map, key) -> map.higherKey(key));
    addMap("isEmpty()", (map, _) -> map.isEmpty());
    addMap("lastEntry()", (map, _) -> map.lastEntry());
    addMap("lastKey()", (map, _) -> map.lastKey());
    addMap("lowerEntry(Object)", (map, key) -> map.lowerEntry(key));
    addMap("lowerKey(Object)", (map, key) -> map.lowerKey(key));
    addMap("size()", (map, _) -> map.size());
    add("OrderedMap.space()", c -> assertThat(c.map().space().store()).isSameAs(c.store));
  }

  @SuppressWarnings("DoNotCall") // putFirst and putLast, which must be refused
  private void addMapChanges() {
    addMap(
        "clear()",
        (map, key) -> {
          if (key.hashCode() % 8 == 0) { // or it would be empty most of the time
            map.clear();
          }
          return map.size();
        });
    addMap("compute(Object, BiFunction)", (map, key) -> map.compute(key, (_, old) -> old + "."));
    addMap(
        "computeIfAbsent(Object, Function)",
        (map, key) -> map.computeIfAbsent(key, absent -> absent + "!"));
    addMap(
        "computeIfPresent(Object, BiFunction)",
        (map, key) -> map.computeIfPresent(key, (_, old) -> old.length() > 20 ? null : old + "-"));
    addMap(
        "merge(Object, Object, BiFunction)",
        (map, key) -> map.merge(key, "+", (old, added) -> old.length() > 20 ? null : old + added));
    addMap("pollFirstEntry()", (map, _) -> map.pollFirstEntry());
    addMap("pollLastEntry()", (map, _) -> map.pollLastEntry());
    addMap("put(Object, Object)", (map, key) -> map.put(key, key));
    addMap(
        "putAll(Map)",
        (map, key) -> {
          map.putAll(Map.of(key, "all", key + "a", "all", key + "b", "all"));
          return map.size();
        });
    addMap("putFirst(Object, Object)", (map, key) -> map.putFirst(key, key));
    addMap("putIfAbsent(Object, Object)", (map, key) -> map.putIfAbsent(key, key));
    addMap("putLast(Object, Object)", (map, key) -> map.putLast(key, key));
    addMap("remove(Object)", (map, key) -> map.remove(key));
    addMap("remove(Object, Object)", (map, key) -> map.remove(key, key));
    addMap("replace(Object, Object)", (map, key) -> map.replace(key, key + "r"));
    addMap("replace(Object, Object, Object)", (map, key) -> map.replace(key, key, key + "s"));
    addMap(
        "replaceAll(BiFunction)",
        (map, _) -> {
          map.replaceAll((key, _) -> key);
          return map.size();
        });
  }

  private void addMapViews() {
    addMap("descendingKeySet()", (map, _) -> map.descendingKeySet());
    addMap("descendingMap()", (map, _) -> map.descendingMap());
    addMap("entrySet()", (map, _) -> map.entrySet());
    addMap("headMap(Object)", (map, key) -> map.headMap(key));
    addMap("headMap(Object, boolean)", (map, key) -> map.headMap(key, true));
    addMap("keySet()", (map, _) -> map.keySet());
    addMap("navigableKeySet()", (map, _) -> map.navigableKeySet());
    addMap("reversed()", (map, _) -> map.reversed());
    addMap("sequencedEntrySet()", (map, _) -> map.sequencedEntrySet());
    addMap("sequencedKeySet()", (map, _) -> map.sequencedKeySet());
    addMap("sequencedValues()", (map, _) -> map.sequencedValues());
    addMap("subMap(Object, Object)", (map, key) -> map.subMap(key, key + "~"));
    addMap(
        "subMap(Object, boolean, Object, boolean)",
        (map, key) -> map.subMap(key, false, key + "~", true));
    addMap("tailMap(Object)", (map, key) -> map.tailMap(key));
    addMap("tailMap(Object, boolean)", (map, key) -> map.tailMap(key, false));
    addMap("values()", (map, _) -> map.values());
  }
}
