package io.varve.grid.backup;

import io.varve.grid.items.ItemStore;
import io.varve.grid.items.ItemsCopy;
import io.varve.grid.node.PrivateFiles;
import io.varve.infinispan.OpenStore;
import io.varve.infinispan.StoreCopy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A backup of one node, from the time at which it is taken until it is written or discarded. It is
/// taken and written once.
final class TakenBackup {
  /// What ends the name of a backup that is not whole. No backup is called so.
  static final String PART = ".part";

  private final String id;
  private final Path node;
  private final Path part;
  private final Path whole;
  private final Map<Path, StoreCopy> copies = new LinkedHashMap<>();
  private @Nullable ItemsCopy items; // null if the node has none
  private State state = State.TAKEN; // guarded by this
  private boolean discarded; // guarded by this

  /// Whether the directory of that name is of this one, and not of an older one.
  private boolean moved; // guarded by this

  private enum State {
    TAKEN,
    WRITING,
    ENDED
  }

  /// @param node its directory
  /// @param name of the backup on all nodes
  /// @param nodeName of this one
  TakenBackup(String id, Path node, String name, String nodeName) {
    this.id = id;
    this.node = node;
    Path backups = node.resolve("backups");
    this.part = backups.resolve(name + PART);
    this.whole = backups.resolve(name).resolve(nodeName);
  }

  String id() {
    return id;
  }

  /// The directory of the backups of that name.
  private Path named() {
    return Objects.requireNonNull(whole.getParent(), "a directory of its own");
  }

  /// Takes copies of the stores, and the other files of the node, whose writes are held (BACKUP-1).
  synchronized void take(Collection<OpenStore> stores, ItemStore itemStore) throws IOException {
    if (Files.exists(named())) {
      throw new IllegalStateException("there is a backup of that name: directory=" + whole);
    }
    NodeFiles.delete(part);
    PrivateFiles.createDirectories(part); // Users and keys are in it.
    for (OpenStore store : stores) {
      Path directory = store.directory();
      if (directory != null && directory.startsWith(node)) {
        copies.put(node.relativize(directory), store.copy());
      }
    }
    items = itemStore.copy();
    NodeFiles.copy(node.resolve("conf"), part.resolve("conf"));
    NodeFiles.copy(node.resolve("data"), part.resolve("data"));
  }

  /// Writes what was taken, and releases it.
  ///
  /// @return bytes of the backup
  long write() throws IOException {
    begin();
    boolean isWhole = false;
    try {
      for (Map.Entry<Path, StoreCopy> copy : copies.entrySet()) {
        copy.getValue().writeTo(part.resolve(copy.getKey()));
      }
      ItemsCopy ofItems = items;
      if (ofItems != null) {
        ofItems.writeTo(part.resolve(ItemStore.DIRECTORY));
      }
      long bytes = NodeFiles.force(part);
      PrivateFiles.createDirectories(named());
      publish(); // BACKUP-2
      NodeFiles.forceDirectory(named());
      NodeFiles.forceDirectory(node.resolve("backups"));
      NodeFiles.forceDirectory(node);
      isWhole = true;
      return bytes;
    } finally {
      end(isWhole);
    }
  }

  private synchronized void publish() throws IOException {
    Files.move(part, whole, StandardCopyOption.ATOMIC_MOVE);
    moved = true;
  }

  private synchronized void begin() {
    if (state != State.TAKEN) {
      throw new IllegalStateException("the backup has ended; begin another");
    }
    state = State.WRITING;
  }

  private synchronized void end(boolean isWhole) throws IOException {
    state = State.ENDED;
    close();
    if (!isWhole || discarded) {
      delete();
    }
  }

  synchronized boolean isWriting() {
    return state == State.WRITING;
  }

  /// Releases what was taken if it is not being written: the node that asked for it is gone.
  synchronized void expire() {
    if (state == State.TAKEN) {
      discard();
    }
  }

  /// Releases what was taken, and deletes what is there of the backup. If it is being written, the
  /// end of that does it.
  synchronized void discard() {
    discarded = true;
    if (state == State.WRITING) {
      return;
    }
    state = State.ENDED;
    close();
    try {
      delete();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete a part of a backup: " + part, e);
    }
  }

  private void close() {
    copies.values().forEach(StoreCopy::close);
    copies.clear();
    if (items != null) {
      items.close();
    }
  }

  private void delete() throws IOException {
    if (moved) {
      Files.move(whole, part, StandardCopyOption.ATOMIC_MOVE); // BACKUP-2, if this breaks off.
      NodeFiles.forceDirectory(named());
      moved = false;
      Files.delete(named());
    }
    NodeFiles.delete(part);
  }
}
