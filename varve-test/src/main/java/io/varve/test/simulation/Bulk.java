package io.varve.test.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.Durability;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.test.Change;
import io.varve.test.simulation.Calls.Effect;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/// A space that holds more than the cache or the log, and steps that use it: runs of keys put in
/// one commit, overwritten and deleted, and reads here and there.
final class Bulk {
  static final String SPACE = "bulk";

  private static final int PUTS_MAX = 1000;
  private static final int RANGE_MAX = 200;

  private final Calls calls;
  private final Choices choices;
  private final Sizes sizes;

  Bulk(Calls calls, Choices choices, Sizes sizes) {
    this.calls = calls;
    this.choices = choices;
    this.sizes = sizes;
  }

  /// Puts all that is to be there, in order.
  void load() {
    int count = count();
    for (int i = 0; i < count && !calls.isOver(); ) {
      int puts = puts();
      put(i, Math.min(puts, count - i));
      i += puts;
    }
  }

  private int count() {
    return Math.toIntExact(sizes.bulkBytes() / sizes.bulkValueBytes());
  }

  /// How many of one commit: few, or as many as it may have.
  private int puts() {
    int most = Math.clamp(Sizes.COMMIT_BYTES_MAX / 2 / sizes.bulkValueBytes(), 1, PUTS_MAX);
    return 1 + choices.number(choices.oneIn(3) ? Math.min(4, most) : most);
  }

  void step() {
    int from = choices.number(count());
    switch (choices.number(8)) {
      case 0, 1 -> put(from, puts());
      case 2 -> putScattered();
      case 3, 4 -> get(from);
      case 5, 6 -> scan(Range.of(key(from), key(from + 1 + choices.number(RANGE_MAX))));
      default -> deleteRange(from);
    }
  }

  private static byte[] key(int number) {
    return "%08d".formatted(number).getBytes(UTF_8);
  }

  private byte[] value() {
    byte[] start = choices.label().getBytes(UTF_8);
    return Arrays.copyOf(start, Math.max(start.length, sizes.bulkValueBytes()));
  }

  private Space space() {
    return calls.call("space", Effect.NONE, () -> calls.store().space(SPACE)).result();
  }

  private void put(int from, int count) {
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      changes.add(new Change.Put(SPACE, key(from + i), value()));
    }
    commit("bulk put", changes);
  }

  /// One page for each.
  private void putScattered() {
    Map<Integer, Change> changes = new HashMap<>();
    for (int i = puts(); i > 0; i--) {
      int number = choices.number(count());
      changes.put(number, new Change.Put(SPACE, key(number), value()));
    }
    commit("bulk scattered", List.copyOf(changes.values()));
  }

  private void commit(String what, List<Change> changes) {
    Space space = space();
    Durability durability = choices.durability();
    calls.commit(
        what,
        durability,
        _ -> changes,
        () ->
            calls
                .store()
                .transact(
                    durability,
                    transaction -> changes.forEach(change -> change.applyTo(transaction, space))));
  }

  private void deleteRange(int from) {
    Space space = space();
    int share = choices.oneIn(4) ? count() : RANGE_MAX;
    Range range = Range.of(key(from), key(from + 1 + choices.number(share)));
    calls.call(
        "bulk deleteRange",
        _ -> List.of(new Change.DeleteRange(SPACE, range)),
        () -> space.deleteRange(range));
  }

  private void get(int number) {
    Space space = space();
    byte[] key = key(number);
    var done = calls.call("bulk get", Effect.NONE, () -> space.get(key));
    if (!calls.timeline().wasWithin(done.fromLsn(), done.toLsn(), SPACE, key, done.result())) {
      throw new AssertionError("value read was not there: space=" + SPACE + ", key=" + number);
    }
  }

  private void scan(Range range) {
    Space space = space();
    long[] lsn = new long[1];
    List<Entry> found =
        calls
            .call(
                "bulk scan",
                Effect.NONE,
                () -> {
                  List<Entry> entries = new ArrayList<>();
                  try (Snapshot snapshot = calls.store().snapshot()) {
                    lsn[0] = snapshot.lastCommit().lsn();
                    snapshot.scan(space, range).forEach(entries::add);
                  }
                  return entries;
                })
            .result();
    Iterator<Entry> entries = found.iterator();
    calls
        .timeline()
        .entriesAt(lsn[0], SPACE, range)
        .forEach((key, value) -> requireNext(entries, key, value));
    if (entries.hasNext()) {
      throw new AssertionError("scan shows an entry too much: range=" + range);
    }
  }

  private static void requireNext(Iterator<Entry> entries, byte[] key, byte[] value) {
    Entry entry = entries.hasNext() ? entries.next() : null;
    if (entry == null || !Arrays.equals(entry.key(), key) || !Arrays.equals(entry.value(), value)) {
      throw new AssertionError(
          "scan misses an entry, or shows another: key=" + new String(key, UTF_8));
    }
  }
}
