/// Group commit: which thread writes a batch of the log and when, which threads wait for it, and
/// what completes the futures of commits.
///
/// - **Knows:** batches, their order, waiters, forces, and the designs of group commit.
/// - **Must not know:** what a commit means, how segments are found again, checkpoints.
/// - **Entry:** [io.varve.internal.wal.group.GroupCommit], which a `GroupCommitPolicy` decides for.
/// - **Inside:** `BatchChain` (what is written and durable), `Batch` with its stack of `Waiter`s,
///   `WaitStrategy` (what a thread does before it parks), `WaitList` (threads that wait for
///   capacity), `FutureHandover` and `Completer` (futures).
/// - **Lock order:** the turn of a commit that forces by itself, which is held across file access;
///   then the seal lock or the advance lock, which are not. The force lock is only ever tried.
@NullMarked
package io.varve.internal.wal.group;

import org.jspecify.annotations.NullMarked;
