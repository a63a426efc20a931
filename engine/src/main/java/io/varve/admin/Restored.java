package io.varve.admin;

import io.varve.Commit;

/// What a restore brought back.
///
/// @param point that it started from
/// @param lastCommit the newest commit that the new store holds: that of the point, or a later one
///   that the archived log led to
/// @since 1.0
public record Restored(BackupPoint point, Commit lastCommit) {}
