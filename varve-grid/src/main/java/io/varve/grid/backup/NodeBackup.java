package io.varve.grid.backup;

import io.varve.grid.node.PrivateFiles;
import io.varve.infinispan.OpenStore;
import io.varve.infinispan.StoreCopy;
import io.varve.infinispan.StoreListener;
import io.varve.infinispan.StoreListenerConfigurationBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.jspecify.annotations.Nullable;

/// The backups of one node: each is a directory that a node can be started with, as it would be
/// after a kill at the point of the backup.
///
/// - BACKUP-1 The copies of all stores, and the files that the server keeps next to them, are taken
///   while the writes of the node are held.
/// - BACKUP-2 A backup has its name when all of it is on stable storage.
public final class NodeBackup implements StoreListener {
  private static final String PART = ".part";

  private final Path node;
  private final WriteGate gate = new WriteGate();
  private final Set<OpenStore> stores = ConcurrentHashMap.newKeySet();
  private @Nullable Taken taken; // guarded by this

  /// What was taken and is not written.
  private record Taken(String id, Path part, Path whole, Map<Path, StoreCopy> copies) {
    void close() {
      copies.values().forEach(StoreCopy::close);
    }
  }

  private NodeBackup(Path node) {
    this.node = node;
  }

  /// Gives a node backups.
  ///
  /// @param node its directory, below whose `backups` they are
  public static void install(GlobalConfigurationBuilder global, Path node) {
    NodeBackup backup = new NodeBackup(node);
    global.addModule(StoreListenerConfigurationBuilder.class).add(backup);
    global.addModule(BackupConfigurationBuilder.class).backup(backup);
  }

  WriteGate gate() {
    return gate;
  }

  @Override
  public void opened(OpenStore store) {
    stores.add(store);
  }

  @Override
  public void closing(OpenStore store) {
    stores.remove(store);
  }

  long hold(String id) {
    try {
      gate.hold(id).join();
      return 1;
    } catch (CompletionException e) {
      throw e.getCause() instanceof IllegalStateException cause ? cause : e;
    }
  }

  /// Takes copies of the stores, and the other files of the node.
  synchronized long take(String id, String name, String nodeName) {
    if (!gate.isHeld(id) || taken != null) {
      throw new IllegalStateException("another backup is under way; try again after it");
    }
    Path whole = node.resolve("backups").resolve(name).resolve(nodeName);
    if (Files.exists(whole.getParent())) {
      throw new IllegalStateException("there is a backup of that name: directory=" + whole);
    }
    Path part = node.resolve("backups").resolve(name + PART);
    Taken now = new Taken(id, part, whole, new LinkedHashMap<>());
    taken = now;
    try {
      delete(part);
      PrivateFiles.createDirectories(part); // Users and keys are in it.
      for (OpenStore store : stores) {
        Path directory = store.directory();
        if (directory != null && directory.startsWith(node)) {
          now.copies.put(node.relativize(directory), store.copy());
        }
      }
      copyFiles(node.resolve("conf"), part.resolve("conf"));
      copyFiles(node.resolve("data"), part.resolve("data")); // BACKUP-1
      return 1;
    } catch (IOException e) {
      throw new UncheckedIOException("a backup cannot be written: directory=" + part, e);
    }
  }

  /// Copies files, but none of directories that have stores, indexes or backups.
  private static void copyFiles(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes about)
              throws IOException {
            boolean isCache =
                Files.exists(directory.resolve("varve"))
                    || directory.getFileName().toString().equals("backups");
            if (isCache) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectories(to.resolve(from.relativize(directory)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes about)
              throws IOException {
            if (!file.toString().endsWith(".lck")) {
              Files.copy(
                  file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
            }
            return FileVisitResult.CONTINUE;
          }
        });
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
    Taken now = taken(id);
    try {
      for (Map.Entry<Path, StoreCopy> copy : now.copies.entrySet()) {
        copy.getValue().writeTo(now.part.resolve(copy.getKey()));
      }
      long bytes = force(now.part);
      PrivateFiles.createDirectories(now.whole.getParent());
      Files.move(now.part, now.whole, StandardCopyOption.ATOMIC_MOVE); // BACKUP-2
      forceDirectory(now.whole.getParent());
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException("a backup cannot be written: directory=" + now.part, e);
    } finally {
      end(id);
    }
  }

  private synchronized Taken taken(String id) {
    if (taken == null || !taken.id.equals(id)) {
      throw new IllegalStateException("the backup has ended; begin another");
    }
    return taken;
  }

  private synchronized void end(String id) {
    if (taken != null && taken.id.equals(id)) {
      taken.close();
      taken = null;
    }
  }

  /// Ends a backup that failed, on this node or on another.
  long discard(String id) {
    gate.release(id);
    Taken now;
    synchronized (this) {
      now = taken;
    }
    if (now != null && now.id.equals(id)) {
      end(id);
      try {
        delete(now.part);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot delete a part of a backup: " + now.part, e);
      }
    }
    return 1;
  }

  /// @return bytes of all files
  private static long force(Path directory) throws IOException {
    long[] bytes = {0};
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes about)
              throws IOException {
            bytes[0] += about.size();
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
              channel.force(true);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
              throws IOException {
            forceDirectory(visited);
            return super.postVisitDirectory(visited, failure);
          }
        });
    return bytes[0];
  }

  private static void forceDirectory(Path directory) throws IOException {
    if (Files.getFileStore(directory).supportsFileAttributeView("posix")) {
      try (FileChannel channel = FileChannel.open(directory)) {
        channel.force(true);
      }
    }
  }

  private static void delete(Path tree) throws IOException {
    if (!Files.exists(tree)) {
      return;
    }
    Files.walkFileTree(
        tree,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes about)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
              throws IOException {
            Files.delete(visited);
            return super.postVisitDirectory(visited, failure);
          }
        });
  }
}
