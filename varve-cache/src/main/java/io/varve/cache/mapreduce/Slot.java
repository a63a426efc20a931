package io.varve.cache.mapreduce;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The values of one key: one, where there is a combiner, otherwise all. For one thread.
///
/// @param <V> the values
final class Slot<V> {
  private static final int REFERENCE_BYTES = 8;

  private V value;
  private @Nullable List<V> more;
  private long valueBytes;
  private int combines;

  /// @param valueBytes as measured
  Slot(V value, long valueBytes) {
    this.value = value;
    this.valueBytes = valueBytes;
  }

  /// Combines a value with what is there.
  ///
  /// Values of plain classes are measured each time, others when they have been combined as often
  /// again: so one that grows with each has at most about twice the bytes that it is taken to have.
  ///
  /// @return by how many bytes the slot has grown
  long combine(V other, BinaryOperator<V> combiner, Measure<V> measure) {
    V combined = combined(combiner, value, other);
    value = combined;
    int plain = Measure.plainBytes(combined);
    if (plain >= 0) {
      return measured(plain);
    }
    combines++;
    return Integer.bitCount(combines) == 1 ? measured(measure.marshalledBytes(combined)) : 0;
  }

  /// What a combiner makes of two values.
  static <V> V combined(BinaryOperator<V> combiner, V one, V other) {
    return Objects.requireNonNull(combiner.apply(one, other), "a combiner gives a value, not null");
  }

  private long measured(long bytes) {
    long grown = bytes - valueBytes;
    valueBytes = bytes;
    return grown;
  }

  /// Keeps a value beside those that are there.
  ///
  /// @return by how many bytes the slot has grown
  long add(V other, Measure<V> measure) {
    if (more == null) {
      more = new ArrayList<>();
    }
    more.add(other);
    return REFERENCE_BYTES + measure.bytes(other);
  }

  /// Takes over all values of another slot of the same key.
  void absorb(Slot<V> other) {
    if (more == null) {
      more = new ArrayList<>();
    }
    other.values().forEachRemaining(more::add);
  }

  Iterator<V> values() {
    List<V> others = more;
    return others == null
        ? Collections.singleton(value).iterator()
        : Stream.concat(Stream.of(value), others.stream()).iterator();
  }
}
