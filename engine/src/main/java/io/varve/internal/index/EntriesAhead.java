package io.varve.internal.index;

import io.varve.Cursor;
import io.varve.internal.disk.StoreThreads;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The entries of a cursor, in its order: a second thread reads those that follow while the calling
/// one asks definitions about those before (BUILD-6).
///
/// For one thread at a time.
final class EntriesAhead implements AutoCloseable {
  private final StoreThreads threads;
  private final Cursor cursor;
  private final long bytesTogether;

  /// Each key, and then its value.
  private List<byte[]> read = List.of();

  /// The key that comes next, in these.
  private int next;

  /// Whether the cursor has come to its end. For the thread that reads.
  private boolean hasEnded;

  /// What was read last. For the thread that reads.
  private long readBytes;

  private @Nullable SecondThread<List<byte[]>> following;

  /// @param cursor before its first entry; closed with this
  /// @param bytesTogether how much is read together, and an entry that is begun; twice as much is
  ///   in memory. While an entry of more than twice this is used, none is read: two might not fit.
  ///   Where this is 0, the calling thread reads each entry when it is asked for
  EntriesAhead(StoreThreads threads, Cursor cursor, long bytesTogether) {
    this.threads = threads;
    this.cursor = cursor;
    this.bytesTogether = bytesTogether;
  }

  /// Goes to the next entry.
  ///
  /// @return false if there is none
  boolean next() {
    next += 2;
    if (next >= read.size()) {
      SecondThread<List<byte[]>> begun = following;
      following = null;
      read = List.of(); // an entry may take so much that the next one fits only without it
      read = begun == null ? read() : begun.await();
      next = 0;
      if (!hasEnded && readBytes < 2 * bytesTogether) {
        following = SecondThread.begin(threads, this::read);
      }
    }
    return next < read.size();
  }

  /// The key of the entry that this is at.
  byte[] key() {
    return read.get(next);
  }

  /// The value of the entry that this is at.
  byte[] value() {
    return read.get(next + 1);
  }

  private List<byte[]> read() {
    List<byte[]> entries = new ArrayList<>();
    readBytes = 0;
    do {
      if (!cursor.next()) {
        hasEnded = true;
        break;
      }
      byte[] key = cursor.key();
      byte[] value = cursor.value();
      entries.add(key);
      entries.add(value);
      readBytes += key.length + (long) value.length;
    } while (readBytes < bytesTogether);
    return entries;
  }

  /// Waits for the second thread.
  @Override
  public void close() {
    if (following != null) {
      following.finish();
    }
    cursor.close();
  }
}
