package io.varve.internal.wal.segment;

/// What group commit works on: the parts of an open log below it.
///
/// @param memory what frames are filled in
/// @param segments what batches of them are written to
/// @param tail where commits reserve
/// @param published how far frames are published
public record LogParts(
    LogBuffer memory, Segments segments, Tail tail, PublishedPosition published, Failure failure) {}
