package io.varve.internal.file;

import java.util.Arrays;
import java.util.function.LongConsumer;

/// A growing list of longs. Not safe for threads.
final class LongList {
  private long[] values = new long[8];
  private int size;

  void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size * 2);
    }
    values[size++] = value;
  }

  /// Adds all of another list, or nothing if there is no memory for it.
  void addAll(LongList other) {
    int sum = Math.addExact(size, other.size);
    if (sum > values.length) {
      values = Arrays.copyOf(values, Math.max(sum, size * 2));
    }
    System.arraycopy(other.values, 0, values, size, other.size);
    size = sum;
  }

  /// Removes each value once a consumer has taken it. What the consumer throws leaves the others.
  void drainTo(LongConsumer consumer) {
    int taken = 0;
    try {
      while (taken < size) {
        consumer.accept(values[taken]);
        taken++;
      }
    } finally {
      size -= taken;
      System.arraycopy(values, taken, values, 0, size);
    }
  }

  void forEach(LongConsumer consumer) {
    for (int i = 0; i < size; i++) {
      consumer.accept(values[i]);
    }
  }

  long get(int index) {
    return values[index];
  }

  int size() {
    return size;
  }
}
