package io.varve.query.internal.run;

import io.varve.query.Values;
import io.varve.query.internal.access.SortSettings;
import io.varve.query.internal.access.ValueSorter;
import io.varve.query.internal.expr.Evaluation;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Numbers;
import io.varve.query.internal.expr.Scope;
import io.varve.query.internal.expr.Sorting;
import io.varve.query.internal.statement.Statement.Output;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// Turns rows into answers: filters, computes the columns, drops what is equal, sorts, and cuts.
/// Rows stream unless they have to be sorted here; of a sort with a small limit no more are held
/// than are given. Of other sorts as much is held as the budget of memory allows.
final class AnswerStream implements Answers {
  /// More answers are sorted within the budget, not kept in a heap.
  private static final int TOP_ANSWERS_MAX = 1000;

  /// What is left to do with the rows.
  ///
  /// @param filter of rows
  /// @param order to sort by; empty if the rows come in order
  /// @param settings of sorts
  record Work(
      Expression filter,
      List<Output> outputs,
      boolean isDistinct,
      List<Sorting> order,
      long offset,
      long limit,
      SortSettings settings) {
    /// Whether the first answers, with those that are left out, are few.
    private boolean isTop() {
      return limit <= TOP_ANSWERS_MAX && offset <= TOP_ANSWERS_MAX - limit;
    }
  }

  private final ScopeStream rows;
  private final Work work;
  private final @Nullable DistinctAnswers distinct;
  private final @Nullable ValueSorter sorter;
  private final @Nullable Iterator<ValueSorter.Entry> top;
  private ValueSorter.@Nullable Entry answer;
  private long read;
  private boolean isAllRead;
  private long before;
  private long rest;

  AnswerStream(ScopeStream rows, Work work) {
    this.rows = rows;
    this.work = work;
    this.before = work.offset();
    this.rest = work.limit();
    this.distinct =
        work.isDistinct() ? new DistinctAnswers(work.outputs().size(), work.settings()) : null;
    boolean isSorted = !work.order().isEmpty();
    this.sorter = isSorted && !work.isTop() ? new ValueSorter(work.order(), work.settings()) : null;
    boolean isReady = false;
    try {
      this.top = isSorted && work.isTop() ? top() : null;
      sortAll();
      isReady = true;
    } finally {
      if (!isReady) {
        closeSorters();
      }
    }
  }

  private Iterator<ValueSorter.Entry> top() {
    Comparator<ValueSorter.Entry> order = this::compare;
    int needed = (int) (work.offset() + work.limit());
    PriorityQueue<ValueSorter.Entry> kept = new PriorityQueue<>(order.reversed());
    for (ValueSorter.Entry next = needed == 0 ? null : read(); next != null; next = read()) {
      kept.add(next);
      if (kept.size() > needed) {
        kept.poll();
      }
    }
    List<ValueSorter.Entry> all = new ArrayList<>(kept);
    all.sort(order);
    return all.iterator();
  }

  private void sortAll() {
    if (sorter != null) {
      for (ValueSorter.Entry next = read(); next != null; next = read()) {
        sorter.add(next.by(), next.values());
      }
    }
  }

  /// Answers that are equal in the order stay in that of the rows.
  private int compare(ValueSorter.Entry left, ValueSorter.Entry right) {
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
      if (advance() == null) {
        return false;
      }
    }
    answer = rest-- > 0 ? advance() : null;
    return answer != null;
  }

  private ValueSorter.@Nullable Entry advance() {
    if (sorter != null) {
      return sorter.poll();
    }
    if (top != null) {
      return top.hasNext() ? top.next() : null;
    }
    return read();
  }

  /// Reads the next answer that passes the filter and is not like one before.
  private ValueSorter.@Nullable Entry read() {
    while (!isAllRead && rows.next()) {
      Scope row = rows.scope();
      if (!Evaluation.isTrue(work.filter(), row)) {
        continue;
      }
      @Nullable Object[] next = new @Nullable Object[work.outputs().size()];
      for (int index = 0; index < next.length; index++) {
        Object value = Evaluation.value(work.outputs().get(index).value(), row);
        next[index] = distinct == null ? value : Numbers.unsignedZero(value);
      }
      @Nullable Object[] by = new @Nullable Object[work.order().size()];
      for (int index = 0; index < by.length; index++) {
        by[index] = Values.normal(Evaluation.value(work.order().get(index).value(), row));
      }
      var entry = new ValueSorter.Entry(by, next, read++);
      if (distinct == null || distinct.isNew(entry)) {
        return entry;
      }
    }
    isAllRead = true;
    return distinct == null ? null : distinct.pollLate();
  }

  @Override
  public @Nullable Object[] values() {
    if (answer == null) {
      throw new IllegalStateException("no answer here");
    }
    return Arrays.copyOf(answer.values(), answer.values().length);
  }

  private void closeSorters() {
    try (distinct) {
      if (sorter != null) {
        sorter.close();
      }
    }
  }

  @Override
  public void close() {
    try (rows) {
      closeSorters();
    }
  }
}
