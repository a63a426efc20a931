package io.varve;

import io.varve.internal.crypto.SingleKey;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Gives the keys that protect encrypted stores: see [StoreOptions#encryption(KeySource)].
///
/// A store's data is encrypted by a random key of its own, and that one by a *key-encryption key*
/// from here. Varve asks for it while a store is opened or its key is changed, and keeps only its
/// id. Implement this to fetch keys from a vault; [#file(Path)] and [#of(byte[])] give one key.
///
/// @since 1.0
public interface KeySource {
  /// The length of a key: 256 bits.
  int KEY_BYTES = 32;

  /// The id of the key for new stores and for changes of key, at most 255 bytes in UTF-8. It is
  /// stored in clear. A null makes a new store, and a change of key, fail with a
  /// [StoreKeyException].
  String currentId();

  /// The key of that id, in an array that Varve may wipe.
  ///
  /// @return null if there is none
  byte @Nullable [] key(String id);

  /// The source of one key, which it takes to be the right one for any store.
  ///
  /// @param key 32 bytes that nobody can guess: from a random source, not from a password
  static KeySource of(byte[] key) {
    return new SingleKey(key);
  }

  /// The source of the key in a file, which is read now. It holds 32 bytes, as they are, as 64 hex
  /// digits or in Base64. It must not be readable by everybody nor writable by others than its
  /// owner. A file of 32 characters of hex or Base64 holds too short a key, and is refused.
  ///
  /// @throws StoreKeyException if it is not so
  static KeySource file(Path file) {
    return SingleKey.read(file);
  }
}
