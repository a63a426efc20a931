package io.varve.bench.engine;

import java.util.List;
import java.util.OptionalLong;

/// A store that is open. For many threads; each works through a session of its own.
public interface Engine extends AutoCloseable {
  /// A session for the calling thread.
  EngineSession session();

  /// Brings the files to the shape they would take with time, after a load: flushes and compacts
  /// where the store has such a thing.
  default void settle() {}

  /// Makes the files as small as the store can, after a load.
  default void compact() {
    settle();
  }

  /// Files of the store that hold no data, whatever their length.
  default List<String> spareFiles() {
    return List.of();
  }

  /// Forces of the log so far, where the store counts them.
  default OptionalLong forces() {
    return OptionalLong.empty();
  }

  /// How often pages were found in memory, where the store counts that.
  default PageUse pageUse() {
    return new PageUse(0, 0);
  }

  @Override
  void close();
}
