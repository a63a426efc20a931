/// The bytes of the log: frames, the records in them, and the headers and names of segment files.
///
/// - **Knows:** where each field is, what checks, and how a file is read; an LSN, a generation.
/// - **Must not know:** which threads write or wait, memory that is shared, what a commit's body
///   means.
/// - **Entry:** [io.varve.internal.wal.format.FrameHeader] and
///   [io.varve.internal.wal.format.SegmentHeader] own the tables; `FrameReader` walks over a file.
/// - **Locks:** none; objects are immutable, or used by one thread.
@NullMarked
package io.varve.internal.wal.format;

import org.jspecify.annotations.NullMarked;
