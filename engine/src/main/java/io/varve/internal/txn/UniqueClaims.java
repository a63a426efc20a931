package io.varve.internal.txn;

import io.varve.UniqueIndexException;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Which keys have a prefix of a unique index in a transaction. There may be several for a while:
/// two entries may change values. The commit is refused if there are several then.
///
/// For one thread at a time.
final class UniqueClaims {
  private final String space;
  private final Map<byte[], NavigableSet<byte[]>> keys = new TreeMap<>(Arrays::compareUnsigned);

  /// @param space the name of the indexed space
  UniqueClaims(String space) {
    this.space = space;
  }

  /// Notes what the transaction found before it changed anything of the prefix.
  ///
  /// @param present the key that has the prefix, or null
  void found(byte[] prefix, byte @Nullable [] present) {
    NavigableSet<byte[]> claims = new TreeSet<>(Arrays::compareUnsigned);
    if (present != null) {
      claims.add(present);
    }
    keys.put(prefix, claims);
  }

  boolean isKnown(byte[] prefix) {
    return keys.containsKey(prefix);
  }

  private NavigableSet<byte[]> of(byte[] prefix) {
    NavigableSet<byte[]> claims = keys.get(prefix);
    if (claims == null) {
      throw new IllegalStateException("the prefix was not looked up");
    }
    return claims;
  }

  /// Gives a prefix to a key.
  ///
  /// @return the key that has the prefix now, the first one if there are several
  byte[] add(byte[] prefix, byte[] key) {
    of(prefix).add(key);
    return of(prefix).first();
  }

  /// Takes a prefix from a key.
  ///
  /// @return the key that has the prefix now, the first one if there are several; null if none has
  byte @Nullable [] remove(byte[] prefix, byte[] key) {
    of(prefix).remove(key);
    return of(prefix).isEmpty() ? null : of(prefix).first();
  }

  /// @throws UniqueIndexException if two keys have one prefix
  void requireUnique(String index) {
    for (NavigableSet<byte[]> claims : keys.values()) {
      if (claims.size() > 1) {
        throw new UniqueIndexException(space, index, claims.last(), claims.first());
      }
    }
  }
}
