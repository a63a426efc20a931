package io.varve.cache;

import java.io.Serial;
import javax.cache.CacheException;

/// The value of an entry cannot be turned into an object, as after its class has changed or is
/// gone. The entry is what it was. Bring the class back, put the key again, or call
/// [VarveCache#removeUnreadable].
///
/// @since 1.0
public final class UnreadableEntryException extends CacheException {
  @Serial private static final long serialVersionUID = 1;

  /// Made by a cache.
  public UnreadableEntryException(String message, Throwable cause) {
    super(message, cause);
  }
}
