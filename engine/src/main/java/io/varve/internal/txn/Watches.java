package io.varve.internal.txn;

import io.varve.internal.tree.StoredValue;
import io.varve.internal.tree.TreeWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The watches of one space. A commit announces its changes before it reserves its LSN, and reports
/// them once it is applied. A report makes no object, so nothing can break off there.
///
/// (WATCHES-1) Commits announce and report under the lock of the space, inside the gate. So changes
/// are reported in commit order, and a queue that begins while the gate is shut gets all of a
/// commit or nothing.
final class Watches {
  /// What nobody watches.
  static final Watches NONE = new Watches();

  private final AtomicReference<List<WatchQueue>> queues = new AtomicReference<>(List.of());

  /// Whether a commit has announced its changes. Guarded by the lock of the space.
  private boolean expects;

  /// Adds a queue. While the gate is shut.
  void add(WatchQueue queue) {
    queues.updateAndGet(open -> with(open, queue));
  }

  private static List<WatchQueue> with(List<WatchQueue> open, WatchQueue queue) {
    if (open.contains(queue)) {
      return open;
    }
    List<WatchQueue> more = new ArrayList<>(open);
    more.add(queue);
    return List.copyOf(more);
  }

  void remove(WatchQueue queue) {
    queues.updateAndGet(open -> open.stream().filter(other -> !other.equals(queue)).toList());
  }

  /// Begins the announcement of a commit.
  ///
  /// @return whether somebody watches
  boolean begin() {
    List<WatchQueue> open = queues.get();
    expects = !open.isEmpty();
    for (int i = 0; i < open.size(); i++) {
      open.get(i).begin();
    }
    return expects;
  }

  /// Announces the change of a key.
  ///
  /// @param content null if the key is deleted, or the value is nowhere on the heap
  void add(byte[] key, @Nullable StoredValue before, boolean puts, byte @Nullable [] content) {
    for (WatchQueue queue : queues.get()) {
      queue.add(key, before, puts, content);
    }
  }

  /// Ends the announcement of a commit.
  void end() {
    queues.get().forEach(WatchQueue::end);
  }

  /// Announces a single change, if somebody watches.
  ///
  /// @param value null to delete
  /// @param writer has prepared it
  void expect(byte[] key, @Nullable NewValue value, TreeWriter writer) {
    if (begin()) {
      add(key, writer.found(), value != null, value == null ? null : value.content());
      end();
    }
  }

  /// Reports what was announced, now that it is applied.
  ///
  /// @param commit the LSN
  void tell(long commit) {
    if (expects) {
      expects = false;
      List<WatchQueue> open = queues.get();
      for (int i = 0; i < open.size(); i++) {
        open.get(i).tell(commit);
      }
    }
  }

  /// Lets the waiting readers look whether the space is still there.
  void wake() {
    List<WatchQueue> open = queues.get();
    for (int i = 0; i < open.size(); i++) {
      open.get(i).wake();
    }
  }
}
