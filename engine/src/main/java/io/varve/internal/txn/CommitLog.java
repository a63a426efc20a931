package io.varve.internal.txn;

import io.varve.Durability;
import io.varve.internal.wal.RecordSink;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/// Where commits get their place in the commit order.
///
/// Safe for threads.
public sealed interface CommitLog permits LoggedCommits, CountedCommits {
  /// The place of a commit, or [CommitOutcome#NO_CAPACITY]. Waits for nothing.
  long tryReserve(long bodyBytes);

  /// The place of a commit of the store itself, which no priority of another keeps waiting.
  long tryReserveForStore(long bodyBytes);

  /// Whether no other commit has priority.
  boolean mayReserve();

  /// Whether a commit could be reserved now. Waits for nothing.
  boolean hasCapacity(long bodyBytes);

  /// The end of the log.
  long tailLsn();

  /// Where a commit ends that was reserved at `start`: its LSN.
  long endOf(long start, long bodyBytes);

  /// Writes the record of a reserved commit, if any is kept. After an exception, [#fail] the log.
  ///
  /// @param body encodes the body
  /// @throws io.varve.StoreFailedException if the memory of the log cannot be written
  void write(long start, long bodyBytes, Consumer<RecordSink> body);

  /// Waits until a reservation may succeed. Called without locks.
  void awaitCapacity(long bodyBytes);

  /// Waits as [#awaitCapacity] does, while and after which no other commit is reserved: until the
  /// calling thread's is, or has called [#endPriority].
  void awaitCapacityWithPriority(long bodyBytes);

  /// Waits as [#awaitCapacity] does, for [#tryReserveForStore].
  void awaitCapacityForStore(long bodyBytes);

  /// Ends the priority of the calling thread, if it has it.
  void endPriority();

  /// Waits until the promise of `durability` holds for a commit.
  void await(long commit, Durability durability);

  /// A future that completes when the promise of `durability` holds for a commit.
  CompletableFuture<Void> whenDurable(long commit, Durability durability);

  /// The memory of the log, where there is one.
  int ringBytes();

  /// What that memory may grow to.
  int ringBytesMax();

  /// Makes the log refuse everything: what was applied may not be what was logged.
  void fail(Throwable cause);

  /// Whether there is a log, and so a choice of durability.
  boolean isDurable();
}
