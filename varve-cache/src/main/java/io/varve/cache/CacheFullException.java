package io.varve.cache;

import java.io.Serial;
import javax.cache.CacheException;

/// A cache has as many entries or bytes as it may, and refuses more ([HeapFull#REFUSE]). The entry
/// of the key is what it was. Remove entries, or wait until some end, and try again.
///
/// If the cache has a writer, it was given the change before: then the cache has no entry of the
/// key any more, so that it shows no value that the source does not have.
///
/// @since 1.0
public final class CacheFullException extends CacheException {
  @Serial private static final long serialVersionUID = 1;

  /// Made by a cache.
  public CacheFullException(String message) {
    super(message);
  }
}
