package io.varve.internal.store;

import io.varve.CorruptStoreException;
import io.varve.StoreKeyException;
import io.varve.StoreOptions;
import io.varve.internal.crypto.DataKey;
import io.varve.internal.crypto.Keyring;
import io.varve.internal.disk.DiskLock;
import io.varve.internal.disk.MeteredDisk;
import io.varve.internal.file.Superblock;
import org.jspecify.annotations.Nullable;

/// The directory of a store that this process has locked, and what opens it.
///
/// @param keys null if the store is not encrypted
record LockedDirectory(MeteredDisk disk, DiskLock lock, @Nullable Keyring keys) {
  /// Null if the store is not encrypted.
  @Nullable DataKey dataKey() {
    return keys == null ? null : keys.dataKey();
  }

  /// Refuses keys of another store, and a key where none is needed: a user who gives one believes
  /// that what he puts is encrypted.
  void requireBelong(StoreOptions options, Superblock newest) {
    if (keys == null) {
      if (options.encryption() != null) {
        throw new StoreKeyException(
            "the store is not encrypted, but a key was given: directory="
                + disk.describe("")
                + "; open it without, or load its data into a new store that is encrypted");
      }
    } else if (keys.idHigh() != newest.idHigh() || keys.idLow() != newest.idLow()) {
      throw new CorruptStoreException(
          "the keys file belongs to another store: directory="
              + disk.describe("")
              + "; put the files of one store together, or restore it from a backup");
    }
  }
}
