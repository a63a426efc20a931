package io.varve.test.simulation;

import io.varve.Cursor;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Visibility;
import io.varve.test.simulation.Calls.Effect;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/// Steps that take, read, keep and close snapshots. One must always show exactly what was committed
/// up to its LSN, however long ago.
final class Snapshots {
  private static final int OPEN_MAX = 3;

  private final Calls calls;
  private final Choices choices;
  private final List<Snapshot> open = new ArrayList<>();

  Snapshots(Calls calls, Choices choices) {
    this.calls = calls;
    this.choices = choices;
  }

  void step() {
    if (open.isEmpty() || (open.size() < OPEN_MAX && choices.oneIn(3))) {
      take(choices.oneIn(3) ? Visibility.DURABLE : Visibility.APPLIED);
      return;
    }
    Snapshot snapshot = open.get(choices.number(open.size()));
    if (choices.oneIn(3)) {
      open.remove(snapshot);
      close(snapshot);
    } else {
      read(snapshot);
    }
  }

  private void take(Visibility visibility) {
    var done =
        calls.call("snapshot " + visibility, Effect.NONE, () -> calls.store().snapshot(visibility));
    Snapshot snapshot = done.result();
    open.add(snapshot);
    long lsn = snapshot.lastCommit().lsn();
    if (lsn > done.toLsn() || (visibility == Visibility.APPLIED && lsn < done.fromLsn())) {
      throw new AssertionError(
          "snapshot shows another point: lsn=%d, fromLsn=%d, toLsn=%d"
              .formatted(lsn, done.fromLsn(), done.toLsn()));
    }
    if (visibility == Visibility.DURABLE) {
      calls.promises().durable(lsn);
    }
    read(snapshot);
  }

  private void read(Snapshot snapshot) {
    String name = choices.space();
    Space space = calls.call("find", Effect.NONE, () -> calls.store().findSpace(name)).result();
    if (space == null || calls.timeline().droppedSince(snapshot.lastCommit().lsn(), name)) {
      return;
    }
    if (choices.oneIn(2)) {
      byte[] key = choices.key();
      byte[] value =
          calls.call("snapshot get", Effect.NONE, () -> snapshot.get(space, key)).result();
      if (!Arrays.equals(value, calls.timeline().at(snapshot.lastCommit().lsn(), name, key))) {
        throw new AssertionError(
            "snapshot gives a value that is not of its point: lsn=" + snapshot.lastCommit().lsn());
      }
      return;
    }
    Range range = choices.range();
    boolean forwards = choices.oneIn(2);
    List<Entry> found =
        calls
            .call("snapshot scan", Effect.NONE, () -> entries(snapshot, space, range, forwards))
            .result();
    requireSame(snapshot, name, range, forwards ? found : found.reversed());
  }

  private List<Entry> entries(Snapshot snapshot, Space space, Range range, boolean forwards) {
    List<Entry> entries = new ArrayList<>();
    try (Cursor cursor = snapshot.cursor(space, range)) {
      for (boolean on = forwards ? cursor.first() : cursor.last();
          on;
          on = forwards ? cursor.next() : cursor.previous()) {
        entries.add(cursor.entry());
        if (choices.oneIn(8)) {
          calls.threads().giveTurn();
        }
      }
    }
    if (snapshot.count(space, range) != entries.size()) {
      throw new AssertionError(
          "snapshot counts other than it shows: lsn=" + snapshot.lastCommit().lsn());
    }
    return entries;
  }

  private void requireSame(Snapshot snapshot, String space, Range range, List<Entry> found) {
    Iterator<Entry> entries = found.iterator();
    for (Map.Entry<byte[], byte[]> expected :
        calls.timeline().entriesAt(snapshot.lastCommit().lsn(), space, range).entrySet()) {
      if (!entries.hasNext()) {
        throw new AssertionError("snapshot misses an entry: lsn=" + snapshot.lastCommit().lsn());
      }
      Entry entry = entries.next();
      if (!Arrays.equals(entry.key(), expected.getKey())
          || !Arrays.equals(entry.value(), expected.getValue())) {
        throw new AssertionError(
            "snapshot shows another entry than was there: lsn=" + snapshot.lastCommit().lsn());
      }
    }
    if (entries.hasNext()) {
      throw new AssertionError(
          "snapshot shows an entry too much: lsn=" + snapshot.lastCommit().lsn());
    }
  }

  private void close(Snapshot snapshot) {
    calls.call(
        "close snapshot",
        Effect.NONE,
        () -> {
          snapshot.close();
          return true;
        });
  }

  /// Closes what is open.
  void end() {
    open.forEach(this::close);
    open.clear();
  }
}
