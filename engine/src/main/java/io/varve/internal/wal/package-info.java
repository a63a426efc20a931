/// The log: commits appended in order, made durable in groups, and found again after a crash.
///
/// - **Knows:** how an open log is made of its parts, and what is left of one after a crash; a
///   commit's body is only bytes.
/// - **Must not know:** what a commit means, pages, trees, transactions.
/// - **Entry:** [io.varve.internal.wal.Log]; after a crash [io.varve.internal.wal.LogRecovery].
/// - **Below:** `group` (which thread writes a batch, which ones wait), over `segment` (where a
///   record is put), over `format` (bytes). Each uses only those after it.
/// - **Lock order:** the turn of a commit that forces by itself, which is held across file access;
///   then the log's own monitor (release, close); then any one of: the seal lock, the advance lock,
///   the monitors of `Segments` (with that of `MappedSegments` inside) and `SegmentAllocator`.
///   Except the first, none is held across file access, nor needed by a caller that holds locks of
///   its own, except a few instructions: `tryReserve`, a sink within one frame and `publish` never
///   wait.
@NullMarked
package io.varve.internal.wal;

import org.jspecify.annotations.NullMarked;
