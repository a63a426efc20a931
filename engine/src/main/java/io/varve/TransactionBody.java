package io.varve;

import org.jspecify.annotations.Nullable;

/// The work of a transaction that has a result: see [Store#transactAndGet(TransactionBody)]. It may
/// run more than once, so it should have no effect except on the transaction.
///
/// @param <T> the result
/// @param <X> the checked exception that the work may throw; javac infers [RuntimeException] where
///   a lambda throws none
/// @since 1.0
@FunctionalInterface
public interface TransactionBody<T extends @Nullable Object, X extends Exception> {
  /// Reads and writes through `transaction`, which must not be kept, committed or closed here.
  ///
  /// @throws X ends the transaction without effect
  T apply(Transaction transaction) throws X;
}
