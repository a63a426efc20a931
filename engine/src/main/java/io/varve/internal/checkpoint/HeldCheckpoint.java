package io.varve.internal.checkpoint;

import io.varve.internal.file.Superblock;

/// A checkpoint whose pages stay where they are until it is released.
///
/// @param superblock that names it
/// @param lsn the last commit that it holds
/// @param logFromLsn the LSN from which an archived log holds all that restores need to continue
///   from here, at most the superblock's cut; -1 if the log is not kept
public record HeldCheckpoint(Superblock superblock, long lsn, long logFromLsn) {}
