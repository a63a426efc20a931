package io.varve.internal.disk;

import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// A file that this process has locked.
///
/// (L1) No channel of it is closed before the lock is released, since POSIX would release the lock
/// with it. So all handles of the file share channels, one for each set of options, and closing a
/// handle leaves its channel open.
final class LockedFile {
  /// Where a file is locked: far past its end, since a locked range cannot be read where locks are
  /// mandatory (Windows).
  private static final long LOCK_POSITION = Long.MAX_VALUE - 1;

  /// Channels that must never be closed: the process holds a lock through another channel of the
  /// same file, and nobody entered it.
  private static final Queue<AsynchronousFileChannel> NEVER_CLOSED = new ConcurrentLinkedQueue<>();

  private final Directory directory;
  private final String name;
  private final Path path;
  private final String enteredKey;
  private final String key;

  /// By options. Guarded by this.
  private final Map<Set<OpenOption>, AsynchronousFileChannel> channels;

  private LockedFile(
      Directory directory,
      String name,
      Path path,
      String enteredKey,
      String key,
      Map<Set<OpenOption>, AsynchronousFileChannel> channels) {
    this.directory = directory;
    this.name = name;
    this.path = path;
    this.enteredKey = enteredKey;
    this.key = key;
    this.channels = channels;
  }

  /// Locks a file that exists: against all others, or, if a read-only disk may not write to it,
  /// against those that may.
  ///
  /// @return null if another process holds it
  /// @throws io.varve.StoreLockedException if another store of this process holds it
  static @Nullable LockedFile lock(Directory directory, String name, Path path) throws IOException {
    String entered = HeldFiles.keyOf(path);
    HeldFiles.enter(entered, "file=" + path); // (H1)
    LockedFile locked = null;
    try {
      Set<OpenOption> options = FileChannels.READ_AND_WRITE;
      AsynchronousFileChannel channel;
      try {
        channel = FileChannels.open(path, options);
      } catch (IOException e) {
        if (!directory.isReadOnly() || !FileErrors.refusesWrites(e)) {
          throw e;
        }
        options = FileChannels.READ;
        channel = FileChannels.open(path, options);
      }
      boolean isOthers = false;
      try {
        if (channel.tryLock(LOCK_POSITION, 1, /* shared= */ options.equals(FileChannels.READ))
            != null) {
          Map<Set<OpenOption>, AsynchronousFileChannel> channels = new HashMap<>();
          channels.put(options, channel);
          // A file system of layers may have made a copy for the writer.
          locked = new LockedFile(directory, name, path, entered, HeldFiles.keyOf(path), channels);
        }
      } catch (OverlappingFileLockException e) {
        isOthers = true;
        NEVER_CLOSED.add(channel);
        throw HeldFiles.refusal("file=" + path, "unknown");
      } finally {
        if (locked == null && !isOthers) {
          channel.close(); // releases at most the lock that was just taken
        }
      }
      return locked;
    } finally {
      if (locked == null) {
        HeldFiles.leave(entered);
      }
    }
  }

  /// Another handle of the file.
  synchronized FileDiskFile open(Set<OpenOption> options) throws IOException {
    AsynchronousFileChannel channel = channels.get(options);
    if (channel == null) {
      channel = FileChannels.open(path, options);
      channels.put(Set.copyOf(options), channel);
    }
    return FileDiskFile.shared(directory, name, path, channel);
  }

  /// Checks that the path still leads to this file.
  void requireInPlace() throws IOException {
    String found;
    try {
      found = HeldFiles.keyOf(path);
    } catch (NoSuchFileException _) {
      found = "none";
    }
    if (!found.equals(key)) {
      throw new IOException(
          "file of an open store was deleted, moved or replaced: file="
              + path
              + ", expected="
              + key
              + ", found="
              + found
              + "; close the store, put the file back and open it again");
    }
  }

  /// Closes all channels, and with them the lock.
  synchronized void close() throws IOException {
    var steps = new ClosingSteps();
    for (AsynchronousFileChannel channel : channels.values()) {
      steps.take(channel::close);
    }
    steps.take(() -> HeldFiles.leave(enteredKey));
    steps.throwFailure();
  }
}
