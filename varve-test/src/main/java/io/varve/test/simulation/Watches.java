package io.varve.test.simulation;

import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Visibility;
import io.varve.Watch;
import io.varve.Watch.Committed;
import io.varve.test.Change;
import io.varve.test.simulation.Calls.Effect;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Steps that watch a space which one actor alone changes: so it is known exactly what must be
/// reported. Others commit, and crash the store, concurrently.
final class Watches {
  private static final int CHANGES_MAX = 4;
  private static final int BYTES_MAX = 1 << 20;

  /// Values up to this length are in the log with any ring.
  private static final int LOGGED_BYTES_MIN = 128 << 10;

  private final Calls calls;
  private final Choices choices;
  private final String name;

  /// @param owner the number of the actor
  Watches(Calls calls, Choices choices, int owner) {
    this.calls = calls;
    this.choices = choices;
    this.name = "watched-" + owner;
  }

  void step() {
    Space space = calls.call("space", Effect.NONE, () -> calls.store().space(name)).result();
    Watch watch = calls.call("watch", Effect.NONE, () -> watch(space)).result();
    start(watch, space);
    for (int i = choices.number(CHANGES_MAX); i >= 0; i--) {
      NavigableMap<byte[], byte[]> before = entries();
      change(space);
      boolean[] missed = new boolean[1];
      look("watched next", () -> missed[0] = isMissed(watch, before));
      if (missed[0]) {
        start(watch, space);
      }
      calls.threads().giveTurn();
    }
    if (choices.oneIn(3)) {
      start(watch, space);
    }
    look("watched close", watch::close);
  }

  private Watch watch(Space space) {
    return switch (choices.number(3)) {
      case 0 -> calls.store().watch(space);
      case 1 -> calls.store().watch(space, Visibility.DURABLE, BYTES_MAX);
      default -> calls.store().watch(space, Visibility.APPLIED, BYTES_MAX);
    };
  }

  private void look(String what, Runnable work) {
    calls.call(
        what,
        Effect.NONE,
        () -> {
          work.run();
          return true;
        });
  }

  private NavigableMap<byte[], byte[]> entries() {
    NavigableMap<byte[], byte[]> entries = new TreeMap<>(Arrays::compareUnsigned);
    entries.putAll(calls.timeline().now().entries(name));
    return entries;
  }

  private void start(Watch watch, Space space) {
    NavigableMap<byte[], byte[]> entries = entries();
    look(
        "watched start",
        () -> {
          try (Snapshot snapshot = watch.start()) {
            require(snapshot.count(space, Range.all()) == entries.size(), "entries at the start");
          }
          require(watch.next(Duration.ZERO) == null, "no change");
        });
  }

  private void change(Space space) {
    byte[] key = choices.key();
    byte[] value = choices.value();
    switch (choices.number(4)) {
      case 0 ->
          call("watched delete", List.of(new Change.Delete(name, key)), () -> space.delete(key));
      case 1 -> {
        byte[] second = choices.key();
        List<Change> changes =
            List.of(new Change.Put(name, key, value), new Change.Delete(name, second));
        call(
            "watched transact",
            changes,
            () ->
                calls
                    .store()
                    .transact(tx -> {
                      tx.put(space, key, value);
                      tx.delete(space, second);
                    }));
      }
      default ->
          call(
              "watched put",
              List.of(new Change.Put(name, key, value)),
              () -> space.put(key, value));
    }
  }

  private void call(String what, List<Change> changes, Runnable work) {
    calls.call(
        what,
        _ -> changes,
        () -> {
          work.run();
          return true;
        });
  }

  /// Whether a change was missed, because its value was in the page file alone. Any other must be
  /// reported.
  private boolean isMissed(Watch watch, NavigableMap<byte[], byte[]> entries) {
    Committed reported = watch.next(Duration.ZERO);
    if (reported != null && reported.areMissed()) {
      require(entries().values().stream().anyMatch(Watches::mayBeMissed), "all changes");
      return true;
    }
    if (reported != null) {
      for (Watch.Change change : reported.changes()) {
        byte[] before = entries.get(change.key());
        require(change.wasPresent() == (before != null), "presence before");
        require(change.before() == null || Arrays.equals(before, change.before()), "value before");
        set(entries, change.key(), change.after());
      }
      require(watch.next(Duration.ZERO) == null, "one commit");
    }
    require(isSame(entries, entries()), "state after the changes");
    return false;
  }

  private static boolean mayBeMissed(byte[] value) {
    return value.length > LOGGED_BYTES_MIN;
  }

  private static void set(
      NavigableMap<byte[], byte[]> entries, byte[] key, byte @Nullable [] value) {
    if (value == null) {
      entries.remove(key);
    } else {
      entries.put(key, value);
    }
  }

  private static boolean isSame(
      NavigableMap<byte[], byte[]> left, NavigableMap<byte[], byte[]> right) {
    return left.size() == right.size()
        && left.entrySet().stream()
            .allMatch(entry -> Arrays.equals(entry.getValue(), right.get(entry.getKey())));
  }

  private void require(boolean right, String what) {
    if (!right) {
      throw new AssertionError("watch reports otherwise: space=" + name + ", wanted=" + what);
    }
  }
}
