package io.varve.admin;

import io.varve.Commit;
import java.time.Instant;
import java.util.UUID;

/// A state of a store that a backup keeps, to which it can be restored.
///
/// @param number of the point in its directory, from 1; never used twice there
/// @param store the life of the store that was backed up; a restored store begins another
/// @param base the number of the point that this one continues from, or 0 if it is a full one
/// @param lastCommit the newest commit that it holds
/// @param time when it was taken
/// @param bytes of its file
/// @param file where it is kept
/// @since 1.0
public record BackupPoint(
    long number, UUID store, long base, Commit lastCommit, Instant time, long bytes, String file) {
  /// Whether it holds everything, rather than what changed since its base.
  public boolean isFull() {
    return base == 0;
  }
}
