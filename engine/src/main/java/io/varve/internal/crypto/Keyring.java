package io.varve.internal.crypto;

import io.varve.KeySource;
import io.varve.StoreKeyException;
import io.varve.internal.disk.Disk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The keys of one encrypted store, opened.
///
/// @param dataKey the key of its data
/// @param idHigh the store that they belong to
/// @param idLow the store that they belong to
public record Keyring(DataKey dataKey, long idHigh, long idLow) {
  /// The files that they may be in.
  public static final List<String> FILE_NAMES = List.of(KeysFile.NAME, KeysFile.NEW_NAME);

  /// Opens the keys of the store on a disk, by what the user gives. Changes nothing.
  ///
  /// @return null if it has none: it is not encrypted, or not there
  /// @throws StoreKeyException if a key is needed and is not given, or another one
  /// @throws io.varve.CorruptStoreException if the keys are damaged
  public static @Nullable Keyring open(Disk disk, @Nullable KeySource source) throws IOException {
    WrappedKey wrapped = KeysFile.read(disk);
    return wrapped == null ? null : open(disk, wrapped, source);
  }

  private static Keyring open(Disk disk, WrappedKey wrapped, @Nullable KeySource source) {
    if (source == null) {
      throw new StoreKeyException(
          "the store is encrypted: directory="
              + disk.describe("")
              + ", keyId="
              + wrapped.keyId()
              + "; give its key, by StoreOptions.encryption() or --key-file");
    }
    byte[] key = require(source, wrapped.keyId());
    DataKey dataKey = wrapped.unwrap(key);
    Arrays.fill(key, (byte) 0);
    if (dataKey == null) {
      throw new StoreKeyException(
          "wrong key: file="
              + disk.describe(KeysFile.NAME)
              + ", keyId="
              + wrapped.keyId()
              + "; give the key that the store was made with, or last changed to");
    }
    return new Keyring(dataKey, wrapped.idHigh(), wrapped.idLow());
  }

  /// Makes the keys of a new store: a random data key, encrypted by the source's current key.
  public static Keyring create(Disk disk, KeySource source, long idHigh, long idLow)
      throws IOException {
    Keyring keys = new Keyring(DataKey.random(), idHigh, idLow);
    keys.write(disk, source, 0);
    return keys;
  }

  /// Encrypts the data key of a store anew, by the current key of another source. A crash leaves
  /// either the old key or the new one in force.
  ///
  /// @throws StoreKeyException if the store is not encrypted, or not by a key of `oldKeys`
  public static void change(Disk disk, KeySource oldKeys, KeySource newKeys) throws IOException {
    WrappedKey wrapped = KeysFile.read(disk);
    if (wrapped == null) {
      throw new StoreKeyException(
          "the store is not encrypted: directory="
              + disk.describe("")
              + "; a store is encrypted from the start or never: load its data into a new one");
    }
    open(disk, wrapped, oldKeys).write(disk, newKeys, wrapped.changes() + 1);
  }

  private void write(Disk disk, KeySource source, int changes) throws IOException {
    String keyId = source.currentId();
    if (keyId.getBytes(StandardCharsets.UTF_8).length > WrappedKey.KEY_ID_BYTES_MAX) {
      throw new StoreKeyException(
          "id of a key too long: keyId=" + keyId + ", max=" + WrappedKey.KEY_ID_BYTES_MAX);
    }
    byte[] key = require(source, keyId);
    KeysFile.write(disk, WrappedKey.wrap(dataKey, key, keyId, idHigh, idLow, changes));
    Arrays.fill(key, (byte) 0);
  }

  private static byte[] require(KeySource source, String keyId) {
    byte[] key = source.key(keyId);
    if (key == null) {
      throw new StoreKeyException(
          "key unknown: keyId=" + keyId + "; give the source of keys that the store was made with");
    }
    if (key.length != KeySource.KEY_BYTES) {
      throw new StoreKeyException(
          "key of a wrong length: keyId="
              + keyId
              + ", bytes="
              + key.length
              + ", expected="
              + KeySource.KEY_BYTES
              + "; give a key of 256 bits");
    }
    return key;
  }
}
