package io.varve.infinispan.mapreduce;

import org.jspecify.annotations.Nullable;

/// A job over a cluster has failed: on another node, or because of one that left. Nothing of it
/// runs any more; to run it again is safe.
public final class ClusterJobException extends RuntimeException {
  ClusterJobException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  ClusterJobException(String message) {
    this(message, null);
  }
}
