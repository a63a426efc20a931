package io.varve.spi;

import io.varve.internal.disk.StackProbe;

/// Whether the calling thread has stack left: for code that takes locks of its own around calls of
/// a store.
///
/// Such code begins each of its calls with [#require], as calls of a store do. A caller that has
/// recursed too deep then fails before a lock is taken. Later it would fail where the lock stays
/// held. All other programs need nothing of it.
///
/// @since 1.0
public final class StackReserve {
  private StackReserve() {}

  /// Returns if 32 KiB of stack are left to the caller. Takes some nanoseconds.
  ///
  /// @throws StackOverflowError if they are not
  public static void require() {
    StackProbe.require();
  }
}
