/// The log: commits laid down in order, made durable in groups, and found again after a crash.
///
/// - **Knows:** frames, the ring, batches, segments, generations; a commit's body is only bytes.
/// - **Must not know:** what a commit means, pages, trees, transactions.
/// - **Entry:** [io.varve.internal.wal.Log]; after a crash [io.varve.internal.wal.LogRecovery].
/// - **Lock order:** the seal lock, then nothing; the segment lock, then nothing. Neither is held
///   across a system call on the commit path, and no lock of a caller's may be needed by a log
///   thread. `tryReserve`, a sink within the ring and `publish` never block.
@NullMarked
package io.varve.internal.wal;

import org.jspecify.annotations.NullMarked;
