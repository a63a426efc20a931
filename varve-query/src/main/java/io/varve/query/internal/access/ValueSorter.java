package io.varve.query.internal.access;

import io.varve.query.Values;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Sorting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Sorts answers, or what groups are made of, by values within a budget of memory; what is more
/// goes to temporary files. Those that are equal in the order stay in that in which they were
/// added.
///
/// Values that no bytes order, of classes of the program, are sorted in memory and merged with the
/// others (ORDER-1).
///
/// For one thread. Close it; what it gives is closed with it.
public final class ValueSorter implements AutoCloseable {
  private final List<Sorting> order;

  /// Whether all values that are not equal have an order, those of classes of the program too.
  private final boolean areEqualTogether;

  private final List<PartCodec> codecs;
  private final KeySorter sorter;
  private final ExactValues exact = new ExactValues();
  private final List<Entry> inMemory = new ArrayList<>();
  private long added;
  private @Nullable SortedRun run;
  private @Nullable Iterator<Entry> rest;
  private @Nullable Entry nextOfRun;
  private @Nullable Entry nextInMemory;

  /// An answer, or a part of a group.
  ///
  /// @param by what it is sorted by, in its normal form
  /// @param values that go with it
  /// @param number of those that were added before it
  public record Entry(@Nullable Object[] by, @Nullable Object[] values, long number) {}

  /// Nothing yet.
  ///
  /// @param order of the values; what they are computed of does not matter
  public ValueSorter(List<Sorting> order, SortSettings settings) {
    this(order, false, settings);
  }

  private ValueSorter(List<Sorting> order, boolean areEqualTogether, SortSettings settings) {
    this.order = order;
    this.areEqualTogether = areEqualTogether;
    this.sorter = new KeySorter(settings, new Meter());
    this.codecs =
        order.stream()
            .map(sorting ->
                new PartCodec(
                    sorting.isDescending(),
                    sorting.nullsFirst() ? NullOrder.FIRST : NullOrder.LAST,
                    null,
                    Integer.MAX_VALUE))
            .toList();
  }

  /// Nothing yet, to be sorted so that those with equal values come together: in the order of
  /// [Values#compare], which knows more than an `order by` does.
  ///
  /// @param count of the values
  public static ValueSorter together(int count, SortSettings settings) {
    var ascending = new Sorting(Expression.Literal.TRUE, false, true);
    return new ValueSorter(Collections.nCopies(count, ascending), true, settings);
  }

  /// Adds values, before any are read.
  public void add(@Nullable Object[] by, @Nullable Object[] values) {
    var key = new ByteSink();
    boolean isOrdered = true;
    for (int index = 0; index < by.length; index++) {
      isOrdered &= codecs.get(index).write(by[index], key) < 0;
    }
    if (isOrdered) {
      key.addBigEndian(added, Long.BYTES);
      sorter.add(key.toBytes(), payload(by, values));
    } else {
      inMemory.add(new Entry(by, values, added));
    }
    added++;
  }

  private byte[] payload(@Nullable Object[] by, @Nullable Object[] values) {
    var sink = new ByteSink().addBigEndian(values.length, Integer.BYTES);
    for (Object value : by) {
      exact.write(value, sink);
    }
    for (Object value : values) {
      exact.write(value, sink);
    }
    return sink.toBytes();
  }

  /// The next entry in order, which stays the next one, or null if there is none.
  public @Nullable Entry peek() {
    if (run == null) {
      run = sorter.sorted();
      inMemory.sort(this::compare);
      rest = inMemory.iterator();
      nextOfRun = read(run);
      nextInMemory = rest.hasNext() ? rest.next() : null;
    }
    return isRunNext() ? nextOfRun : nextInMemory;
  }

  /// Moves on to the entry after that one.
  ///
  /// @return the entry that was the next one, or null if there was none
  public @Nullable Entry poll() {
    Entry entry = peek();
    if (entry != null && isRunNext() && run != null) {
      nextOfRun = read(run);
    } else if (rest != null) {
      nextInMemory = rest.hasNext() ? rest.next() : null;
    }
    return entry;
  }

  private boolean isRunNext() {
    return nextOfRun != null && (nextInMemory == null || compare(nextOfRun, nextInMemory) < 0);
  }

  private int compare(Entry left, Entry right) {
    for (int index = 0; index < order.size(); index++) {
      Object mine = left.by()[index];
      Object its = right.by()[index];
      int by = areEqualTogether ? Values.compare(mine, its) : order.get(index).compare(mine, its);
      if (by != 0) {
        return by;
      }
    }
    return Long.compare(left.number(), right.number());
  }

  private @Nullable Entry read(SortedRun from) {
    if (!from.next()) {
      return null;
    }
    byte[] key = from.key();
    byte[] number = Arrays.copyOfRange(key, key.length - Long.BYTES, key.length);
    var reader = new PartReader(from.payload());
    @Nullable Object[] values = new @Nullable Object[(int) reader.nextBigEndian(Integer.BYTES)];
    @Nullable Object[] by = new @Nullable Object[order.size()];
    fill(by, reader);
    fill(values, reader);
    return new Entry(by, values, new PartReader(number).nextBigEndian(Long.BYTES));
  }

  private void fill(@Nullable Object[] values, PartReader reader) {
    for (int index = 0; index < values.length; index++) {
      values[index] = exact.read(reader);
    }
  }

  @Override
  public void close() {
    if (run == null) {
      sorter.close();
    } else {
      run.close();
    }
  }
}
