package io.varve.query.internal.run;

import io.varve.query.Values;
import io.varve.query.internal.access.SortSettings;
import io.varve.query.internal.access.ValueSorter;
import io.varve.query.internal.expr.Evaluation;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Numbers;
import io.varve.query.internal.expr.Scope;
import io.varve.query.internal.statement.Statement.Grouping;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Groups of rows, in the order of what they are grouped by, within a budget of memory.
///
/// - (GROUPS-1) Groups are computed in memory until these take half of the budget. From then on no
///   group comes in: what the rows of others add is sorted by group, and added when the group is
///   given. So no group is in both.
/// - (GROUPS-2) From then on no value that counts once is remembered either: those of all groups
///   are sorted, and added when their group is given.
final class Groups implements ScopeStream {
  /// About what a group takes in memory on top of its values, and each of its functions.
  private static final int GROUP_BYTES = 160;

  private static final int FUNCTION_BYTES = 64;
  private static final int SEEN_BYTES = 64;
  private static final @Nullable Object[] NONE = {};

  private final Grouping grouping;
  private final long bytesMax;
  private final ValueSorter others;
  private final ValueSorter distinct;
  private final TreeMap<List<@Nullable Object>, List<Accumulator>> inMemory =
      new TreeMap<>(Values::compare);
  private long bytes;
  private @Nullable Scope at;

  Groups(ScopeStream rows, Grouping grouping, SortSettings settings) {
    this.grouping = grouping;
    this.bytesMax = settings.memoryBytes() / 2;
    var part = new SortSettings(settings.memoryBytes() / 4, settings.directory());
    int keys = grouping.keys().size();
    this.others = ValueSorter.together(keys, part);
    this.distinct = ValueSorter.together(keys + 2, part);
    if (keys == 0) {
      inMemory.put(List.of(), accumulators());
    }
    boolean isRead = false;
    try (rows) {
      while (rows.next()) {
        add(rows.scope());
      }
      isRead = true;
    } finally {
      if (!isRead) {
        closeSorters();
      }
    }
  }

  private List<Accumulator> accumulators() {
    return grouping.aggregates().stream().map(Accumulator::new).toList();
  }

  private void add(Scope row) {
    List<@Nullable Object> key = new ArrayList<>(grouping.keys().size());
    for (Expression by : grouping.keys()) {
      key.add(Numbers.unsignedZero(Values.normal(Evaluation.value(by, row))));
    }
    boolean isFull = bytes > bytesMax;
    List<Accumulator> group = inMemory.get(key);
    if (group == null && !isFull) {
      group = accumulators();
      inMemory.put(key, group);
      bytes += GROUP_BYTES + HeldBytes.of(key) + (long) FUNCTION_BYTES * group.size();
    }
    @Nullable Object[] added = new @Nullable Object[grouping.aggregates().size()];
    for (int index = 0; index < added.length; index++) {
      Expression.Aggregate aggregate = grouping.aggregates().get(index);
      Object next = Accumulator.argument(aggregate, row);
      Accumulator accumulator = group == null ? null : group.get(index);
      if (next == null || (accumulator != null && accumulator.hasSeen(next))) {
        continue;
      }
      if (isFull && aggregate.isDistinct()) {
        distinct.add(Stream.concat(key.stream(), Stream.of((long) index, next)).toArray(), NONE);
      } else if (accumulator == null) {
        added[index] = next;
      } else if (accumulator.add(next)) {
        bytes += SEEN_BYTES + HeldBytes.of(next);
      }
    }
    if (group == null) {
      others.add(key.toArray(), added);
    }
  }

  @Override
  public boolean next() {
    Map.Entry<List<@Nullable Object>, List<Accumulator>> first = inMemory.firstEntry();
    ValueSorter.Entry other = others.peek();
    List<@Nullable Object> otherKey = other == null ? null : Arrays.asList(other.by());
    if (first != null && (otherKey == null || Values.compare(first.getKey(), otherKey) < 0)) {
      inMemory.remove(first.getKey());
      give(first.getKey(), first.getValue());
      return true;
    }
    if (otherKey == null) {
      at = null;
      return false;
    }
    List<Accumulator> group = accumulators();
    for (; other != null && isOf(otherKey, other); other = others.peek()) {
      for (int index = 0; index < group.size(); index++) {
        Object next = other.values()[index];
        if (next != null) {
          group.get(index).addNew(next);
        }
      }
      others.poll();
    }
    give(otherKey, group);
    return true;
  }

  private static boolean isOf(List<@Nullable Object> key, ValueSorter.Entry entry) {
    return Values.compare(key, Arrays.asList(entry.by()).subList(0, key.size())) == 0;
  }

  /// Adds the values that count once, which come in order, to a group that is to be given.
  private void give(List<@Nullable Object> key, List<Accumulator> group) {
    @Nullable Object[] last = null;
    ValueSorter.Entry entry = distinct.peek();
    for (; entry != null && isOf(key, entry); entry = distinct.peek()) {
      @Nullable Object[] by = entry.by();
      if (last == null || Values.compare(Arrays.asList(last), Arrays.asList(by)) != 0) {
        Object value = Objects.requireNonNull(by[key.size() + 1]);
        group.get(((Long) Objects.requireNonNull(by[key.size()])).intValue()).addNew(value);
      }
      last = by;
      distinct.poll();
    }
    at = scope(key, group);
  }

  private static Scope scope(List<@Nullable Object> key, List<Accumulator> accumulators) {
    return new Scope() {
      @Override
      public @Nullable Object key(int source) {
        throw new IllegalStateException("a group has no key");
      }

      @Override
      public @Nullable Object value(int source) {
        throw new IllegalStateException("a group has no value");
      }

      @Override
      public @Nullable Object slot(int index) {
        return index < key.size() ? key.get(index) : accumulators.get(index - key.size()).result();
      }
    };
  }

  @Override
  public Scope scope() {
    if (at == null) {
      throw new IllegalStateException("no group here");
    }
    return at;
  }

  private void closeSorters() {
    try (others) {
      distinct.close();
    }
  }

  @Override
  public void close() {
    at = null;
    closeSorters();
  }
}
