package io.varve.cache.internal.mapreduce;

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
public final class Slot<V> {
  private static final int REFERENCE_BYTES = 8;

  /// A value that does not grow is measured again when so many bytes were combined with it, at
  /// first and at last: rarely enough to cost little.
  private static final int INCOMING_BYTES_MIN = 64;

  private static final int INCOMING_BYTES_MAX = 16 << 10;

  private V value;
  private @Nullable List<V> more;
  private long valueBytes;
  private long incomingBytes; // combined since the value was measured
  private long incomingBytesMax = INCOMING_BYTES_MIN; // then it is measured again

  /// @param valueBytes as measured
  public Slot(V value, long valueBytes) {
    this.value = value;
    this.valueBytes = valueBytes;
  }

  /// Combines a value with what is there.
  ///
  /// Values of plain classes are measured each time. Others are measured when what was combined
  /// with them could have made them as large again, or larger by [#INCOMING_BYTES_MAX]: so one that
  /// only grows by what comes has at most twice the bytes that it is taken to have, in addition to
  /// those.
  ///
  /// @return by how many bytes the slot has grown
  public long combine(V other, BinaryOperator<V> combiner, Measure<V> measure) {
    long otherBytes = measure.bytes(other); // before the combiner changes it
    V combined = combined(combiner, value, other);
    value = combined;
    int plain = Measure.plainBytes(combined);
    if (plain >= 0) {
      return measured(plain);
    }
    incomingBytes += otherBytes;
    return incomingBytes < incomingBytesMax ? 0 : remeasured(measure.marshalledBytes(combined));
  }

  private long remeasured(long bytes) {
    boolean hasGrown = bytes > valueBytes + incomingBytes / 4;
    long rarer = hasGrown ? 0 : Math.min(2 * incomingBytesMax, INCOMING_BYTES_MAX);
    incomingBytes = 0;
    incomingBytesMax = Math.max(rarer, Math.max(bytes, INCOMING_BYTES_MIN));
    return measured(bytes);
  }

  /// What a combiner makes of two values.
  public static <V> V combined(BinaryOperator<V> combiner, V one, V other) {
    return Objects.requireNonNull(combiner.apply(one, other), "a combiner gives a value, not null");
  }

  private long measured(long bytes) {
    long grown = bytes - valueBytes;
    valueBytes = bytes;
    return grown;
  }

  /// Keeps a value next to those that are there.
  ///
  /// @return by how many bytes the slot has grown
  public long add(V other, Measure<V> measure) {
    if (more == null) {
      more = new ArrayList<>();
    }
    more.add(other);
    return REFERENCE_BYTES + measure.bytes(other);
  }

  /// Takes over all values of another slot of the same key.
  public void absorb(Slot<V> other) {
    if (more == null) {
      more = new ArrayList<>();
    }
    other.values().forEachRemaining(more::add);
  }

  public Iterator<V> values() {
    List<V> others = more;
    return others == null
        ? Collections.singleton(value).iterator()
        : Stream.concat(Stream.of(value), others.stream()).iterator();
  }
}
