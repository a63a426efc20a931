package io.varve.internal.backup;

import io.varve.internal.page.Superblock;

/// A checkpoint whose pages stay where they are until it is let go of.
///
/// @param superblock that names it
/// @param lsn the last commit that it holds
public record HeldCheckpoint(Superblock superblock, long lsn) {}
