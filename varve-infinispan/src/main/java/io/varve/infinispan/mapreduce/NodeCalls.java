package io.varve.infinispan.mapreduce;

import org.infinispan.commons.util.IntSets;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.remoting.transport.Address;
import org.infinispan.util.function.SerializableFunction;
import org.jspecify.annotations.Nullable;

/// What one node asks of another, as functions that Infinispan sends. They hold only what it
/// marshals automatically: numbers, texts, bytes and addresses; and give a [Reply] as bytes. None
/// of them waits (ASK-1).
final class NodeCalls {
  private NodeCalls() {}

  /// Starts a part.
  ///
  /// @param leader the node that leads the job; null if there is but one node
  /// @param segments as [org.infinispan.commons.util.IntSet#toBitSet] gives them
  static SerializableFunction<EmbeddedCacheManager, byte[]> start(
      String id, String cacheName, @Nullable Address leader, byte[] segments, byte[] plan) {
    return manager ->
        NodeParts.of(manager)
            .start(manager, id, cacheName, leader, IntSets.from(segments), plan)
            .toBytes();
  }

  /// Asks how far a part is.
  static SerializableFunction<EmbeddedCacheManager, byte[]> poll(String id) {
    return manager -> NodeParts.of(manager).poll(id).toBytes();
  }

  /// Takes the next page of a part that has mapped, if it is made.
  static SerializableFunction<EmbeddedCacheManager, byte[]> page(String id) {
    return manager -> NodeParts.of(manager).page(id).toBytes();
  }

  /// Ends a part, and asks whether anything of it is left.
  static SerializableFunction<EmbeddedCacheManager, byte[]> close(String id) {
    return manager -> NodeParts.of(manager).close(id).toBytes();
  }
}
