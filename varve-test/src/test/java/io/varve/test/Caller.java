package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Codec;
import io.varve.Cursor;
import io.varve.Entry;
import io.varve.OrderedMap;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.admin.BackupPoint;
import io.varve.admin.Backups;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// One thread's part in the [PublicCalls]: keys of its own in a space that all share and a map of
/// its own, with models that know what the store must answer. All commits are acknowledged when a
/// call returns, so the models also show what must not be lost.
///
/// For one thread.
final class Caller {
  private static final int KEYS = 60;
  private static final int SMALL_VALUE_BYTES_MAX = 600;
  private static final int LARGE_VALUE_BYTES = 5000;

  final Store store;
  final Space space;

  /// The keys of this caller.
  final Range own;

  private final int number;
  private final Path directory;
  private final SplittableRandom random;
  private final NavigableMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
  private final OrderedMap<String, String> map;
  private final ConcurrentNavigableMap<String, String> mapModel = new ConcurrentSkipListMap<>();
  private byte[] key = new byte[0];
  private byte[] value = new byte[0];
  private String text = "";
  private int others;

  /// @param directory where other stores may be made
  Caller(Store store, Path directory, int number) {
    this.store = store;
    this.directory = directory;
    this.number = number;
    this.random = new SplittableRandom(number);
    this.space = store.space("shared");
    this.map = map(store);
    this.own = Range.prefix(Bytes.of(number + "/"));
  }

  private OrderedMap<String, String> map(Store of) {
    return of.map("map-" + number, Codec.string(), Codec.string());
  }

  /// Picks a key and a value for the next call.
  void pick() {
    int at = random.nextInt(KEYS);
    key = Bytes.of(number + "/" + at);
    text = "t" + at;
    boolean large = random.nextInt(10) == 0;
    value = new byte[large ? LARGE_VALUE_BYTES : random.nextInt(SMALL_VALUE_BYTES_MAX)];
    random.nextBytes(value);
  }

  int number() {
    return number;
  }

  byte[] key() {
    return key;
  }

  byte[] value() {
    return value;
  }

  /// The keys of this caller up to the one picked.
  Range part() {
    return own.intersect(Range.atMost(key));
  }

  OrderedMap<String, String> map() {
    return map;
  }

  /// A name that no other call uses.
  String otherName() {
    return "other-" + number + "-" + others++;
  }

  /// Where this caller's backups go.
  Path backups() {
    return directory.resolve("backups-" + number);
  }

  /// The point is among the backups of this caller.
  void requireRestorable(BackupPoint point) {
    assertThat(Backups.at(backups()).points()).contains(point);
  }

  /// Another store.
  Store openOther() {
    return Store.open(directory.resolve(otherName()), Stores.tiny());
  }

  /// The key has the value now.
  void wrote() {
    model.put(key, value);
  }

  /// The key is gone now.
  void removed() {
    model.remove(key);
  }

  /// The keys of a range are gone now.
  void removed(Range range, long count) {
    NavigableMap<byte[], byte[]> gone = expected(range);
    assertThat(count).isEqualTo(gone.size());
    gone.clear();
  }

  /// The value that the key must have, or null.
  byte @Nullable [] expected() {
    return model.get(key);
  }

  /// A view of the entries that a range of the own keys must have.
  NavigableMap<byte[], byte[]> expected(Range range) {
    return model.subMap(range.from(), true, range.to(), false);
  }

  void requireExpected(byte @Nullable [] found) {
    assertThat(found).isEqualTo(expected());
  }

  /// Holds a scan to the model.
  void requireEntries(Range range, Iterable<Entry> scan) {
    Model found = new Model();
    scan.forEach(entry -> found.put("s", entry.key(), entry.value()));
    Model wanted = new Model();
    expected(range).forEach((there, bytes) -> wanted.put("s", there, bytes));
    wanted.requireEqual(found, "scan of " + range);
  }

  /// Holds a cursor's move to the model.
  void requireMoved(Cursor cursor, boolean moved, Map.@Nullable Entry<byte[], byte[]> to) {
    assertThat(moved).isEqualTo(to != null);
    if (to != null) {
      assertThat(cursor.key()).isEqualTo(to.getKey());
      assertThat(cursor.value()).isEqualTo(to.getValue());
    }
  }

  /// Runs a call on the map and on one of the JDK's: both must give the same.
  void onMaps(BiFunction<ConcurrentNavigableMap<String, String>, String, @Nullable Object> call) {
    assertThat(result(map, call)).isEqualTo(result(mapModel, call));
  }

  private @Nullable Object result(
      ConcurrentNavigableMap<String, String> target,
      BiFunction<ConcurrentNavigableMap<String, String>, String, @Nullable Object> call) {
    try {
      Object result = call.apply(target, text);
      return switch (result) {
        case Map<?, ?> view -> new ArrayList<>(view.entrySet());
        case Iterable<?> view -> copy(view);
        case null, default -> result;
      };
    } catch (UnsupportedOperationException | NoSuchElementException e) {
      return e.getClass();
    }
  }

  private static List<Object> copy(Iterable<?> items) {
    List<Object> copy = new ArrayList<>();
    items.forEach(copy::add);
    return copy;
  }

  /// Holds a store that was opened again to all that was acknowledged.
  void requireAll(Store reopened) {
    requireEntries(own, reopened.space("shared").scan(own));
    assertThat(map(reopened)).isEqualTo(mapModel);
  }
}
