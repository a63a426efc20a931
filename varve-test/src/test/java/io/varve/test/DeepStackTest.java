package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.Transaction;
import io.varve.item.Item;
import io.varve.item.ItemSpace;
import io.varve.spi.NonBlockingSpace;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A caller that meets the end of its stack in a call meets it before the call has any effect
/// (STACK-1): no lock stays held, no slot in the log stays empty, and others continue.
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
// Endless recursion and answers that no caller takes are what is tested.
@SuppressWarnings({"InfiniteRecursion", "ReturnValueIgnored"})
class DeepStackTest {
  private static final long STACK_BYTES = 256 << 10;

  /// Calls in a row that have enough stack: those with more have it, too.
  private static final int ENOUGH = 3;

  /// One level in so many calls: each error that is thrown fills in a thousand frames.
  private static final int LEVELS_PER_CALL = 4;

  /// Calls from an opening down to its close: more of the stack than levels in a row differ by.
  private static final int DEEPER = 20;

  /// So many closes, since a probe may find the last byte of the stack that it asks for.
  private static final int CLOSES = 10;

  private static final int VALUE_BYTES = 100;

  /// Reads of what is in memory. Compiled, they need hardly more stack than the call of them.
  private static final Set<String> SHALLOW = Set.of("count", "cursor", "get");

  @TempDir Path directory;

  private final AtomicInteger keys = new AtomicInteger();
  private Store store;
  private Space space;
  private ItemSpace items;

  /// Of a platform thread. A deep virtual thread may not even be able to park: the JVM throws where
  /// it cannot move the frames to the heap.
  @Test
  void othersContinueAfterCallsAtTheEndOfTheStack() throws Exception {
    store = Store.open(directory, Stores.tiny());
    space = store.space("s");
    items = store.items("items");
    for (Map.Entry<String, Runnable> call : calls().entrySet()) {
      Descent descent = new Descent(call.getValue());
      Threads threads = new Threads();
      threads.start(STACK_BYTES, descent::run);
      threads.join();
      if (!SHALLOW.contains(call.getKey())) {
        assertThat(descent.overflows).as("overflows in %s", call.getKey()).isPositive();
      }
      threads.start(this::putByAnother);
      threads.join();
    }
    assertThat(store.statistics().snapshots().open()).isEmpty();
    store.verify().requireSound();
    store.close();
    try (Store reopened = Store.open(directory, Stores.tiny())) {
      reopened.verify().requireSound();
    }
  }

  private void putByAnother() {
    byte[] key = key();
    space.with(Durability.POWER_LOSS).put(key, new byte[VALUE_BYTES]);
    store.transact(tx -> tx.put(space, key, new byte[1]));
    items.insert(Item.of("other", keys.get()));
    items.commit();
    assertThat(space.get(key)).hasSize(1);
  }

  /// Calls from the deepest level of a recursion up, until they have enough stack.
  private static final class Descent {
    private final Runnable call;
    private int enough;
    private int overflows;
    private int levels;

    Descent(Runnable call) {
      this.call = call;
    }

    void run() {
      try {
        run();
      } catch (StackOverflowError _) {
        // the deepest level is the one that called
      }
      if (enough < ENOUGH && ++levels % LEVELS_PER_CALL == 0) {
        try {
          call.run();
          enough++;
        } catch (StackOverflowError e) {
          enough = 0;
          overflows++;
        }
      }
    }
  }

  private byte[] key() {
    return ByteBuffer.allocate(4).putInt(keys.incrementAndGet()).array();
  }

  private Map<String, Runnable> calls() {
    Map<String, Runnable> calls = new LinkedHashMap<>();
    for (Durability durability :
        new Durability[] {Durability.BACKGROUND, Durability.PROCESS_CRASH, Durability.POWER_LOSS}) {
      calls.put(
          "put " + durability, () -> space.with(durability).put(key(), new byte[VALUE_BYTES]));
    }
    calls.put("put large", () -> space.put(key(), new byte[20_000]));
    calls.put(
        "put stream", () -> space.put(key(), new ByteArrayInputStream(new byte[300_000]), 300_000));
    calls.put("putAsync", () -> space.async().put(key(), new byte[VALUE_BYTES]));
    calls.put("tryPut", () -> NonBlockingSpace.of(space).tryPut(key(), new byte[VALUE_BYTES]));
    calls.put("merge", () -> space.merge(key(), new byte[VALUE_BYTES], (_, after) -> after));
    calls.put(
        "transact",
        () ->
            store.transact(tx -> {
              for (int i = 0; i < 20; i++) {
                tx.put(space, key(), new byte[VALUE_BYTES]);
              }
            }));
    calls.put(
        "transact with reads",
        () ->
            store.transact(tx -> {
              tx.get(space, new byte[4]);
              tx.put(space, key(), new byte[VALUE_BYTES]);
            }));
    calls.put("snapshot", () -> store.snapshot().close());
    // A close may be called at a greater depth than what it ends: it failed, and nothing ended
    // that.
    calls.put("snapshot closed below", () -> closeBelow(store.snapshot(), DEEPER));
    calls.put(
        "transaction closed below",
        () -> {
          Transaction transaction = store.begin();
          transaction.get(space, new byte[4]);
          closeBelow(transaction, DEEPER);
        });
    calls.put("count", () -> space.count(Range.all()));
    calls.put("cursor", this::scan);
    calls.put("get", () -> space.get(new byte[4]));
    calls.put("space", () -> store.space("space " + keys.incrementAndGet()));
    calls.put("dropSpace", () -> store.dropSpace("space " + keys.getAndDecrement()));
    calls.put(
        "items",
        () -> {
          items.insert(Item.of("item", keys.incrementAndGet()));
          items.commit();
        });
    calls.put("deleteRange", () -> space.deleteRange(Range.lessThan(key())));
    calls.put("checkpoint", store::checkpoint);
    calls.put("statistics", store::statistics);
    return calls;
  }

