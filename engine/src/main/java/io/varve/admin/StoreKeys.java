package io.varve.admin;

import io.varve.KeySource;
import io.varve.StoreIoException;
import io.varve.StoreKeyException;
import io.varve.StoreLockedException;
import io.varve.internal.store.StoreOpener;
import java.nio.file.Path;

/// Changes the key of an encrypted store that is not open.
///
/// @since 1.0
public final class StoreKeys {
  private StoreKeys() {}

  /// Replaces the key-encryption key of the store in `directory`: from now on it opens with the
  /// current key of `newKeys` alone.
  ///
  /// - **Durability:** durable when it returns; a crash before that leaves the old key or the new
  ///   one in force, and the store whole.
  /// - **Cost:** writes one small file, whatever the size of the store: the key that the data is
  ///   encrypted with stays the same. So somebody who has both the old key and an old copy of the
  ///   store's `keys` file can still read it; if the old key may be known to others, load the data
  ///   into a new store.
  ///
  /// @throws StoreKeyException if the store is not encrypted, or not by a key of `oldKeys`
  /// @throws StoreLockedException if the store is open
  /// @throws StoreIoException if the directory cannot be used
  public static void change(Path directory, KeySource oldKeys, KeySource newKeys) {
    StoreOpener.changeKey(directory, oldKeys, newKeys);
  }
}
