package io.varve.test.simulation;

import io.varve.Commit;
import io.varve.ConflictException;
import io.varve.Cursor;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Space;
import io.varve.Transaction;
import io.varve.TransactionPoint;
import io.varve.test.Change;
import io.varve.test.simulation.Calls.Done;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What one transaction reads and writes. Its reads must show one point of the commit order and its
/// own writes over that. When it commits, what it read must still be so (serializability). A
/// conflict must have a cause.
final class TransactionBody {
  private final Calls calls;
  private final Choices choices;
  private final List<Space> spaces;

  /// A range that was read.
  private record Read(String space, Range range) {}

  private final List<Read> reads = new ArrayList<>();
  private final List<Change> writes = new ArrayList<>();

  /// Which points the reads may show.
  private List<Long> points = List.of();

  TransactionBody(Calls calls, Choices choices, List<Space> spaces) {
    this.calls = calls;
    this.choices = choices;
    this.spaces = spaces;
  }

  /// Reads and writes at random. Returns nothing of interest.
  boolean run(Transaction transaction) {
    for (int i = choices.number(7); i > 0; i--) {
      Space space = spaces.get(choices.number(spaces.size()));
      switch (choices.number(9)) {
        case 0, 1 -> get(transaction, space, choices.key());
        case 2 -> scan(transaction, space, choices.range());
        case 3 -> deleteRange(transaction, space, choices.range());
        case 4 -> write(transaction, space, new Change.Delete(space.name(), choices.key()));
        default ->
            write(transaction, space, new Change.Put(space.name(), choices.key(), choices.value()));
      }
      calls.threads().giveTurn();
    }
    return true;
  }

  private void write(Transaction transaction, Space space, Change change) {
    change.applyTo(transaction, space);
    writes.add(change);
  }

  private void get(Transaction transaction, Space space, byte[] key) {
    long fromLsn = calls.lowLsn();
    byte[] value = readsByPoint() ? byPoint(transaction, space, key) : transaction.get(space, key);
    if (writes.stream().anyMatch(change -> touches(change, space, key))) {
      NavigableMap<byte[], byte[]> own = new TreeMap<>(Arrays::compareUnsigned);
      overlayAll(own, new Read(space.name(), Range.exactly(key)));
      if (!Arrays.equals(value, own.get(key))) {
        throw new AssertionError("transaction does not read what it wrote: space=" + space.name());
      }
      return; // of its own writes, and so no read of the store
    }
    saw(space, Range.exactly(key), fromLsn, value == null ? Map.of() : Map.of(key, value));
  }

  private static byte @Nullable [] byPoint(Transaction transaction, Space space, byte[] key) {
    TransactionPoint point = transaction.point();
    byte[] value = point.get(space, key);
    if (point.isWritten(space, key)) {
      throw new AssertionError("written since a point that is now: space=" + space.name());
    }
    return value;
  }

  private static boolean touches(Change change, Space space, byte[] key) {
    return change.space().equals(space.name())
        && switch (change) {
          case Change.Put(_, var put, _) -> Arrays.equals(put, key);
          case Change.Delete(_, var deleted) -> Arrays.equals(deleted, key);
          case Change.DeleteRange(_, var range) -> range.contains(key);
          case Change.DropSpace _ -> true;
        };
  }

  /// Whether the next read is that of a point of the transaction, which shows the same now. Asks
  /// for no random number, so that a seed keeps its history.
  private boolean readsByPoint() {
    return reads.size() % 3 == 2;
  }

  private void scan(Transaction transaction, Space space, Range range) {
    long fromLsn = calls.lowLsn();
    NavigableMap<byte[], byte[]> seen = new TreeMap<>(Arrays::compareUnsigned);
    if (readsByPoint()) {
      try (Cursor cursor = transaction.point().cursor(space, range)) {
        while (cursor.next()) {
          seen.put(cursor.key(), cursor.value());
        }
      }
    } else {
      for (Entry entry : transaction.scan(space, range)) {
        seen.put(entry.key(), entry.value());
      }
    }
    saw(space, range, fromLsn, seen);
  }

