package io.varve.internal.txn;

import io.varve.AsyncSpace;
import io.varve.Commit;
import io.varve.Durability;
import io.varve.Space;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

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
  public @Nullable CompletionStage<Commit> tryPut(byte[] key, byte[] value) {
    return live.tryPutAsync(key, value, durability);
  }

  @Override
  public CompletionStage<Commit> delete(byte[] key) {
    return live.deleteAsync(key, durability);
  }

  @Override
  public @Nullable CompletionStage<Commit> tryDelete(byte[] key) {
    return live.tryDeleteAsync(key, durability);
  }
}
