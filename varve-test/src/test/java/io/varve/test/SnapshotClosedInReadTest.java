package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Cursor;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreClosedException;
import io.varve.item.Item;
import io.varve.item.ItemSnapshot;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A snapshot that another thread closes in the middle of a read gives no answer any more: its root
/// and its pages may be gone by then, and the answer could be that a key is absent.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SnapshotClosedInReadTest {
  private static final byte[] KEY = Bytes.of(7);

  private final SimulatedDisk disk = new SimulatedDisk(5);

  @BeforeEach
  void fill() {
    try (Store store = SimulatedStore.open(disk, Stores.tiny())) {
      Space space = store.space("s");
      for (int i = 0; i < 100; i++) {
        space.put(Bytes.of(i), Bytes.of(i));
      }
      store.items("i").insert(Item.of("x", 1L));
      store.items("i").commit();
    }
  }

  private record Read(String name, BiConsumer<Snapshot, Space> call) {
    @Override
    public String toString() {
      return name;
    }
  }

  @SuppressWarnings("ReturnValueIgnored") // what counts is the failure
  static Stream<Read> reads() {
    return Stream.of(
        new Read("get", (snapshot, space) -> snapshot.get(space, KEY)),
        new Read("decode", (snapshot, space) -> snapshot.get(space, KEY, value -> value)),
        new Read("getAll", (snapshot, space) -> snapshot.getAll(space, List.of(KEY))),
        new Read("contains", (snapshot, space) -> snapshot.contains(space, KEY)),
        new Read("count", (snapshot, space) -> snapshot.count(space, Range.atLeast(KEY))),
        new Read("first", (snapshot, space) -> snapshot.cursor(space, Range.all()).first()),
        new Read("last", (snapshot, space) -> snapshot.cursor(space, Range.all()).last()),
        new Read("next", (snapshot, space) -> snapshot.cursor(space, Range.all()).next()),
        new Read("seek", (snapshot, space) -> snapshot.cursor(space, Range.all()).seek(KEY)),
        new Read("floor", (snapshot, space) -> snapshot.cursor(space, Range.all()).seekFloor(KEY)),
        new Read("scan", (snapshot, space) -> snapshot.scan(space, Range.all()).iterator()),
        new Read("stream", (snapshot, space) -> snapshot.stream(space, Range.all()).count()),
        new Read(
            "advance",
            (snapshot, space) ->
                snapshot.spliterator(space, Range.all(), Cursor::key).tryAdvance(key -> {})));
  }

  /// Closes while a page is read from disk.
  @ParameterizedTest
  @MethodSource("reads")
  void closedWhileThePageIsRead(Read read) {
    try (Store store = SimulatedStore.open(disk, Stores.tiny())) {
      Space space = store.space("s");
      Snapshot snapshot = store.snapshot();
      AtomicInteger reads = closeAtRead(snapshot::close);
      assertThatThrownBy(() -> read.call().accept(snapshot, space))
          .isInstanceOf(StoreClosedException.class);
      assertThat(reads.get()).isPositive();
      disk.faults(_ -> Fault.NONE);
    }
  }

  private AtomicInteger closeAtRead(Runnable close) {
    AtomicInteger reads = new AtomicInteger();
    disk.faults(call -> {
      if (call.operation() == DiskOperation.READ && reads.getAndIncrement() == 0) {
        close.run();
      }
      return Fault.NONE;
    });
    return reads;
  }

  @Test
  void itemSnapshotClosedWhileThePageIsRead() {
    try (Store store = SimulatedStore.open(disk, Stores.tiny())) {
      ItemSnapshot snapshot = store.items("i").snapshot();
      AtomicInteger reads = closeAtRead(snapshot::close);
      assertThatThrownBy(() -> snapshot.cursor(Item.of("x")).next())
          .isInstanceOf(StoreClosedException.class);
      assertThat(reads.get()).isPositive();
      disk.faults(_ -> Fault.NONE);
    }
  }

  /// A decoder that fails on a page of a snapshot that is closed by then fails for that.
  @Test
  void closedWhileADecoderRuns() {
    try (Store store = SimulatedStore.open(disk, Stores.tiny())) {
      Space space = store.space("s");
      Snapshot snapshot = store.snapshot();
      AtomicBoolean called = new AtomicBoolean();
      assertThatThrownBy(() ->
              snapshot.get(
                  space,
                  KEY,
                  _ -> {
                    called.set(true);
                    snapshot.close();
                    throw new IllegalStateException("torn");
                  }))
          .isInstanceOf(StoreClosedException.class);
      assertThat(called).isTrue();
    }
  }
}
