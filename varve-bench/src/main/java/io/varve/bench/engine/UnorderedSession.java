package io.varve.bench.engine;

/// The operations of a store whose keys have no order, and which keeps nothing for a thread.
public interface UnorderedSession extends EngineSession {
  @Override
  default void scan(byte[] from, EntrySink sink) {
    throw unordered();
  }

  @Override
  default void forward(EntrySink sink) {
    throw unordered();
  }

  @Override
  default void backward(EntrySink sink) {
    throw unordered();
  }

  @Override
  default void close() {}

  private static UnsupportedOperationException unordered() {
    return new UnsupportedOperationException("a store of hashed keys has no order");
  }
}
