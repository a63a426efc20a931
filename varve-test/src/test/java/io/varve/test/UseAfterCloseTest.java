package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Codec;
import io.varve.Commit;
import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Entry;
import io.varve.OrderedMap;
import io.varve.Range;
import io.varve.ReadView;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreClosedException;
import io.varve.Transaction;
import io.varve.Visibility;
import io.varve.spi.NonBlockingSpace;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Spliterator;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Any use after close is a [StoreClosedException], and close always ends: the contract on
/// lifetime.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UseAfterCloseTest {
  private static final byte[] KEY = Bytes.of("k");
  private static final byte[] VALUE = new byte[10_000]; // large: it is read from disk

  @TempDir Path directory;
  private Store store;
  private Space space;

  @BeforeEach
  void open() {
    store = Store.open(directory, Stores.tiny());
    space = store.space("s");
    for (int i = 0; i < 500; i++) {
      space.with(Durability.BACKGROUND).put(Bytes.of("k" + i), new byte[200]);
    }
    space.put(KEY, VALUE);
  }

  @Test
  void everyCallOfAClosedStoreReportsIt() {
    OrderedMap<byte[], byte[]> map = store.map("s", bytes(), bytes());
    store.close();
    Map<String, Runnable> calls = new LinkedHashMap<>();
    calls.put("space", () -> store.space("s"));
    calls.put("space of a new name", () -> store.space("new"));
    calls.put("findSpace", () -> store.findSpace("s"));
    calls.put("spaceNames", () -> store.spaceNames());
    calls.put("dropSpace", () -> store.dropSpace("s"));
    calls.put("begin", () -> store.begin());
    calls.put("transact", () -> store.transact(tx -> tx.put(space, KEY, KEY)));
    calls.put("transactAndGet", () -> store.transactAndGet(tx -> tx.get(space, KEY)));
    calls.put("snapshot", () -> store.snapshot());
    calls.put("snapshot of the durable", () -> store.snapshot(Visibility.DURABLE));
    calls.put("checkpoint", () -> store.checkpoint());
    calls.put("compact", () -> store.compact());
    calls.put("verify", () -> store.verify());
    calls.put("get", () -> space.get(KEY));
    calls.put("tryGet", () -> NonBlockingSpace.of(space).tryGet(KEY, _ -> {}));
    calls.put("get decoded", () -> space.get(KEY, MemorySegment::byteSize));
    calls.put("getAll", () -> space.getAll(List.of(KEY)));
    calls.put("contains", () -> space.contains(KEY));
    calls.put("read", () -> space.read(KEY));
    calls.put("put", () -> space.put(KEY, KEY));
    calls.put("put durably", () -> space.with(Durability.BACKGROUND).put(KEY, KEY));
    calls.put("put a stream", () -> space.put(KEY, new ByteArrayInputStream(KEY), 1));
    calls.put("getAndPut", () -> space.getAndPut(KEY, KEY));
    calls.put("putIfAbsent", () -> space.putIfAbsent(KEY, KEY));
    calls.put("compareAndSet", () -> space.compareAndSet(KEY, KEY, KEY));
    calls.put("delete", () -> space.delete(KEY));
    calls.put("getAndDelete", () -> space.getAndDelete(KEY));
    calls.put("merge", () -> space.merge(KEY, KEY, (old, _) -> old));
    calls.put("clear", () -> space.clear());
    calls.put("first", () -> use(space.first(Range.all())));
    calls.put("last", () -> use(space.last(Range.all())));
    calls.put("deleteRange", () -> space.deleteRange(Range.all()));
    calls.put("cursor", () -> space.cursor(Range.all()).first());
    calls.put("scan", () -> use(space.scan(Range.all()).iterator().hasNext()));
    calls.put("stream", () -> use(space.stream(Range.all())));
    calls.put("count", () -> space.count(Range.all()));
    calls.put("approximateBytes", () -> space.approximateBytes(Range.all()));
    calls.put("statistics", () -> space.statistics());
    calls.put("map get", () -> map.get(KEY));
    calls.put("map put", () -> map.put(KEY, KEY));
    calls.put("map size", () -> use(map.size()));
    calls.put("map iterator", () -> use(map.keySet().iterator().hasNext()));
    calls.forEach(UseAfterCloseTest::requireClosed);
    requireStageOrCallClosed("putAsync", () -> space.async().put(KEY, KEY));
    requireStageOrCallClosed("deleteAsync", () -> space.async().delete(KEY));
    requireStageOrCallClosed("tryPut", () -> NonBlockingSpace.of(space).tryPut(KEY, KEY));
    requireStageOrCallClosed("tryDelete", () -> NonBlockingSpace.of(space).tryDelete(KEY));
    store.close();
    assertThat(space.name()).isEqualTo("s");
    assertThat(space.store()).isSameAs(store);
    assertThat(store.options().pageBytes()).isEqualTo(1024);
  }

  private static void use(Object result) {
    assertThat(result).isNotNull();
  }

  private static void requireClosed(String name, Runnable call) {
    assertThatThrownBy(call::run).as(name).isInstanceOf(StoreClosedException.class);
  }

  private static void requireStageOrCallClosed(
      String name, java.util.function.Supplier<java.util.concurrent.CompletionStage<Commit>> call) {
    assertThatThrownBy(() -> call.get().toCompletableFuture().join())
        .as(name)
        .satisfiesAnyOf(
            e -> assertThat(e).isInstanceOf(StoreClosedException.class),
            e -> assertThat(e).hasCauseInstanceOf(StoreClosedException.class));
  }

  @Test
  void viewsAndCursorsEndWithTheStore() throws Exception {
    Snapshot snapshot = store.snapshot();
    Transaction transaction = store.begin();
    transaction.put(space, Bytes.of("new"), KEY);
    assertThat(transaction.get(space, KEY)).isEqualTo(VALUE);
    Cursor live = space.cursor(Range.all());
    Cursor pinned = snapshot.cursor(space, Range.all());
    Cursor own = transaction.cursor(space, Range.all());
    for (Cursor cursor : List.of(live, pinned, own)) {
      assertThat(cursor.seek(KEY)).isTrue();
    }
    var scan = snapshot.scan(space, Range.all());
    var iterator = scan.iterator();
    assertThat(iterator.hasNext()).isTrue();
    InputStream stream = space.read(KEY);
    Spliterator<Entry> entries = snapshot.spliterator(space, Range.all());
    Spliterator<Entry> begun = snapshot.spliterator(space, Range.all());
    assertThat(begun.tryAdvance(_ -> {})).isTrue();
    store.close();
    for (Spliterator<Entry> spliterator : List.of(entries, begun)) {
      requireClosed("trySplit", spliterator::trySplit);
      requireClosed("tryAdvance", () -> spliterator.tryAdvance(_ -> {}));
      requireClosed("forEachRemaining", () -> spliterator.forEachRemaining(_ -> {}));
    }
    requireClosed("stream", () -> use(snapshot.stream(space, Range.all())));
    for (ReadView view : List.of(snapshot, transaction)) {
      requireClosed("get", () -> view.get(space, KEY));
      requireClosed("getAll", () -> view.getAll(space, List.of(KEY)));
      requireClosed("contains", () -> view.contains(space, KEY));
      requireClosed("count", () -> view.count(space, Range.all()));
      requireClosed("cursor", () -> view.cursor(space, Range.all()).first());
    }
    requireClosed("commit", () -> transaction.commit());
    for (Cursor cursor : List.of(live, pinned, own)) {
      requireCursorClosed(cursor);
    }
    requireClosed("iterator", () -> exhaust(iterator));
    requireClosed("scan", () -> use(scan.iterator().hasNext()));
    assertThatThrownBy(() -> stream.readAllBytes())
        .satisfiesAnyOf(
            e -> assertThat(e).isInstanceOf(StoreClosedException.class),
            e -> assertThat(e).hasCauseInstanceOf(StoreClosedException.class));
    for (AutoCloseable closed : List.of(snapshot, transaction, live, pinned, own)) {
      closed.close();
    }
    stream.close();
  }

  private static void exhaust(java.util.Iterator<?> iterator) {
    while (iterator.hasNext()) {
      iterator.next();
    }
  }

  private static void requireCursorClosed(Cursor cursor) {
    requireClosed("first", cursor::first);
    requireClosed("last", cursor::last);
    requireClosed("next", cursor::next);
    requireClosed("previous", cursor::previous);
    requireClosed("seek", () -> cursor.seek(KEY));
    requireClosed("seekFloor", () -> cursor.seekFloor(KEY));
    requireClosed("key", cursor::key);
    requireClosed("value", cursor::value);
    requireClosed("valueLength", cursor::valueLength);
    requireClosed("valueSegment", cursor::valueSegment);
    requireClosed("valueStream", cursor::valueStream);
  }

  @Test
  void viewsAndCursorsEndWithTheirOwnClose() {
    Snapshot snapshot = store.snapshot();
    Cursor pinned = snapshot.cursor(space, Range.all());
    assertThat(pinned.first()).isTrue();
    snapshot.close();
    snapshot.close();
    requireClosed("snapshot", () -> snapshot.get(space, KEY));
    requireCursorClosed(pinned);
    Cursor live = space.cursor(Range.all());
    live.close();
    live.close();
    requireCursorClosed(live);
    Transaction transaction = store.begin();
    transaction.commit();
    transaction.close();
    assertThatThrownBy(() -> transaction.put(space, KEY, KEY))
        .isInstanceOfAny(StoreClosedException.class, IllegalStateException.class);
    assertThatThrownBy(() -> transaction.commit())
        .isInstanceOfAny(StoreClosedException.class, IllegalStateException.class);
    store.close();
  }

  @Test
  void droppedSpaceFailsAndTheStoreContinues() {
    assertThat(store.dropSpace("s")).isTrue();
    assertThatThrownBy(() -> space.get(KEY)).isInstanceOf(RuntimeException.class);
    assertThatThrownBy(() -> space.put(KEY, KEY)).isInstanceOf(RuntimeException.class);
    Space again = store.space("s");
    assertThat(again.count(Range.all())).isZero();
    again.put(KEY, KEY);
    assertThatThrownBy(() -> space.get(KEY)).isInstanceOf(RuntimeException.class);
    store.verify().requireSound();
    store.close();
  }

  /// Threads that are inside when the store is closed get their answer or the exception, never
  /// anything else, and close returns.
  @Test
  void closeEndsUnderLoad() {
    store.close();
    Seeds.forEach(
        15,
        seed -> {
          Store busy = Store.open(directory, Stores.tiny());
          Space target = busy.space("s");
          Threads threads = new Threads();
          var ready = new java.util.concurrent.CountDownLatch(6);
          for (int i = 0; i < 6; i++) {
            SplittableRandom random = new SplittableRandom(seed * 10 + i);
            Threads.Body body = () -> useUntilClosed(busy, target, random, ready);
            if (i % 2 == 0) {
              threads.start(body);
            } else {
              threads.startVirtual(body);
            }
          }
          ready.await();
          busy.close();
          busy.close();
          threads.join();
          try (Store reopened = Store.open(directory, Stores.tiny())) {
            reopened.verify().requireSound();
          }
        });
  }

  private static void useUntilClosed(
      Store busy,
      Space target,
      SplittableRandom random,
      java.util.concurrent.CountDownLatch ready) {
    try {
      for (int call = 0; ; call++) {
        if (call == 20) {
          ready.countDown();
        }
        byte[] key = Bytes.of("k" + random.nextInt(1000));
        switch (random.nextInt(7)) {
          case 0 -> target.get(key);
          case 1 -> target.put(key, new byte[random.nextInt(3000)]);
          case 2 -> target.with(Durability.BACKGROUND).put(key, new byte[random.nextInt(500)]);
          case 3 -> {
            for (var entry : target.scan(Range.all())) {
              assertThat(entry.key()).isNotEmpty();
            }
          }
          case 4 -> {
            try (Snapshot snapshot = busy.snapshot()) {
              snapshot.count(target, Range.all());
            }
          }
          case 5 -> busy.transact(tx -> tx.put(target, key, key));
          default -> {
            if (call % 50 == 0) {
              busy.checkpoint();
            }
          }
        }
      }
    } catch (StoreClosedException e) {
      ready.countDown();
    }
  }

  @Test
  void storeInMemoryEndsAlike() {
    Store memory = Store.inMemory();
    Space inMemory = memory.space("s");
    inMemory.put(KEY, VALUE);
    assertThat(inMemory.get(KEY)).isEqualTo(VALUE);
    memory.verify().requireSound();
    memory.close();
    requireClosed("get", () -> inMemory.get(KEY));
    assertThatCode(memory::close).doesNotThrowAnyException();
    store.close();
  }

  private static Codec<byte[]> bytes() {
    return new Codec<>() {
      @Override
      public byte[] encode(byte[] value) {
        return value.clone();
      }

      @Override
      public byte[] decode(byte[] encoded) {
        return encoded.clone();
      }
    };
  }
}
