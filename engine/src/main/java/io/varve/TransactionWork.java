package io.varve;

/// The work of a transaction that has no result: see [Store#transact(TransactionWork)]. It may run
/// more than once, so it should have no effect except on the transaction.
///
/// @param <X> the checked exception that the work may throw; javac infers [RuntimeException] where
///   a lambda throws none
/// @since 1.0
@FunctionalInterface
public interface TransactionWork<X extends Exception> {
  /// Reads and writes through `transaction`, which must not be kept, committed or closed here.
  ///
  /// @throws X ends the transaction without effect
  void run(Transaction transaction) throws X;
}
