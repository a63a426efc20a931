package io.varve.internal.txn;

import io.varve.internal.file.SpaceDefinition;
import io.varve.internal.tree.StoredValue;

/// Takes of the changes in a log those that a subclass wants, and passes over the others.
public abstract class ChosenChanges implements LogRecord.Visitor {
  @Override
  public void put(int space, byte[] key, byte[] value) {}

  @Override
  public void putLarge(int space, byte[] key, StoredValue reference) {}

  @Override
  public void delete(int space, byte[] key) {}

  @Override
  public void createSpace(int id, String name) {}

  @Override
  public void defineSpace(int id, SpaceDefinition definition) {}

  @Override
  public void dropSpace(int id) {}

  @Override
  public void time(long millis) {}

  @Override
  public void imagePiece(int space, long extent, int offset, byte[] bytes) {}
}