  /// Returns how many keys it removes, and so is a read as well.
  private void deleteRange(Transaction transaction, Space space, Range range) {
    scan(transaction, space, range);
    int expected = shownAt(points.getFirst(), new Read(space.name(), range)).size();
    long count = transaction.deleteRange(space, range);
    if (count != expected) {
      throw new AssertionError(
          "deleteRange of a transaction gives another number of keys: found=%d, expected=%d"
              .formatted(count, expected));
    }
    writes.add(new Change.DeleteRange(space.name(), range));
  }

  private void saw(Space space, Range range, long fromLsn, Map<byte[], byte[]> seen) {
    if (reads.isEmpty()) {
      points = calls.timeline().pointsWithin(fromLsn, calls.highLsn());
    }
    Read read = new Read(space.name(), range);
    reads.add(read);
    List<Long> before = points;
    points = before.stream().filter(lsn -> same(shownAt(lsn, read), seen)).toList();
    if (points.isEmpty()) {
      throw new AssertionError(
          "reads of a transaction show no single point: space=%s, range=%s, points=%s"
              .formatted(space.name(), range, before));
    }
  }

  /// What this transaction must show of a range if its reads are of that point.
  private NavigableMap<byte[], byte[]> shownAt(long lsn, Read read) {
    NavigableMap<byte[], byte[]> shown = calls.timeline().entriesAt(lsn, read.space, read.range);
    overlayAll(shown, read);
    return shown;
  }

  private void overlayAll(NavigableMap<byte[], byte[]> shown, Read read) {
    for (Change change : writes) {
      if (change.space().equals(read.space)) {
        overlay(shown, read.range, change);
      }
    }
  }

  private static void overlay(NavigableMap<byte[], byte[]> shown, Range range, Change change) {
    switch (change) {
      case Change.Put(_, var key, var value) -> {
        if (range.contains(key)) {
          shown.put(key, value);
        }
      }
      case Change.Delete(_, var key) -> shown.remove(key);
      case Change.DeleteRange(_, var gone) -> shown.keySet().removeIf(gone::contains);
      case Change.DropSpace _ -> throw new IllegalStateException("no transaction drops a space");
    }
  }

  private static boolean same(Map<byte[], byte[]> expected, Map<byte[], byte[]> found) {
    return expected.size() == found.size()
        && found.entrySet().stream()
            .allMatch(entry -> Arrays.equals(entry.getValue(), expected.get(entry.getKey())));
  }

  /// What the commit changes. It is being applied: what was read must be true now.
  List<Change> effect(Timeline before) {
    if (!reads.isEmpty() && points.stream().noneMatch(lsn -> stillAsAt(before, lsn))) {
      throw new AssertionError(
          "transaction commits though what it read has changed: points=%s, lastLsn=%d"
              .formatted(points, before.last()));
    }
    return writes;
  }

  private boolean stillAsAt(Timeline before, long lsn) {
    return reads.stream()
        .allMatch(read ->
            same(
                before.entriesAt(lsn, read.space, read.range),
                before.now().entries(read.space, read.range)));
  }

  /// Checks what a commit returned: of one without writes, the point that its reads saw.
  void requireRight(Done<Commit> done) {
    if (!done.committed() && !reads.isEmpty()) {
      long lsn = done.result().lsn();
      if (reads.stream()
          .anyMatch(read ->
              points.stream()
                  .noneMatch(point ->
                      same(
                          calls.timeline().entriesAt(point, read.space, read.range),
                          calls.timeline().entriesAt(lsn, read.space, read.range))))) {
        throw new AssertionError("reads do not show the point that the transaction gives: " + lsn);
      }
    }
  }

  /// Checks that what was read has been changed since.
  void requireConflict(ConflictException e) {
    boolean changed =
        reads.stream()
            .anyMatch(read ->
                calls
                    .timeline()
                    .changedWithin(
                        points.getFirst(), calls.highLsn(), read.space, read.range::contains));
    if (!changed) {
      throw new AssertionError("conflict though nothing that was read has changed", e);
    }
  }
}
