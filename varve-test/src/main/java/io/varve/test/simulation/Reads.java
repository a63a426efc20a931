package io.varve.test.simulation;

import io.varve.Cursor;
import io.varve.Decoder;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Space;
import io.varve.spi.NonBlockingSpace;
import io.varve.test.simulation.Calls.Done;
import io.varve.test.simulation.Calls.Effect;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Steps that read the live store. A value read must have been there at some point between the
/// begin of the call and its end; a cursor must show what was there all the time.
final class Reads {
  private static final Decoder<byte[]> COPY = value -> value.toArray(ValueLayout.JAVA_BYTE);

  private final Calls calls;
  private final Choices choices;

  Reads(Calls calls, Choices choices) {
    this.calls = calls;
    this.choices = choices;
  }

  void step() {
    String name = choices.space();
    Space space = calls.call("find", Effect.NONE, () -> calls.store().findSpace(name)).result();
    if (space == null) {
      return;
    }
    byte[] key = choices.key();
    switch (choices.number(8)) {
      case 0, 1 -> requireRead(read("get", () -> get(space, key)), space, key);
      case 2 -> requireRead(read("get decoded", () -> space.get(key, COPY)), space, key);
      case 3 -> contains(space, key);
      case 4 -> getAll(space);
      case 5 -> requireRead(read("read", () -> stream(space, key)), space, key);
      case 6 -> count(space, choices.range());
      default -> scanOrEnd(space, choices.range());
    }
  }

  /// Reads one key, of a space that may not be there.
  void get() {
    String name = choices.space();
    Space space = calls.call("find", Effect.NONE, () -> calls.store().findSpace(name)).result();
    if (space != null) {
      byte[] key = choices.key();
      requireRead(read("get", () -> get(space, key)), space, key);
    }
  }

  /// Reads half of the keys without waiting where that is possible.
  private static byte @Nullable [] get(Space space, byte[] key) {
    if ((Arrays.hashCode(key) & 1) == 0) {
      byte @Nullable [][] found = new byte[1][];
      if (NonBlockingSpace.of(space).tryGet(key, value -> found[0] = value)) {
        return found[0];
      }
    }
    return space.get(key);
  }

  private <T extends @Nullable Object> Done<T> read(String what, Supplier<T> work) {
    return calls.call(what, Effect.NONE, work);
  }

  private void requireRead(Done<byte @Nullable []> done, Space space, byte[] key) {
    requireWithin(done, space, key, done.result());
  }

  private void requireWithin(Done<?> done, Space space, byte[] key, byte @Nullable [] value) {
    if (!calls.timeline().wasWithin(done.fromLsn(), done.toLsn(), space.name(), key, value)) {
      throw new AssertionError(
          "value read was not there: space=%s, fromLsn=%d, toLsn=%d, found=%s"
              .formatted(
                  space.name(),
                  done.fromLsn(),
                  done.toLsn(),
                  value == null ? "absent" : value.length + " bytes"));
    }
  }

  private void contains(Space space, byte[] key) {
    Done<Boolean> done = read("contains", () -> space.contains(key));
    boolean was =
        calls.timeline().pointsWithin(done.fromLsn(), done.toLsn()).stream()
            .anyMatch(
                lsn -> (calls.timeline().at(lsn, space.name(), key) != null) == done.result());
    if (!was) {
      throw new AssertionError("contains was never true of the key: " + done.result());
    }
  }

  private void getAll(Space space) {
    List<byte[]> keys = new ArrayList<>();
    for (int i = choices.number(8); i >= 0; i--) {
      keys.add(choices.key());
    }
    var done = read("getAll", () -> space.getAll(keys));
    for (int i = 0; i < keys.size(); i++) {
      requireWithin(done, space, keys.get(i), done.result().get(i));
    }
  }

