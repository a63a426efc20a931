package io.varve.internal.page;

import io.varve.CorruptStoreException;

/// A reader of the live tree came to a node that was replaced meanwhile, and whose extent may hold
/// something else by now: it must start again from the root. No error, and never seen by users.
public final class ReplacedPageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final CorruptStoreException mismatch;

  ReplacedPageException(CorruptStoreException mismatch) {
    super(mismatch.getMessage(), null, false, false);
    this.mismatch = mismatch;
  }

  /// What it is to a reader for whom the extent was held: damage.
  public CorruptStoreException mismatch() {
    return mismatch;
  }
}
