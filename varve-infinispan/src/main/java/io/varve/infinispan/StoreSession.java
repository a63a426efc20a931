package io.varve.infinispan;

import io.varve.Space;
import io.varve.StoreFullException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Which opening of a store its entries are of. Each one has an identity of its own, which is
/// committed before any change of it: so what was derived from the entries, and noted the identity
/// at its end, is as they are if the next opening finds the same one.
///
/// @param previous of the opening before; null if this is the first
/// @param current of this one
record StoreSession(@Nullable UUID previous, UUID current) {
  private static final System.Logger LOGGER = System.getLogger(StoreSession.class.getName());

  /// Beside the number of segments, whose key is empty.
  private static final byte[] KEY = {'s'};

  /// Begins another one. On a full disk its identity is committed nowhere, and so will not be
  /// found.
  ///
  /// @param space that of [Layout]
  static StoreSession begin(Space space) {
    byte[] found = space.get(KEY);
    UUID current = UUID.randomUUID();
    byte[] bytes = new byte[2 * Long.BYTES];
    BigEndian.LONG.set(bytes, 0, current.getMostSignificantBits());
    BigEndian.LONG.set(bytes, Long.BYTES, current.getLeastSignificantBits());
    try {
      space.put(KEY, bytes);
    } catch (StoreFullException e) {
      LOGGER.log(System.Logger.Level.WARNING, "no room to note that a cache has been started", e);
    }
    UUID previous =
        found == null
            ? null
            : new UUID(
                (long) BigEndian.LONG.get(found, 0), (long) BigEndian.LONG.get(found, Long.BYTES));
    return new StoreSession(previous, current);
  }
}
