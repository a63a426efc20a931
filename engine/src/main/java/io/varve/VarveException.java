package io.varve;

import org.jspecify.annotations.Nullable;

/// The root of all failures of a store. There is one subclass per thing that a caller can do about
/// it. Misuse (a null key, a key too long, a use of a finished transaction) is an
/// [IllegalArgumentException], [NullPointerException] or [IllegalStateException] instead.
///
/// @since 1.0
public abstract sealed class VarveException extends RuntimeException
    permits ConflictException,
        CorruptStoreException,
        StoreBusyException,
        StoreClosedException,
        StoreFailedException,
        StoreFullException,
        StoreIoException,
        StoreKeyException,
        StoreLockedException,
        TransactionTooLargeException,
        UniqueIndexException,
        UnsupportedFormatException {
  private static final long serialVersionUID = 1L;

  VarveException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
