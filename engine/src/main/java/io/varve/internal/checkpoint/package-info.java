/// Checkpoints, and what must wait for them: ties the log and the page file together.
///
/// Knows when a checkpoint is due and how it is written, how fast concurrently with commits; which
/// commits are admitted while the disk or memory is nearly full, and how capacity is freed for
/// them; how the page file is compacted and verified. Must not know how a store is opened,
/// recovered or closed, or what users hold of it. Entry classes:
/// [io.varve.internal.checkpoint.Checkpointer], [io.varve.internal.checkpoint.CheckpointScheduler]
/// and [io.varve.internal.checkpoint.CommitAdmission].
///
/// Lock order, as [io.varve.internal.lock.LockOrder] checks it: the locks of
/// [io.varve.internal.checkpoint.CapacityReclaimer], the checkpoint lock, the lock of page writes,
/// then those of `internal.txn` that a checkpoint takes: the lock of its `Snapshots`, the gate, and
/// what is below. The write locks of spaces come between, but a thread that holds one takes none of
/// these: it is admitted before. `Compactor` only tries for write locks.
@NullMarked
package io.varve.internal.checkpoint;

import org.jspecify.annotations.NullMarked;
