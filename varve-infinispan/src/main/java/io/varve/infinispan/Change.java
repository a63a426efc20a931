package io.varve.infinispan;

/// A change of one entry, ready for a commit.
///
/// The arrays belong to the change.
sealed interface Change {
  /// The [key][EntryKey] of the entry.
  byte[] key();

  /// Sets an entry.
  record Put(byte[] key, byte[] value) implements Change {}

  /// Removes an entry, if it is there.
  record Removal(byte[] key) implements Change {}
}
