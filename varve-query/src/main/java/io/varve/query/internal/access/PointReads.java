package io.varve.query.internal.access;

import io.varve.IndexedSpace;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.query.Values;
import io.varve.query.internal.expr.Comparison;
import io.varve.query.internal.expr.Evaluation;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Expressions;
import io.varve.query.internal.expr.Scope;
import io.varve.query.internal.expr.ValueKind;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Answers that have one row at most, because the condition names all values of a unique index. The
/// planner would take that index without counting anything; here it is read without a plan, and
/// without a snapshot.
///
/// - (POINT-1) The index entry is read first, then the row. If the whole condition is true of the
///   row, it is the answer as of the time of its read: no other row could be, since the index is
///   unique. Without an entry there was no such row at that time. In all other cases there was a
///   change in between, and the answer is found by a snapshot.
/// - (POINT-2) An index that was usable in a snapshot stays so for all later points, until it is
///   dropped; then reading its entries is refused, and it is forgotten here.
///
/// Thread-safe.
///
/// @param <K> the keys
/// @param <V> the values
final class PointReads<K, V> {
  private final IndexedSpace indexed;
  private final Space space;
  private final RowCodec<K, V> codec;
  private final List<? extends KeptIndex> unique;

  /// The entries of the indexes that were seen to be usable.
  private final AtomicReferenceArray<@Nullable Space> entries;

  PointReads(IndexedSpace indexed, List<? extends KeptIndex> indexes, RowCodec<K, V> codec) {
    this.indexed = indexed;
    this.space = indexed.space();
    this.codec = codec;
    this.unique = indexes.stream().filter(index -> isDirect(index.form())).toList();
    this.entries = new AtomicReferenceArray<>(unique.size());
  }

  private static boolean isDirect(IndexForm index) {
    return index.isUnique()
        && index.partial() == null
        && index.parts().stream().noneMatch(part -> part.isMany() || part.codec().hasStringKeys());
  }

  /// The rows that a condition is true of now, or null if they have to be found by a plan.
  @Nullable ReadRows<K, V> find(Expression where) {
    for (int number = 0; number < unique.size(); number++) {
      byte[] prefix = prefix(unique.get(number).form(), where);
      Space found = prefix == null ? null : entries(number);
      if (prefix != null && found != null) {
        return read(number, found, prefix, where);
      }
    }
    return null;
  }

  /// The bytes of the values that a condition gives for all parts, or null if it does not.
  private static byte @Nullable [] prefix(IndexForm index, Expression where) {
    ByteSink sink = null;
    for (IndexPart part : index.parts()) {
      Object value = equal(part, where);
      if (value == null || ValueKind.of(value) == ValueKind.OTHER) {
        return null;
      }
      sink = sink == null ? new ByteSink() : sink;
      part.codec().write(value, sink);
    }
    return sink == null ? null : sink.toBytes();
  }

  /// The value that an attribute is to have, in its normal form, or null.
  private static @Nullable Object equal(IndexPart part, Expression where) {
    if (where instanceof Expression.Compare compare) {
      return equal(part, compare);
    }
    for (Expression condition : Expressions.conjuncts(where)) {
      Object value = condition instanceof Expression.Compare compare ? equal(part, compare) : null;
      if (value != null) {
        return value;
      }
    }
    return null;
  }

  private static @Nullable Object equal(IndexPart part, Expression.Compare compare) {
    return compare.comparison() == Comparison.EQUAL
            && compare.left() instanceof Expression.Path path
            && path.source() == 0
            && !path.attribute().isMany()
            && compare.right() instanceof Expression.Literal literal
            && path.attribute().path().equals(part.path())
        ? Values.normal(literal.value())
        : null;
  }

  private @Nullable Space entries(int number) {
    Space known = entries.get(number);
    if (known == null) {
      try (Snapshot snapshot = space.store().snapshot()) {
        known = indexed.entries(unique.get(number), snapshot);
      }
      entries.set(number, known);
    }
    return known;
  }

  private @Nullable ReadRows<K, V> read(int number, Space found, byte[] prefix, Expression where) {
    byte[] key;
    try {
      key = found.get(prefix);
    } catch (IllegalStateException _) {
      entries.set(number, null); // dropped (POINT-2); what else it may be, the plan will meet too
      return null;
    }
    if (key == null) {
      return new ReadRows<>(Collections.emptyIterator());
    }
    byte[] value = space.get(key);
    if (value == null) {
      return null;
    }
    var row = new ReadRows.Row<>(key, codec.key(key), codec.value(key, value));
    return Evaluation.isTrue(where, Scope.of(row.key(), row.value()))
        ? new ReadRows<>(List.of(row).iterator())
        : null;
  }
}
