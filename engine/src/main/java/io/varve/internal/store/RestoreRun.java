package io.varve.internal.store;

import io.varve.ProgressListener;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.StoreThreads;

/// By what a restore runs.
///
/// @param clock of the store that applies archived log to what is restored
/// @param threads makes the threads of that store
/// @param listener receives the progress of the restore
public record RestoreRun(Clock clock, StoreThreads threads, ProgressListener listener) {
  /// By the clock and the threads of the system.
  public static RestoreRun bySystem(ProgressListener listener) {
    return new RestoreRun(Clock.SYSTEM, StoreThreads.PLATFORM, listener);
  }
}
