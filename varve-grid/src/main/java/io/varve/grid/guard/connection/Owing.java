package io.varve.grid.guard.connection;

/// A handler of a protocol that knows whether requests of its connection are to be answered yet.
/// Asked by the event loop of the connection alone. (CONNECTION-6)
public interface Owing {
  /// Whether a request that was read as a whole is to be answered yet.
  boolean owesAnswers();
}
