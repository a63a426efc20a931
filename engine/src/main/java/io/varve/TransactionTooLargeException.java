package io.varve;

/// A transaction needed more of the heap than transactions may have: than one may, or than all that
/// are open may together. Nothing of it was or will be written; close it. Make several of it, or
/// give Java a larger heap.
///
/// One may need half of what [StoreOptions#cacheBytes(long)] leaves of the heap, and all together
/// two thirds of it. What cannot be left counts as three quarters at most. Counted is what a
/// transaction reads and writes, with what its commit adds to the pages in memory.
///
/// @since 1.0
public final class TransactionTooLargeException extends VarveException {
  private static final long serialVersionUID = 1L;

  /// Makes an exception whose message states what happened, where, and what to do.
  public TransactionTooLargeException(String message) {
    super(message, null);
  }
}
