package io.varve;

/// The work of a transaction that gives a result. It may run more than once, so it should have no
/// effect but on the transaction.
///
/// @param <T> the result
@FunctionalInterface
public interface TransactionBody<T extends @org.jspecify.annotations.Nullable Object> {
  /// Reads and writes through `transaction`, which must not be kept, committed or closed here.
  T apply(Transaction transaction);
}
