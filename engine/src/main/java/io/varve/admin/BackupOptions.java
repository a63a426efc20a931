package io.varve.admin;

import io.varve.ProgressListener;
import java.util.Objects;

/// How a backup is taken. Immutable; start at [#defaults()] and change what differs.
///
/// @since 1.0
public final class BackupOptions {
  private static final BackupOptions DEFAULTS = new BackupOptions(false, ProgressListener.none());

  private final boolean full;
  private final ProgressListener listener;

  private BackupOptions(boolean full, ProgressListener listener) {
    this.full = full;
    this.listener = listener;
  }

  /// Incremental where the target has a point of this store to continue from, otherwise full.
  public static BackupOptions defaults() {
    return DEFAULTS;
  }

  /// Whether everything is copied, whatever the target has.
  public boolean full() {
    return full;
  }

  /// Sets whether everything is copied, whatever the target has. Default false.
  public BackupOptions full(boolean value) {
    return new BackupOptions(value, listener);
  }

  /// The listener that receives the progress of the backup.
  public ProgressListener listener() {
    return listener;
  }

  /// Sets the listener that receives the progress of the backup.
  public BackupOptions listener(ProgressListener value) {
    return new BackupOptions(full, Objects.requireNonNull(value, "listener"));
  }
}
