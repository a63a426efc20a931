package io.varve.infinispan;

import io.varve.Space;
import io.varve.StoreFullException;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Which opening of a store its entries are of. Each one has an identity of its own, which is
/// committed before any change of it. What is derived from the entries notes the identity at its
/// end. It matches the entries if the next opening finds the same identity.
///
/// @param previous of the opening before; null if this is the first
/// @param afterStop whether the opening before ended with a stop of the cache
/// @param current of this one
record StoreSession(@Nullable UUID previous, boolean afterStop, UUID current) {
  private static final System.Logger LOGGER = System.getLogger(StoreSession.class.getName());

  /// Next to the number of segments, whose key is empty.
  private static final byte[] KEY = {'s'};

  /// Under it is the identity of the opening that ended last with a stop.
  private static final byte[] END_KEY = {'e'};

  /// Begins another one. On a full disk its identity is committed nowhere, and so will not be
  /// found.
  ///
  /// @param space that of [Layout]
  static StoreSession begin(Space space) {
    byte[] found = space.get(KEY);
    UUID current = UUID.randomUUID();
    try {
      space.put(KEY, bytes(current));
    } catch (StoreFullException e) {
      LOGGER.log(
          System.Logger.Level.WARNING, "no capacity to note that a cache has been started", e);
    }
    boolean afterStop = found != null && Arrays.equals(found, space.get(END_KEY));
    return new StoreSession(found == null ? null : uuid(found), afterStop, current);
  }

  /// Ends this one by a stop. On a full disk that is not known to the next one.
  void end(Space space) {
    try {
      space.put(END_KEY, bytes(current));
    } catch (StoreFullException e) {
      LOGGER.log(
          System.Logger.Level.WARNING, "no capacity to note that a cache has been stopped", e);
    }
  }

  private static byte[] bytes(UUID session) {
    byte[] bytes = new byte[2 * Long.BYTES];
    BigEndian.LONG.set(bytes, 0, session.getMostSignificantBits());
    BigEndian.LONG.set(bytes, Long.BYTES, session.getLeastSignificantBits());
    return bytes;
  }

  private static UUID uuid(byte[] bytes) {
    return new UUID(
        (long) BigEndian.LONG.get(bytes, 0), (long) BigEndian.LONG.get(bytes, Long.BYTES));
  }
}
