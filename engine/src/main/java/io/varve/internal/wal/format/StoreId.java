package io.varve.internal.wal.format;

import java.util.UUID;

/// The random identity of a store. Every log frame is salted with it, so that the log of one store
/// never checks as the log of another.
public record StoreId(long high, long low) {
  /// The one of so many random bits.
  public static StoreId of(UUID bits) {
    return new StoreId(bits.getMostSignificantBits(), bits.getLeastSignificantBits());
  }
}
