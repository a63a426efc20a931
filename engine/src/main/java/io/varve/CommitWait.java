package io.varve;

/// How a thread waits until its commit is durable. All of them park in the end: none is busy for
/// longer than a few milliseconds.
///
/// @since 1.0
public enum CommitWait {
  /// Parks immediately. It takes the least processor time.
  PARK,

  /// Lets other threads run until it is woken.
  YIELD,

  /// Spins until it is woken, and lets others run only now and then. It takes a core for each
  /// thread.
  SPIN,

  /// As measured: a platform thread yields while others have work and for about as long as a force
  /// takes, and then parks; a virtual thread, and any where the disk is slow, parks immediately.
  /// The default.
  ADAPTIVE
}
