package io.varve.admin;

/// What a restore brought back.
///
/// @param point that it started from
/// @param lsn the last commit that the new store holds: that of the point, or a later one that the
///   archived log led to
public record Restored(BackupPoint point, long lsn) {}
