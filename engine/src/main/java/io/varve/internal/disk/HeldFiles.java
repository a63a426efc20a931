package io.varve.internal.disk;

import io.varve.StoreLockedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/// What stores of this process have locked, over all class loaders that hold a copy of Varve.
///
/// POSIX releases a process's lock as soon as *any* descriptor of the file is closed. So a second
/// open in this process must be refused before it opens a channel (H1). Static fields are of one
/// class loader, the system's properties of all: an entry there is a property of plain strings, and
/// [java.util.Properties#putIfAbsent] is atomic.
final class HeldFiles {
  private static final String PREFIX = "io.varve.held.";

  private static final String LOADER = loader();

  private HeldFiles() {}

  /// The copy of Varve that this class belongs to.
  private static String loader() {
    ClassLoader loader = HeldFiles.class.getClassLoader();
    return loader == null
        ? "boot"
        : loader.getClass().getName() + "@" + Integer.toHexString(System.identityHashCode(loader));
  }

  /// What identifies a file or directory, whatever path leads to it.
  static String keyOf(Path path) throws IOException {
    Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    return key == null ? path.toRealPath().toString() : key.toString();
  }

  /// Enters a key.
  ///
  /// @param where what is meant, as a fact for messages
  /// @throws StoreLockedException if a store of this process has entered it
  static void enter(String key, String where) {
    Object holder = System.getProperties().putIfAbsent(PREFIX + key, LOADER);
    if (holder != null) {
      throw refusal(where, String.valueOf(holder));
    }
  }

  /// Removes a key that was entered.
  static void leave(String key) {
    System.getProperties().remove(PREFIX + key, LOADER);
  }

  static StoreLockedException refusal(String where, String holder) {
    long pid = ProcessHandle.current().pid();
    if (LOADER.equals(holder)) {
      return new StoreLockedException(
          "store is already open in this process: "
              + where
              + ", holderPid="
              + pid
              + "; share the open store or close it first");
    }
    return new StoreLockedException(
        "store is open in another class loader of this process: "
            + where
            + ", holderPid="
            + pid
            + ", holderLoader="
            + holder
            + ", thisLoader="
            + LOADER
            + "; close it there first, or let both share one copy of Varve and one open store");
  }
}
