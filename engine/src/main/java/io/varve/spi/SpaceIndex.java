package io.varve.spi;

import java.util.function.Consumer;

/// An index of a space: which index entries each entry of the space has.
///
/// An index entry is a *prefix*, which holds what was indexed, followed by the key of the entry.
/// Its order is that of the bytes. The engine writes and removes index entries in the commit of
/// each change, by any call and in any transaction. So no reader and no crash ever finds an index
/// that disagrees with its space ([io.varve.IndexedSpace]).
///
/// - **Same answers:** for equal bytes, equal prefixes, in every run of the program that gives the
///   same [#id()].
/// - **Threads:** safe for any number of threads. Called outside of all locks, perhaps repeatedly
///   for one change; inside of transactions too. Must not use the store.
/// - **Errors:** what [#prefixes] throws refuses the change, before any effect.
///
/// @since 1.0
public interface SpaceIndex {
  /// The longest name, in characters.
  int NAME_LENGTH_MAX = 100;

  /// The longest id, in characters.
  int ID_LENGTH_MAX = 4096;

  /// What the index is called: 1 to 100 characters, one index of a space each.
  String name();

  /// What identifies the definition among those of this name. An index that was written under
  /// another id is built again; one of another name is another index, whatever its id is.
  String id();

  /// Whether two entries of the space may not have the same prefix.
  boolean isUnique();

  /// Gives the prefixes of an entry of the space: none, one, or for a value with many elements
  /// several; equal ones count once.
  ///
  /// No prefix may be the beginning of another one. A prefix and a key together have at most
  /// [io.varve.Space#KEY_BYTES_MAX] bytes. The consumer keeps the array.
  void prefixes(byte[] key, byte[] value, Consumer<byte[]> prefixes);

  /// How many bytes of an index entry are its prefix.
  int prefixBytes(byte[] indexEntry);
}
