package io.varve.query.internal.access;

import org.jspecify.annotations.Nullable;

/// One key, or none.
final class PointRun implements SortedRun {
  private static final byte[] NONE = {};

  private final byte[] key;
  private boolean isLeft;

  PointRun(byte @Nullable [] key) {
    this.key = key == null ? NONE : key;
    this.isLeft = key != null;
  }

  @Override
  public boolean next() {
    boolean isThere = isLeft;
    isLeft = false;
    return isThere;
  }

  @Override
  public byte[] key() {
    return key;
  }

  @Override
  public byte[] payload() {
    return NONE;
  }

  @Override
  public void close() {
    isLeft = false;
  }
}
