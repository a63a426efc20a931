package io.varve.internal.txn;

/// Whether each change of an indexed space in a transaction was written whole: first its index
/// entries, then the change itself. Once a change broke off between the two, the indexes of the
/// transaction disagree with its rows, whatever it changes after that.
///
/// For one thread at a time.
final class WholeChanges {
  /// Whether index entries were written of a change that has not ended.
  private boolean isHalfWritten;

  /// Never false again, once one broke off.
  private boolean hasBrokenOff;

  /// Begins a change. The one before broke off if it has not ended.
  void begin() {
    hasBrokenOff |= isHalfWritten;
    isHalfWritten = false;
  }

  /// Notes that the change writes an index entry.
  void entry() {
    isHalfWritten = true;
  }

  /// Ends the change, which is written whole.
  void end() {
    isHalfWritten = false;
  }

  /// Lets a commit pass.
  ///
  /// @throws IllegalStateException if a change broke off
  void require() {
    if (hasBrokenOff || isHalfWritten) {
      throw new IllegalStateException(
          "a change of an indexed space broke off in the transaction, so its indexes would not"
              + " agree; run the transaction again, and let what a change throws end it");
    }
  }
}
