package io.varve.grid.node;

/// The caches of a node run, and an endpoint has not started. Infinispan logs why and continues: in
/// a cluster whose nodes start at one time, since the cache of the endpoint was not yet there on
/// another. To start again helps then.
public final class EndpointException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  EndpointException() {
    super("an endpoint did not start; the log has the reason");
  }
}
