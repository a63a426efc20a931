package io.varve.bench.engine;

/// What a session of a cache of a grid does with all entries together.
public interface WholeSession extends EngineSession {
  /// How many entries there are.
  long size();

  /// The bytes of all values, added up where they are.
  long valueBytes();

  /// Goes through all entries.
  ///
  /// @param batch entries that are asked for at a time
  /// @return how many there were
  long iterate(int batch);
}
