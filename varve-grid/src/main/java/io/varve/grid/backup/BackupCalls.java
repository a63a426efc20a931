package io.varve.grid.backup;

import io.varve.grid.guard.connection.AsItself;
import java.util.function.ToLongFunction;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.util.function.SerializableFunction;

/// What the node that makes a backup asks of each node, as functions that Infinispan sends. They
/// hold only texts, and give numbers. Each node does it as itself: of the caller that asks, other
/// nodes get a name, and not the roles. The one that was asked has looked at these.
///
/// None of them waits (STEP-1): all but [#release] and [#answer] begin a step, which has the name
/// that was given.
final class BackupCalls {
  private BackupCalls() {}

  /// Holds the writes of a node, until none is under way.
  static SerializableFunction<EmbeddedCacheManager, Long> hold(String step, String id) {
    return manager -> begin(manager, step, backup -> backup.hold(id));
  }

  /// Takes the point of a node whose writes are held.
  static SerializableFunction<EmbeddedCacheManager, Long> take(
      String step, String id, String name) {
    return manager ->
        begin(manager, step, backup -> backup.take(id, name, AsItself.call(() -> name(manager))));
  }

  /// Ends the hold of a node.
  static SerializableFunction<EmbeddedCacheManager, Long> release(String id) {
    return manager -> AsItself.call(() -> of(manager).release(id));
  }

  /// Writes what was taken.
  static SerializableFunction<EmbeddedCacheManager, Long> write(String step, String id) {
    return manager -> begin(manager, step, backup -> backup.write(id));
  }

  /// Ends a hold, and deletes what was taken and is not whole.
  static SerializableFunction<EmbeddedCacheManager, Long> discard(String step, String id) {
    return manager -> begin(manager, step, backup -> backup.discard(id));
  }

  /// What a step has given, or [BackupSteps#UNDER_WAY].
  static SerializableFunction<EmbeddedCacheManager, Long> answer(String step) {
    return manager -> AsItself.call(() -> of(manager).steps().answer(step));
  }

  private static long begin(
      EmbeddedCacheManager manager, String step, ToLongFunction<NodeBackup> action) {
    NodeBackup backup = AsItself.call(() -> of(manager));
    backup.steps().begin(step, () -> AsItself.call(() -> action.applyAsLong(backup)));
    return BackupSteps.UNDER_WAY;
  }

  private static NodeBackup of(EmbeddedCacheManager manager) {
    return manager.getCacheManagerConfiguration().module(BackupConfiguration.class).backup();
  }

  private static String name(EmbeddedCacheManager manager) {
    String address = manager.getAddress() == null ? "node" : manager.getAddress().toString();
    return address.replaceAll("[^A-Za-z0-9_-]", "_");
  }
}
