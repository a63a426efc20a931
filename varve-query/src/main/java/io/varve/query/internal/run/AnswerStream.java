package io.varve.query.internal.run;

import io.varve.query.Values;
import io.varve.query.internal.expr.Evaluation;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Scope;
import io.varve.query.internal.expr.Sorting;
import io.varve.query.internal.statement.Statement.Output;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Turns rows into answers: filters, computes the columns, drops what is equal, sorts, and cuts.
/// Rows stream unless they have to be sorted here; of a sort with a limit no more are held than are
/// given.
final class AnswerStream implements Answers {
  /// What is left to do with the rows.
  ///
  /// @param filter of rows
  /// @param order to sort by; empty if the rows come in order
  record Work(
      Expression filter,
      List<Output> outputs,
      boolean isDistinct,
      List<Sorting> order,
      long offset,
      long limit) {
    /// The first answers that are needed to know those given, or -1 for all.
    private int needed() {
      return limit > Integer.MAX_VALUE - 8 - Math.min(offset, Integer.MAX_VALUE - 8L)
          ? -1
          : (int) (offset + limit);
    }
  }

  /// An answer with the values that it is sorted by.
  private record Sorted(@Nullable Object[] values, @Nullable Object[] by, long number) {}

  private final ScopeStream rows;
  private final Work work;
  private final @Nullable TreeSet<List<@Nullable Object>> seen;
  private final @Nullable Iterator<Sorted> sorted;
  private @Nullable Object[] values = new @Nullable Object[0];
  private long before;
  private long rest;

  AnswerStream(ScopeStream rows, Work work) {
    this.rows = rows;
    this.work = work;
    this.seen = work.isDistinct() ? new TreeSet<>(Values::compare) : null;
    this.before = work.offset();
    this.rest = work.limit();
    this.sorted = work.order().isEmpty() ? null : sort();
  }

  private Iterator<Sorted> sort() {
    Comparator<Sorted> order = this::compare;
    int needed = work.needed();
    PriorityQueue<Sorted> kept = new PriorityQueue<>(order.reversed());
    long number = 0;
    while (needed != 0 && read()) {
      @Nullable Object[] by = new @Nullable Object[work.order().size()];
      for (int index = 0; index < by.length; index++) {
        by[index] = Values.normal(Evaluation.value(work.order().get(index).value(), rows.scope()));
      }
      kept.add(new Sorted(values, by, number++));
      if (needed > 0 && kept.size() > needed) {
        kept.poll();
      }
    }
    List<Sorted> all = new ArrayList<>(kept);
    all.sort(order);
    return all.iterator();
  }

  /// Answers that are equal in the order stay in that of the rows.
  private int compare(Sorted left, Sorted right) {
    for (int index = 0; index < work.order().size(); index++) {
      int order = work.order().get(index).compare(left.by()[index], right.by()[index]);
      if (order != 0) {
        return order;
      }
    }
    return Long.compare(left.number(), right.number());
  }

  @Override
  public boolean next() {
    for (; before > 0; before--) {
      if (!advance()) {
        return false;
      }
    }
    return rest-- > 0 && advance();
  }

  private boolean advance() {
    if (sorted == null) {
      return read();
    }
    if (!sorted.hasNext()) {
      return false;
    }
    values = sorted.next().values();
    return true;
  }

  /// Reads the next row that passes the filter and is not like one before.
  private boolean read() {
    while (rows.next()) {
      Scope row = rows.scope();
      if (!Evaluation.isTrue(work.filter(), row)) {
        continue;
      }
      @Nullable Object[] next = new @Nullable Object[work.outputs().size()];
      for (int index = 0; index < next.length; index++) {
        next[index] = Evaluation.value(work.outputs().get(index).value(), row);
      }
      if (seen == null || seen.add(normal(next))) {
        values = next;
        return true;
      }
    }
    return false;
  }

  private static List<@Nullable Object> normal(@Nullable Object[] values) {
    List<@Nullable Object> normal = new ArrayList<>(values.length);
    for (Object value : values) {
      normal.add(Values.normal(value));
    }
    return normal;
  }

  @Override
  public @Nullable Object[] values() {
    return Arrays.copyOf(values, values.length);
  }

  @Override
  public void close() {
    rows.close();
  }
}
