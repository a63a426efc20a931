package io.varve.internal.salvage;

import io.varve.internal.tree.StoredValue;
import io.varve.internal.txn.LogRecord;

/// Takes of the changes in the log those that a subclass wants.
abstract class LogReader implements LogRecord.Visitor {
  @Override
  public void put(int space, byte[] key, byte[] value) {}

  @Override
  public void putLarge(int space, byte[] key, StoredValue reference) {}

  @Override
  public void delete(int space, byte[] key) {}

  @Override
  public void createSpace(int id, String name) {}

  @Override
  public void dropSpace(int id) {}
}
