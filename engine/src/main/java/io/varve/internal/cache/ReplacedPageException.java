package io.varve.internal.cache;

import io.varve.CorruptStoreException;
import org.jspecify.annotations.Nullable;

/// A reader of the live tree found another image than its reference names: most likely the node was
/// replaced concurrently, and its extent holds something else by now. The reader must start again
/// from the root. Only a reader that finds the same reference to mismatch again has found damage.
/// Never seen by users.
public final class ReplacedPageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final CorruptStoreException mismatch;
  private final long extent;
  private final int checksum;

  ReplacedPageException(CorruptStoreException mismatch, long extent, int checksum) {
    super(mismatch.getMessage(), null, false, false);
    this.mismatch = mismatch;
    this.extent = extent;
    this.checksum = checksum;
  }

  /// Whether the reference is the one that mismatched before.
  public boolean isSameAs(@Nullable ReplacedPageException before) {
    return before != null && before.extent == extent && before.checksum == checksum;
  }

  /// The exception for a reader whose extent was held: to that reader a mismatch is damage.
  public CorruptStoreException mismatch() {
    return mismatch;
  }
}
