package io.varve.grid.backup;

import io.varve.grid.guard.connection.AsItself;
import io.varve.grid.items.ItemStore;
import io.varve.infinispan.OpenStore;
import io.varve.infinispan.StoreListener;
import io.varve.infinispan.StoreListenerConfigurationBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.jspecify.annotations.Nullable;

/// The backups of one node: each is a directory that a node can be started with, as it would be
/// after a kill at the point of the backup.
///
/// - BACKUP-1 The copies of all stores are taken while the writes of the node are held. So are the
///   files that the server keeps next to them.
/// - BACKUP-2 A backup has its name when all of it is on stable storage.
/// - BACKUP-3 What was taken and is not written after [#TAKEN_SECONDS_MAX] is released: snapshots
///   make files grow, and the node that asked for it has died.
public final class NodeBackup implements StoreListener {
  private static final System.Logger LOGGER = System.getLogger(NodeBackup.class.getName());

  private static final long TAKEN_SECONDS_MAX = 60;

  private static final Executor AT_BOUND =
      CompletableFuture.delayedExecutor(TAKEN_SECONDS_MAX, TimeUnit.SECONDS);

  private final Path node;
  private final ItemStore items;
  private final WriteGate gate = new WriteGate();
  private final BackupSteps steps = new BackupSteps();
  private final Set<OpenStore> stores = ConcurrentHashMap.newKeySet();

  /// The newest, also when it is written: another node may fail, and have it discarded.
  private @Nullable TakenBackup newest; // guarded by this

  private NodeBackup(Path node, ItemStore items) {
    this.node = node;
    this.items = items;
  }

  /// Makes the backups of a node, which follow its stores, and deletes what a process that was
  /// killed has left of one.
  ///
  /// @param node its directory, below whose `backups` they are
  /// @param items which are part of them
  static NodeBackup install(GlobalConfigurationBuilder global, Path node, ItemStore items) {
    deleteParts(node.resolve("backups"));
    NodeBackup backup = new NodeBackup(node, items);
    items.changesPass(backup.gate::pass);
    global.addModule(StoreListenerConfigurationBuilder.class).add(backup);
    return backup;
  }

  private static void deleteParts(Path backups) {
    if (!Files.isDirectory(backups)) {
      return;
    }
    try (DirectoryStream<Path> parts = Files.newDirectoryStream(backups, "*" + TakenBackup.PART)) {
      for (Path part : parts) {
        if (Files.isDirectory(part)) {
          NodeFiles.delete(part);
        }
      }
    } catch (IOException e) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "parts of a backup cannot be deleted; delete them: directory=" + backups,
          e);
    }
  }

  WriteGate gate() {
    return gate;
  }

  BackupSteps steps() {
    return steps;
  }

  @Override
  public void opened(OpenStore store) {
    stores.add(store);
  }

  @Override
  public void closing(OpenStore store) {
    stores.remove(store);
  }

  /// Holds the writes of the node.
  ///
  /// @throws IllegalStateException if there cannot be a point of one of the caches, or other writes
  ///   did not end in time
  long hold(String id) {
    AsItself.run(
        () -> stores.forEach(store -> requirePoint(store.cache().getName(), configuration(store))));
    try {
      gate.hold(id).join();
      return 1;
    } catch (CompletionException e) {
      throw e.getCause() instanceof IllegalStateException cause ? cause : e;
    }
  }

  private static Configuration configuration(OpenStore store) {
    return store.cache().getCacheConfiguration();
  }

  /// Refuses caches of which something is under way when no write is: a transaction that has begun,
  /// or what goes to other nodes or to the store later.
  static void requirePoint(String cache, Configuration configuration) {
    String kind = null;
    if (configuration.transaction().transactionMode().isTransactional()) {
      kind = "with transactions";
    } else if (configuration.clustering().cacheMode().isClustered()
        && !configuration.clustering().cacheMode().isSynchronous()) {
      kind = "with mode ASYNC";
    } else if (configuration.persistence().stores().stream()
        .anyMatch(store -> store.async().enabled())) {
      kind = "with write-behind";
    }
    if (kind != null) {
      throw new IllegalStateException(
          "there is no backup of a cache "
              + kind
              + " while nodes run; stop them and copy their directories: cache="
              + cache);
    }
  }

  /// Takes copies of the stores, and the other files of the node.
  synchronized long take(String id, String name, String nodeName) {
    if (!gate.isHeld(id) || (newest != null && newest.isWriting())) {
      throw new IllegalStateException("another backup is under way; try again after it");
    }
    if (newest != null) {
      newest.expire();
    }
    TakenBackup now = new TakenBackup(id, node, name, nodeName);
    newest = now;
    AT_BOUND.execute(now::expire); // BACKUP-3
    try {
      now.take(stores, items); // BACKUP-1
      return 1;
    } catch (IOException e) {
      throw new UncheckedIOException("a backup cannot be written: directory=" + node, e);
    }
  }

  /// Ends the hold.
  ///
  /// @return 1 if it was in effect until now, and else 0
  long release(String id) {
    return gate.release(id) ? 1 : 0;
  }

  /// Writes what was taken; the node is in use.
  ///
  /// @return bytes of the backup
  long write(String id) {
    TakenBackup now = taken(id);
    if (now == null) {
      throw new IllegalStateException("the backup has ended; begin another");
    }
    try {
      return now.write();
    } catch (IOException e) {
      throw new UncheckedIOException("a backup cannot be written: directory=" + node, e);
    }
  }

  private synchronized @Nullable TakenBackup taken(String id) {
    return newest != null && newest.id().equals(id) ? newest : null;
  }

  /// Ends a backup that failed, on this node or on another, and deletes what is there of it.
  long discard(String id) {
    gate.release(id);
    TakenBackup failed = taken(id);
    if (failed != null) {
      failed.discard();
    }
    return 1;
  }
}
