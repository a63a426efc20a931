/// Where a record is put: the end of the log that commits reserve at, the memory that frames are
/// filled in, and the segment files that batches are written to.
///
/// - **Knows:** reservations, terms, what is published, segments ahead of the end and released
///   ones, the log's options, and how a log fails.
/// - **Must not know:** batches, threads that wait for them, recovery.
/// - **Inside:** `Tail` (reservations) over `LogBuffer` (frames in memory: a `Ring`, or
///   `MappedSegments`); `PublishedPosition` (what is with the operating system); `Segments`
///   (files), which the thread of `SegmentAllocator` prepares and releases; `LogArchive` (segments
///   that no checkpoint needs).
/// - **Lock order:** the monitors of `Segments` (with that of `MappedSegments` inside) and
///   `SegmentAllocator` are taken one at a time, and not held across file access. Reserving,
///   filling a frame and publishing it take no lock and never wait.
@NullMarked
package io.varve.internal.wal.segment;

import org.jspecify.annotations.NullMarked;
