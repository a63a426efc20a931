package io.varve.grid.backup;

import io.varve.grid.node.AsItself;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.util.function.SerializableFunction;

/// What the node that makes a backup asks of each node, as functions that Infinispan sends. They
/// hold only texts, and give numbers. Each node does it as itself: of the caller that asks, other
/// nodes are told a name, and not the roles. The one that was asked has looked at these.
final class BackupCalls {
  private BackupCalls() {}

  /// Holds the writes of a node, until none is under way.
  static SerializableFunction<EmbeddedCacheManager, Long> hold(String id) {
    return manager -> AsItself.call(() -> of(manager).hold(id));
  }

  /// Takes the point of a node whose writes are held.
  static SerializableFunction<EmbeddedCacheManager, Long> take(String id, String name) {
    return manager -> AsItself.call(() -> of(manager).take(id, name, nodeName(manager)));
  }

  /// Ends the hold of a node.
  static SerializableFunction<EmbeddedCacheManager, Long> release(String id) {
    return manager -> AsItself.call(() -> of(manager).release(id));
  }

  /// Writes what was taken.
  static SerializableFunction<EmbeddedCacheManager, Long> write(String id) {
    return manager -> AsItself.call(() -> of(manager).write(id));
  }

  /// Ends a hold, and deletes what was taken and is not whole.
  static SerializableFunction<EmbeddedCacheManager, Long> discard(String id) {
    return manager -> AsItself.call(() -> of(manager).discard(id));
  }

  private static NodeBackup of(EmbeddedCacheManager manager) {
    return manager.getCacheManagerConfiguration().module(BackupConfiguration.class).backup();
  }

  private static String nodeName(EmbeddedCacheManager manager) {
    String address = manager.getAddress() == null ? "node" : manager.getAddress().toString();
    return address.replaceAll("[^A-Za-z0-9_-]", "_");
  }
}
