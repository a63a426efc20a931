package io.varve.internal.txn;

import io.varve.AsyncSpace;
import io.varve.Commit;
import io.varve.Durability;
import io.varve.Space;
import java.util.concurrent.CompletionStage;

/// Changes of a space whose durability is awaited by stages.
record AsyncWrites(LiveSpace live, Durability durability) implements AsyncSpace {
  @Override
  public Space space() {
    return live.with(durability);
  }

  @Override
  public CompletionStage<Commit> put(byte[] key, byte[] value) {
    return live.putAsync(key, value, durability);
  }

  @Override
  public CompletionStage<Commit> delete(byte[] key) {
    return live.deleteAsync(key, durability);
  }
}
