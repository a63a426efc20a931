package io.varve;

/// An operation waited long for a transaction that runs alone, and was broken off: nothing of it
/// was written. The message names that transaction and how long it has run. Try again; if the
/// transaction waits for something that the caller holds (a lock of the application), release that
/// first. [Store#transact] runs a transaction alone when it has met many conflicts. In one that
/// runs alone, [IndexedSpace#keep] throws this instead of a wait for a thread that waits for it.
///
/// @since 1.0
public final class StoreBusyException extends VarveException {
  private static final long serialVersionUID = 1L;

  /// Makes an exception whose message states what happened, where, and what to do.
  public StoreBusyException(String message) {
    super(message, null);
  }
}
