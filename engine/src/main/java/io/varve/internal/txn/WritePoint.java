package io.varve.internal.txn;

import io.varve.Cursor;
import io.varve.Range;
import io.varve.Space;
import io.varve.TransactionPoint;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A point of a transaction: how many writes it had made to each space.
final class WritePoint implements TransactionPoint {
  private final StoreTransaction transaction;

  /// What the transaction has written, which grows.
  private final Map<SpaceCore, SpaceWrites> writes;

  /// Spaces that it had not written to are not here.
  private final Map<SpaceCore, Integer> counts = new HashMap<>();

  /// @param writes of the transaction, those so far and later ones
  WritePoint(StoreTransaction transaction, Map<SpaceCore, SpaceWrites> writes) {
    this.transaction = transaction;
    this.writes = writes;
    writes.forEach((space, own) -> counts.put(space, own.count()));
  }

  private SpaceCore core(Space space) {
    return SpaceHandle.coreOf(space, transaction.store());
  }

  private int count(SpaceCore space) {
    return counts.getOrDefault(space, 0);
  }

  @Override
  public Cursor cursor(Space space, Range range) {
    return transaction.cursor(space, range, count(core(space)));
  }

  @Override
  public byte @Nullable [] get(Space space, byte[] key) {
    if (!isWritten(space, key)) {
      return transaction.get(space, key);
    }
    try (Cursor cursor = cursor(space, Range.exactly(key))) {
      return cursor.next() ? cursor.value() : null;
    }
  }

  @Override
  public boolean isWritten(Space space, byte[] key) {
    SpaceCore live = core(space);
    SpaceWrites own = writes.get(live);
    return own != null && own.isWrittenSince(count(live), key);
  }
}
