package io.varve;

/// Bytes read from disk fail their checksum, or the files of a store contradict each other. The
/// message names file, offset and what was expected. Nothing was changed. Restore from a backup, or
/// salvage what is intact.
///
/// @since 1.0
public final class CorruptStoreException extends VarveException {
  private static final long serialVersionUID = 1L;

  /// Makes an exception whose message states what happened, where, and what to do.
  public CorruptStoreException(String message) {
    super(message, null);
  }

  /// Makes an exception that also carries the failure that led to it.
  public CorruptStoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
