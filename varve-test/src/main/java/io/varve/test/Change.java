package io.varve.test;

import io.varve.Range;
import io.varve.Space;
import io.varve.Transaction;

/// One absolute change to a store: its effect does not depend on what was there before. A commit is
/// a list of them. Arrays are not copied; do not change them afterwards.
public sealed interface Change {
  /// The name of the space that is changed.
  String space();

  /// Sets the value of a key.
  ///
  /// @param space the name of the space
  /// @param key the key
  /// @param value the value it has from then on
  record Put(String space, byte[] key, byte[] value) implements Change {}

  /// Removes a key, present or not.
  ///
  /// @param space the name of the space
  /// @param key the key
  record Delete(String space, byte[] key) implements Change {}

  /// Removes every key of a range.
  ///
  /// @param space the name of the space
  /// @param range the range
  record DeleteRange(String space, Range range) implements Change {}

  /// Removes a space and all that is in it.
  ///
  /// @param space the name of the space
  record DropSpace(String space) implements Change {}

  /// Whether every key that this may change is in `keys`.
  default boolean isWithin(Range keys) {
    return switch (this) {
      case Put(_, var key, _) -> keys.contains(key);
      case Delete(_, var key) -> keys.contains(key);
      case DeleteRange(_, var range) -> range.intersect(keys).equals(range);
      case DropSpace _ -> keys.equals(Range.all());
    };
  }

  /// Makes this change in a transaction.
  ///
  /// @param transaction the transaction
  /// @param target the space named [#space()], of the transaction's store
  /// @throws IllegalArgumentException if this is a [DropSpace], which is a commit of its own
  default void applyTo(Transaction transaction, Space target) {
    switch (this) {
      case Put(_, var key, var value) -> transaction.put(target, key, value);
      case Delete(_, var key) -> transaction.delete(target, key);
      case DeleteRange(_, var range) -> transaction.deleteRange(target, range);
      case DropSpace(var name) ->
          throw new IllegalArgumentException("no transaction drops a space: space=" + name);
    }
  }
}
