package io.varve.bench.table;

/// In place of a JVM that started this one.
record NoParent() implements Parent {
  @Override
  public void acknowledged(long records) {}

  @Override
  public long acknowledged() {
    return 0;
  }

  @Override
  public void kill() {
    throw new UnsupportedOperationException();
  }
}
