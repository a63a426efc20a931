package io.varve.admin;

import java.util.List;

/// What a salvage found, and what it could not.
///
/// @param losses the first of what could not be read, or not surely; empty if nothing was lost
/// @param lossCount how many there are in all
/// @param spaces spaces of the new store
/// @param pageEntries entries taken from pages
/// @param foundEntries those of them that come from pages found by search, since what led to them
///   is lost: some may be older than what the store held, or deleted since
/// @param commits commits taken from the log
/// @since 1.0
public record SalvageReport(
    List<Loss> losses,
    long lossCount,
    long spaces,
    long pageEntries,
    long foundEntries,
    long commits) {
  /// Copies the list.
  public SalvageReport {
    losses = List.copyOf(losses);
  }

  /// Something that could not be read.
  ///
  /// @param file that it is in
  /// @param offset where in the file
  /// @param what it was, as far as known
  public record Loss(String file, long offset, String what) {
    @Override
    public String toString() {
      return what + ": file=" + file + ", offset=" + offset;
    }
  }

  /// Whether the new store holds all that the damaged one held.
  public boolean isComplete() {
    return lossCount == 0;
  }
}
