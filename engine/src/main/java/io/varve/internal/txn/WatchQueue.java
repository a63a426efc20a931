package io.varve.internal.txn;

import io.varve.Watch.Change;
import io.varve.internal.tree.StoredValue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The changes of a space that one reader has not taken yet, as a list. Its end belongs to the
/// holder of the lock of the space, and its beginning to the reader (WATCHES-1).
final class WatchQueue {
  /// About what a change, or a commit, takes on the heap apart from its bytes.
  private static final int OBJECT_BYTES = 96;

  /// The changes of a commit; none if they are missed.
  static final class Node {
    private final List<Change> changes;
    private final long bytes;
    private long commit;
    private volatile @Nullable Node next;

    Node(List<Change> changes, long bytes) {
      this.changes = changes;
      this.bytes = bytes;
    }

    List<Change> changes() {
      return changes;
    }

    long commit() {
      return commit;
    }
  }

  private final long bytesMax;

  /// The newest commit. Of the writer, as all down to `added`.
  private Node last = new Node(List.of(), 0);

  private List<Change> saying = List.of();
  private long sayingBytes;
  private boolean hasCapacity;
  private @Nullable Node said;

  /// Whether changes are missed since the last restart.
  private boolean missed;

  /// The bytes of all commits that were added since then.
  private long added;

  /// The commit that was taken last, and the bytes of all those. Of the reader.
  private Node first = last;

  private volatile long taken;
  private volatile @Nullable Thread reader;

  WatchQueue(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /// Begins with what is committed next. By the reader, while the gate is shut.
  void restart() {
    last = new Node(List.of(), 0);
    first = last;
    said = null;
    missed = false;
    added = 0;
    taken = 0;
  }

  /// Begins the announcement of a commit.
  void begin() {
    said = null;
    saying = missed ? List.of() : new ArrayList<>();
    sayingBytes = OBJECT_BYTES;
    hasCapacity = !missed;
  }

  /// Announces the change of a key.
  ///
  /// @param content null if the key is deleted, or the value is nowhere on the heap
  void add(byte[] key, @Nullable StoredValue before, boolean puts, byte @Nullable [] content) {
    if (!hasCapacity || (before == null && !puts)) {
      return;
    }
    byte[] old = before == null || before.large() ? null : before.bytes();
    sayingBytes += OBJECT_BYTES + key.length + length(old) + length(content);
    hasCapacity = puts == (content != null) && added - taken + sayingBytes <= bytesMax;
    if (hasCapacity) {
      saying.add(
          new Change(key.clone(), before != null, old, content == null ? null : content.clone()));
    }
  }

  private static long length(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  /// Ends the announcement of a commit.
  void end() {
    if (missed) {
      return;
    }
    if (!hasCapacity) {
      said = new Node(List.of(), 0);
    } else if (!saying.isEmpty()) {
      said = new Node(List.copyOf(saying), sayingBytes);
    }
    saying = List.of();
  }

  /// Adds what was announced. Makes no object.
  void tell(long commit) {
    Node node = said;
    if (node != null) {
      said = null;
      node.commit = commit;
      missed = node.changes.isEmpty();
      added += node.bytes;
      last.next = node;
      last = node;
      wake();
    }
  }

  /// The oldest commit that was not taken, or null.
  @Nullable Node peek() {
    return first.next;
  }

  /// Takes that one.
  void take(Node node) {
    first = node;
    long before = taken;
    taken = before + node.bytes;
  }

  /// Sets the thread that waits for commits, or null.
  void waits(@Nullable Thread thread) {
    reader = thread;
  }

  void wake() {
    LockSupport.unpark(reader);
  }
}