  private static void closeBelow(AutoCloseable opened, int calls) {
    if (calls > 0) {
      closeBelow(opened, calls - 1);
      return;
    }
    try {
      opened.close();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private void scan() {
    try (Cursor cursor = space.cursor(Range.all())) {
      while (cursor.next()) {
        cursor.key();
      }
    }
  }

  @Test
  void closeAtTheEndOfTheStackCanBeCalledAgain() throws Exception {
    store = Store.open(directory, Stores.tiny());
    space = store.space("s");
    space.put(key(), new byte[VALUE_BYTES]);
    Descent descent = new Descent(store::close);
    Threads threads = new Threads();
    threads.start(STACK_BYTES, descent::run);
    threads.join();
    assertThat(descent.overflows).isPositive();
    try (Store reopened = Store.open(directory, Stores.tiny())) {
      assertThat(reopened.space("s").count(Range.all())).isEqualTo(1);
    }
  }

  /// A close that found no stack has no effect, so that the next one ends what is open. A
  /// transaction counted as closed where the close of what it had read found none: its snapshot
  /// stayed open until the close of the store.
  @Test
  void aCloseThatFoundNoStackCanBeCalledAgain() throws Exception {
    store = Store.open(directory, Stores.tiny());
    space = store.space("s");
    items = store.items("items");
    for (int i = 0; i < CLOSES; i++) {
      Transaction transaction = store.begin();
      transaction.get(space, new byte[4]);
      for (AutoCloseable opened : List.of(transaction, store.snapshot(), items.snapshot())) {
        int first = i % LEVELS_PER_CALL;
        Threads threads = new Threads();
        threads.start(STACK_BYTES, () -> closeFromTheEnd(opened, first));
        threads.join();
      }
    }
    assertThat(store.statistics().snapshots().open()).isEmpty();
    store.close();
  }

  /// Closes it at the deepest level of a recursion that has enough stack for that, of those that
  /// try: one in [#LEVELS_PER_CALL].
  ///
  /// @param level of this call, which counts on from that of the first call
  /// @return whether it is closed
  private static boolean closeFromTheEnd(AutoCloseable opened, int level) throws Exception {
    try {
      if (closeFromTheEnd(opened, level + 1)) {
        return true;
      }
    } catch (StackOverflowError _) {
      // the deepest level is the first that tries
    }
    if (level % LEVELS_PER_CALL != 0) {
      return false;
    }
    try {
      opened.close();
      return true;
    } catch (StackOverflowError _) {
      return false;
    }
  }

  /// What a user's function throws, whatever it is, ends its own call alone.
  @Test
  void othersContinueAfterErrorsOfUsersFunctions() throws Exception {
    store = Store.open(directory, Stores.tiny());
    space = store.space("s");
    items = store.items("items");
    byte[] key = key();
    space.put(key, new byte[VALUE_BYTES]);
    for (Error error :
        new Error[] {
          new StackOverflowError(), new OutOfMemoryError("thrown by a test"), new AssertionError()
        }) {
      UnaryOperator<Object> fails =
          _ -> {
            throw error;
          };
      requireThrown(error, () -> space.merge(key, key, (_, _) -> (byte[]) fails.apply(key)));
      requireThrown(error, () -> space.get(key, fails::apply));
      requireThrown(error, () -> store.transact(tx -> tx.get(space, key, fails::apply)));
      requireThrown(error, () -> store.transactAndGet(fails::apply));
      requireThrown(
          error,
          () -> {
            try (Stream<Entry> entries = space.stream(Range.all())) {
              entries.forEach(fails::apply);
            }
          });
      requireThrown(error, () -> NonBlockingSpace.of(space).tryGet(key, fails::apply));
      Threads threads = new Threads();
      threads.start(this::putByAnother);
      threads.join();
    }
    assertThat(store.statistics().snapshots().open()).isEmpty();
    store.verify().requireSound();
    store.close();
  }

  private static void requireThrown(Error error, ThrowingCallable call) {
    assertThatThrownBy(call).isSameAs(error);
  }
}
