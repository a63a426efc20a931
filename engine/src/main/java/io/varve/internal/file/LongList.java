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

  void addAll(LongList other) {
    for (int i = 0; i < other.size; i++) {
      add(other.values[i]);
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

  void clear() {
    size = 0;
  }
}
