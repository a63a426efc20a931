package io.varve.infinispan;

import org.infinispan.persistence.spi.PersistenceException;

/// A key has more bytes than an entry of the store can have. Nothing was read or written.
///
/// @since 1.0
public final class KeyLengthException extends PersistenceException {
  private static final long serialVersionUID = 1;

  KeyLengthException(String message) {
    super(message);
  }
}