  private byte @Nullable [] stream(Space space, byte[] key) {
    try (InputStream stream = space.read(key)) {
      if (stream == null) {
        return null;
      }
      calls.threads().giveTurn();
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void count(Space space, Range range) {
    Done<Long> done = read("count", () -> space.count(range));
    boolean was =
        calls.timeline().pointsWithin(done.fromLsn(), done.toLsn()).stream()
            .anyMatch(lsn ->
                calls.timeline().entriesAt(lsn, space.name(), range).size() == done.result());
    if (!was) {
      throw new AssertionError("count is that of no point: found=" + done.result());
    }
  }

  /// Of some ranges, the first and last entry alone. Which ones depends on the range: so the
  /// choices of other steps stay as they are.
  private void scanOrEnd(Space space, Range range) {
    switch (Math.floorMod(Arrays.hashCode(range.from()), 8)) {
      case 0 -> end(space, range, "first", () -> space.first(range));
      case 1 -> end(space, range, "last", () -> space.last(range));
      default -> scan(space, range);
    }
  }

  private void end(Space space, Range range, String what, Supplier<@Nullable Entry> work) {
    Done<@Nullable Entry> done = read(what, work);
    Entry entry = done.result();
    var found = new TreeMap<byte[], byte[]>(Arrays::compareUnsigned);
    Range passed = range;
    if (entry != null) {
      if (!range.contains(entry.key())) {
        throw new AssertionError(what + " gives a key outside of its range");
      }
      found.put(entry.key(), entry.value());
      requireWithin(done, space, entry.key(), entry.value());
      byte[] end = entry.key();
      passed = range.intersect(what.equals("first") ? Range.atMost(end) : Range.atLeast(end));
    }
    requireLasting(done, space, passed, found);
  }

  private void scan(Space space, Range range) {
    boolean forwards = !choices.oneIn(3);
    Done<List<Entry>> done = read("scan", () -> entries(space, range, forwards));
    byte[] last = null;
    var found = new TreeMap<byte[], byte[]>(Arrays::compareUnsigned);
    for (Entry entry : done.result()) {
      byte[] key = entry.key();
      if (last != null && (Arrays.compareUnsigned(last, key) < 0) != forwards) {
        throw new AssertionError("cursor gives keys out of order");
      }
      if (!range.contains(key)) {
        throw new AssertionError("cursor gives a key outside of its range");
      }
      last = key;
      found.put(key, entry.value());
      requireWithin(done, space, key, entry.value());
    }
    requireLasting(done, space, range, found);
  }

  /// What had one value all the time that the scan took must be found.
  private void requireLasting(Done<?> done, Space space, Range range, Map<byte[], byte[]> found) {
    calls
        .timeline()
        .entriesAt(done.fromLsn(), space.name(), range)
        .forEach((key, _) -> {
          boolean lasting =
              !calls
                  .timeline()
                  .changedWithin(
                      done.fromLsn(),
                      done.toLsn(),
                      space.name(),
                      changed -> Arrays.equals(changed, key));
          if (lasting && !found.containsKey(key)) {
            throw new AssertionError("cursor misses an entry that was there all the time");
          }
        });
  }

  private List<Entry> entries(Space space, Range range, boolean forwards) {
    List<Entry> entries = new ArrayList<>();
    long fromLsn = calls.lowLsn();
    try (Cursor cursor = space.cursor(range)) {
      for (boolean on = forwards ? cursor.first() : cursor.last();
          on;
          on = forwards ? cursor.next() : cursor.previous()) {
        addIfPresent(cursor, entries, space.name(), fromLsn);
        if (choices.oneIn(6)) {
          calls.threads().giveTurn();
        }
      }
    }
    return entries;
  }

  /// Adds the current entry. A large value is read when it is asked for, and may be gone by then.
  private void addIfPresent(Cursor cursor, List<Entry> entries, String space, long fromLsn) {
    byte[] key = cursor.key();
    try {
      entries.add(new Entry(key, cursor.value()));
    } catch (IllegalStateException e) {
      boolean changed =
          calls
              .timeline()
              .changedWithin(fromLsn, calls.highLsn(), space, other -> Arrays.equals(other, key));
      if (!changed) {
        throw e;
      }
    }
  }
}
