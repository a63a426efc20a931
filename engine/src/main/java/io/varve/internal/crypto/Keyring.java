package io.varve.internal.crypto;

import io.varve.CorruptStoreException;
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
/// @param keyId the id of the key-encryption key
/// @param idHigh the store that they belong to
/// @param idLow the store that they belong to
public record Keyring(DataKey dataKey, String keyId, long idHigh, long idLow) {
  /// The files that they may be in.
  public static final List<String> FILE_NAMES = List.of(KeysFile.NAME, KeysFile.NEW_NAME);

  /// The length of a copy of keys.
  public static final int COPY_BYTES = WrappedKey.BYTES;

  /// Opens the keys of the store on a disk, by what the user gives. Changes nothing.
  ///
  /// @return null if it has none: it is not encrypted, or not there
  /// @throws StoreKeyException if a key is needed and is not given, or another one
  /// @throws CorruptStoreException if the keys are damaged
  public static @Nullable Keyring open(Disk disk, @Nullable KeySource source) throws IOException {
    WrappedKey wrapped = KeysFile.read(disk);
    return wrapped == null ? null : open(wrapped, disk.describe(KeysFile.NAME), source);
  }

  /// Opens the keys in a copy as by [#copy].
  ///
  /// @param where the copy is, for messages
  /// @throws StoreKeyException if no key is given, or another one
  /// @throws CorruptStoreException if the copy is damaged
  public static Keyring open(byte[] copy, String where, @Nullable KeySource source) {
    WrappedKey wrapped = WrappedKey.decode(copy, where);
    if (wrapped == null) {
      throw new CorruptStoreException(
          "copy of keys damaged: file=" + where + "; use another copy of this file");
    }
    return open(wrapped, where, source);
  }

  /// A copy of the keys of the store on a disk, as they are there: of no use without the user's
  /// key.
  ///
  /// @return [#COPY_BYTES] bytes, or null if the store is not encrypted
  public static byte @Nullable [] copy(Disk disk) throws IOException {
    WrappedKey wrapped = KeysFile.read(disk);
    return wrapped == null ? null : wrapped.encode();
  }

  private static Keyring open(WrappedKey wrapped, String where, @Nullable KeySource source) {
    if (source == null) {
      throw new StoreKeyException(
          "the store is encrypted: keys="
              + where
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
              + where
              + ", keyId="
              + wrapped.keyId()
              + "; give the key that the store was made with, or last changed to");
    }
    return new Keyring(dataKey, wrapped.keyId(), wrapped.idHigh(), wrapped.idLow());
  }

  /// Makes the keys of a new store: a random data key, encrypted by the source's current key.
  public static Keyring create(Disk disk, KeySource source, long idHigh, long idLow)
      throws IOException {
    Keyring keys = new Keyring(DataKey.random(), currentId(source), idHigh, idLow);
    keys.write(disk, source, 0);
    return keys;
  }

  /// Gives the same data key to another store, encrypted by the same key of the user.
  public void give(Disk disk, KeySource source, long otherIdHigh, long otherIdLow)
      throws IOException {
    new Keyring(dataKey, keyId, otherIdHigh, otherIdLow).write(disk, source, 0);
  }

  /// Encrypts the data key of a store again, by the current key of another source. A crash leaves
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
    DataKey dataKey = open(wrapped, disk.describe(KeysFile.NAME), oldKeys).dataKey();
    new Keyring(dataKey, currentId(newKeys), wrapped.idHigh(), wrapped.idLow())
        .write(disk, newKeys, wrapped.changes() + 1);
  }

  private void write(Disk disk, KeySource source, int changes) throws IOException {
    if (keyId.getBytes(StandardCharsets.UTF_8).length > WrappedKey.KEY_ID_BYTES_MAX) {
      throw new StoreKeyException(
          "id of a key too long: keyId=" + keyId + ", max=" + WrappedKey.KEY_ID_BYTES_MAX);
    }
    byte[] key = require(source, keyId);
    KeysFile.write(disk, WrappedKey.wrap(dataKey, key, keyId, idHigh, idLow, changes));
    Arrays.fill(key, (byte) 0);
  }

  /// Checks that a source has a key for new stores.
  ///
  /// @throws StoreKeyException if it has none
  public static void requireCurrent(KeySource source) {
    Arrays.fill(require(source, currentId(source)), (byte) 0);
  }

  /// The id of a source's current key. The user wrote the source.
  private static String currentId(KeySource source) {
    @Nullable String id = source.currentId();
    if (id == null) {
      throw new StoreKeyException(
          "the source of keys names no current key: source="
              + source.getClass().getName()
              + ", currentId=null; give one whose currentId() names the key for new stores");
    }
    return id;
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
