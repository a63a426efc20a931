package io.varve;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The changes of one space from a snapshot on, commit by commit, each once and in commit order
/// ([Store#watch(Space)]).
///
/// ```java
/// try (Watch watch = store.watch(users)) {
///   try (Snapshot first = watch.start()) {
///     // read what is there
///   }
///   Watch.Committed next = watch.next(Duration.ofSeconds(1)); // what was committed since
/// }
/// ```
///
/// - **What:** what any call commits to the space: single changes, transactions, ranges, loads. To
///   move a value in the file is no change, nor is it to delete a key that is absent.
/// - **Writers never wait** for the reader. Changes wait for it in a queue that is bounded by
///   bytes. If one does not fit, it and all later ones are missed. [Committed#areMissed()] returns
///   true after those before it: call [#start()] again, and read its snapshot.
/// - **Durability:** by default a change is reported when it is applied, as a snapshot shows it: a
///   crash may take it back. With [Visibility#DURABLE] each is reported when it would survive loss
///   of power.
/// - **Threads:** `start` and `next` for one thread at a time; `close` for any.
///
/// @since 1.0
public interface Watch extends AutoCloseable {
  /// What a commit did to a key.
  ///
  /// @param key of the entry
  /// @param wasPresent whether there was an entry before
  /// @param before its value; null if there was none, or if that was longer than a quarter of a
  ///   page
  /// @param after the value from now on, or null if the entry was removed
  record Change(
      byte[] key, boolean wasPresent, byte @Nullable [] before, byte @Nullable [] after) {}

  /// What a commit did to the space.
  ///
  /// @param commit which
  /// @param changes by key, each key once; none if they are missed
  record Committed(Commit commit, List<Change> changes) {
    /// Whether the changes of this commit, and of later ones, were too much for the queue. Also if
    /// one was a value of more than 2 MiB, a part of the log's ring, or a stream.
    public boolean areMissed() {
      return changes.isEmpty();
    }
  }

  /// A snapshot, and from now on `next` gives the commits after it, and none of those before. Close
  /// the snapshot. Keeps commits out for a short time, whether there were any or not.
  ///
  /// @throws IllegalStateException if the space was dropped or the watch is closed
  Snapshot start();

  /// Waits for the next commit that changed the space. An interrupt does not end the wait, and
  /// leaves the flag set.
  ///
  /// @param timeout how long at most; zero for no wait. To wait for durability takes longer
  /// @return null if there was none in that time
  /// @throws IllegalStateException if the watch was not started, or is closed; or the space was
  ///   dropped, and all before that was returned
  @Nullable Committed next(Duration timeout);

  /// Ends the watch, and the wait of its reader. Idempotent.
  @Override
  void close();
}
