package io.varve.query.internal.access;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The keys of rows that the points of an index stand for, in their order, each once.
final class PointsRun implements SortedRun {
  private static final byte[] NONE = {};

  private final List<byte[]> keys;
  private int index = -1;

  /// @param keys in any order, null where there is no row
  PointsRun(List<byte @Nullable []> keys) {
    this.keys = keys.stream().filter(Objects::nonNull).sorted(Arrays::compareUnsigned).toList();
  }

  @Override
  public boolean next() {
    do {
      index++;
    } while (index < keys.size() && index > 0 && isRepeated());
    return index < keys.size();
  }

  private boolean isRepeated() {
    return Arrays.equals(keys.get(index), keys.get(index - 1));
  }

  @Override
  public byte[] key() {
    return keys.get(index);
  }

  @Override
  public byte[] payload() {
    return NONE;
  }

  @Override
  public void close() {
    index = keys.size();
  }
}
