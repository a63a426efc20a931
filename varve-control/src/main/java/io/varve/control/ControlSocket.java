package io.varve.control;

import io.varve.Store;
import io.varve.control.internal.Bounds;
import io.varve.control.internal.ControlServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Lets the owner of this process look into a store that it has open, by the `varve` command or a
/// [ControlClient]: figures, keys, values and queries. Nothing can be changed.
///
/// ```java
/// try (Store store = Store.open(directory);
///     ControlSocket control = ControlSocket.open(store, directory)) {
///   ...
/// }
/// ```
///
/// - **Who:** processes of the same user. The socket is a file that only the user may open, in a
///   directory that only the user may enter. The system is asked which user has connected.
/// - **Cost:** a thread that waits, and one for each of up to 8 connections. No snapshot is held
///   longer than 30 seconds, however slow the client.
/// - **Where:** file systems with owners and permissions, as of Linux and macOS.
///
/// @since 1.0
public final class ControlSocket implements AutoCloseable {
  private static final Logger LOG = System.getLogger(ControlSocket.class.getName());

  private final ControlServer server;

  private ControlSocket(ControlServer server) {
    this.server = server;
  }

  /// Opens the control socket of a store.
  ///
  /// @param store open for as long as the socket is; once it is closed, requests are refused
  /// @param directory of the store
  /// @throws UncheckedIOException if no socket can be made there that is for its owner alone, or
  ///   there is one
  /// @throws IllegalArgumentException if the store is read-only: then nothing is written there
  /// @since 1.0
  public static ControlSocket open(Store store, Path directory) {
    return open(store, directory, Bounds.DEFAULT);
  }

  /// The same for programs that do as well without: where there can be no control socket, a warning
  /// is logged.
  ///
  /// @return null where there is none
  /// @since 1.0
  public static @Nullable ControlSocket openIfPossible(Store store, Path directory) {
    if (store.options().readOnly()) {
      return null;
    }
    try {
      return open(store, directory);
    } catch (UncheckedIOException e) {
      LOG.log(
          Level.WARNING,
          "there is no control socket: directory=" + directory + ", cause=" + e.getCause());
      return null;
    }
  }

  static ControlSocket open(Store store, Path directory, Bounds bounds) {
    if (store.options().readOnly()) {
      throw new IllegalArgumentException(
          "a store that is open read-only has no control socket: directory=" + directory);
    }
    try {
      return new ControlSocket(new ControlServer(store, directory, bounds));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot open the control socket of a store: directory=" + directory + "; see the cause",
          e);
    }
  }

  /// The file of the socket.
  ///
  /// @since 1.0
  public Path path() {
    return server.socket();
  }

  /// Ends all connections, and removes the file. Close it before the store. Idempotent. What cannot
  /// be removed is logged, and is removed by the next socket of the store.
  ///
  /// @since 1.0
  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      LOG.log(Level.WARNING, "a control socket is not removed: file=" + path() + ", cause=" + e);
    }
  }
}
