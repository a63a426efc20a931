package io.varve.grid.backup;

import io.varve.KeySource;
import io.varve.Store;
import io.varve.StoreKeyException;
import io.varve.StoreOptions;
import io.varve.VarveException;
import io.varve.grid.items.ItemStore;
import io.varve.grid.node.NodeException;
import io.varve.grid.node.NodeLock;
import io.varve.grid.node.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A node that was made of a backup.
///
/// - RESTORE-1 A directory has its name when all of it is copied, verified and on stable storage.
/// - RESTORE-2 The backup is read alone.
/// - RESTORE-3 A part is of one restore, which has the lock of the node that it will be. The lock
///   moves with the directory.
///
/// @param stores that were verified
/// @param bytes of all files
public record RestoredNode(int stores, long bytes) {
  /// Makes the directory of a node.
  ///
  /// @param backup that the node has made
  /// @param data the directory, which is not there yet
  /// @param key of a node whose stores are encrypted
  /// @throws NodeException if it is no backup of a node, or is damaged, or the directory is taken
  public static RestoredNode make(Path backup, Path data, @Nullable KeySource key)
      throws IOException {
    if (!Files.isDirectory(backup.resolve("data")) || !Files.isDirectory(backup.resolve("conf"))) {
      throw new NodeException(
          "this is no backup of a node: directory="
              + backup
              + "; name that of one node, below the name of the backup");
    }
    if (Files.exists(data)) {
      throw new NodeException(
          "there is something where the node is to be: directory="
              + data
              + "; name another, or move it away");
    }
    if (existing(data).startsWith(backup.toRealPath())) { // RESTORE-2
      throw new NodeException(
          "a node cannot be made inside the backup that it is made of: directory="
              + data
              + ", backup="
              + backup
              + "; name a directory outside of it");
    }
    Path whole = data.toAbsolutePath();
    Path above = Objects.requireNonNull(whole.getParent(), "a directory with a name");
    Path part = above.resolve(whole.getFileName() + TakenBackup.PART);
    PrivateFiles.createDirectories(part); // Users and keys are in it.
    try (NodeLock _ =
        NodeLock.take(
            part,
            "another restore makes a node of that name; wait for it, or name another by --data")) {
      NodeFiles.empty(part); // what a restore that was killed has left
      return make(backup, part, whole, key);
    }
  }

  /// Makes the directory of a node as a part, of which no other process makes one (RESTORE-3).
  private static RestoredNode make(Path backup, Path part, Path whole, @Nullable KeySource key)
      throws IOException {
    boolean isWhole = false;
    try {
      NodeFiles.copyAll(backup, part); // RESTORE-2
      List<Path> stores = stores(part);
      stores.forEach(store -> verify(store, key));
      long bytes = NodeFiles.force(part) - Files.size(part.resolve(NodeLock.FILE));
      Files.move(part, whole, StandardCopyOption.ATOMIC_MOVE); // RESTORE-1
      NodeFiles.forceDirectory(Objects.requireNonNull(whole.getParent()));
      isWhole = true;
      return new RestoredNode(stores.size(), bytes);
    } finally {
      if (!isWhole) {
        NodeFiles.delete(part);
      }
    }
  }

  /// The nearest directory above a path that is there, whatever links lead to it.
  private static Path existing(Path path) throws IOException {
    Path there = path.toAbsolutePath().normalize();
    while (!Files.exists(there)) {
      there = Objects.requireNonNull(there.getParent(), "a root that is there");
    }
    return there.toRealPath();
  }

  private static List<Path> stores(Path node) throws IOException {
    Path items = node.resolve(ItemStore.DIRECTORY);
    try (Stream<Path> data = Files.walk(node.resolve("data"))) {
      return Stream.concat(
              data.filter(NodeFiles::isStoreWithPages), Stream.of(items).filter(Files::isDirectory))
          .toList();
    }
  }

  private static void verify(Path directory, @Nullable KeySource key) {
    StoreOptions options = StoreOptions.defaults();
    try (Store store = Store.open(directory, key == null ? options : options.encryption(key))) {
      store.verify().requireSound();
    } catch (StoreKeyException e) {
      throw new NodeException(
          "the key is not that of a store of the backup; name that of the node by --key-file, or none"
              + " where its stores are in clear: store="
              + directory
              + ", reason="
              + e.getMessage(),
          e);
    } catch (VarveException e) {
      throw new NodeException(
          "a store of the backup is damaged; take another backup: store="
              + directory
              + ", reason="
              + e.getMessage(),
          e);
    }
  }
}
