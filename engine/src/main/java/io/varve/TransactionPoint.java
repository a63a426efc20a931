package io.varve;

import org.jspecify.annotations.Nullable;

/// A point between the writes of a transaction, from [Transaction#point()]. It shows what the
/// transaction wrote before it, and nothing that was written later: for streams whose parts are
/// opened one after the other, while the transaction is changed.
///
/// - **Conflicts:** what is read counts as if the transaction had read it.
/// - **Threads:** for that of the transaction.
/// - **Errors:** refuses reads with an [IllegalStateException] when the transaction has ended.
///
/// @since 1.0
public interface TransactionPoint {
  /// A cursor over the keys of `range` as of this point, which begins before the first. Close it.
  Cursor cursor(Space space, Range range);

  /// The value that `key` had at this point, as a copy, or null if it was absent.
  byte @Nullable [] get(Space space, byte[] key);

  /// Whether the transaction has written to `key` since. It reads nothing of the store.
  boolean isWritten(Space space, byte[] key);
}
