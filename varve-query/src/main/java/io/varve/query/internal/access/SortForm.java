package io.varve.query.internal.access;

import io.varve.Space;
import io.varve.query.Values;
import io.varve.query.internal.expr.Evaluation;
import io.varve.query.internal.expr.Scope;
import io.varve.query.internal.expr.Sorting;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Bytes in whose order the rows of an answer come: the values that they are ordered by, and then
/// their keys, descending if the first value is. No two rows have the same, and no plan changes
/// them, so they state where an answer is to be continued.
final class SortForm {
  private final List<Sorting> order;
  private final List<PartCodec> codecs;
  private final boolean areKeysDescending;

  SortForm(List<Sorting> order) {
    this.order = order;
    this.codecs =
        order.stream()
            .map(sorting ->
                new PartCodec(
                    sorting.isDescending(),
                    sorting.nullsFirst() ? NullOrder.FIRST : NullOrder.LAST,
                    null,
                    Integer.MAX_VALUE))
            .toList();
    this.areKeysDescending = areKeysDescending(order);
  }

  static boolean areKeysDescending(List<Sorting> order) {
    return !order.isEmpty() && order.getFirst().isDescending();
  }

  byte[] position(Scope row, byte[] key) {
    var sink = new ByteSink();
    for (int i = 0; i < codecs.size(); i++) {
      Object value = Values.normal(Evaluation.value(order.get(i).value(), row));
      codecs.get(i).write(value, sink);
    }
    int start = sink.length();
    RunForm.write(key, Integer.MAX_VALUE, sink);
    if (areKeysDescending) {
      sink.complementFrom(start);
    }
    return sink.toBytes();
  }

  /// Refuses what is no position of an answer in this order. Positions come from outside, and may
  /// be damaged or made up.
  ///
  /// @throws IllegalArgumentException if it is none
  void require(byte[] position) {
    key(position);
    values(position);
  }

  /// The values of a position, or null if one of them cannot be read back.
  ///
  /// @throws IllegalArgumentException if it is none of an answer in this order
  @Nullable List<@Nullable Object> values(byte[] position) {
    try {
      var skipper = new PartReader(position);
      codecs.forEach(codec -> codec.skip(skipper));
      if (skipper.cutOffset() >= 0) {
        return null;
      }
      List<@Nullable Object> values = new ArrayList<>(codecs.size());
      var reader = new PartReader(position);
      for (PartCodec codec : codecs) {
        values.add(codec.read(reader));
      }
      return values;
    } catch (IndexOutOfBoundsException
        | IllegalArgumentException
        | DateTimeException
        | ArithmeticException e) {
      throw foreign(position, e);
    }
  }

  /// The key of a position.
  ///
  /// @throws IllegalArgumentException if it is none of an answer in this order
  byte[] key(byte[] position) {
    try {
      var reader = new PartReader(position);
      codecs.forEach(codec -> codec.skip(reader));
      reader.complement(areKeysDescending);
      byte[] key = RunForm.read(reader);
      if (reader.offset() == position.length && key.length <= Space.KEY_BYTES_MAX) {
        return key;
      }
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw foreign(position, e);
    }
    throw foreign(position, null);
  }

  private static IllegalArgumentException foreign(byte[] position, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "the answer cannot be continued there: positionBytes="
            + position.length
            + "; continue with the same order, from a position that an answer gave",
        cause);
  }
}
