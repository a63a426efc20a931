package io.varve.control.internal;

import io.varve.Store;
import io.varve.control.ControlException.Reason;
import io.varve.control.internal.SocketPlace.Listening;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Accepts the connections of a control socket, and answers each on a thread of its own.
public final class ControlServer implements AutoCloseable {
  private static final Logger LOG = System.getLogger(ControlServer.class.getName());

  /// Before the next try to accept, where the process has too many files open.
  private static final long PAUSE_NANOS = 100_000_000;

  private final Store store;
  private final Bounds bounds;
  private final SocketPlace place;
  private final Listening listening;
  private final Semaphore permits;

  /// Of those that follow a query.
  private final Semaphore watchPermits;

  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(
          1,
          Thread.ofPlatform().daemon().name("varve-control-timer").factory(),
          // After the close every connection is closed, and needs no deadline.
          new ThreadPoolExecutor.DiscardPolicy());
  private final Set<SocketChannel> connections = ConcurrentHashMap.newKeySet();

  /// Starts to listen.
  ///
  /// @param directory of the store
  public ControlServer(Store store, Path directory, Bounds bounds) throws IOException {
    this.store = store;
    this.bounds = bounds;
    place = new SocketPlace(directory);
    permits = new Semaphore(bounds.connections());
    watchPermits = new Semaphore(bounds.watches());
    // Its thread is there while any client is answered.
    timer.setKeepAliveTime(1, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
    timer.setRemoveOnCancelPolicy(true);
    listening = place.listen();
    Thread.ofPlatform().daemon().name("varve-control").start(this::accept);
  }

  /// The file of the socket.
  public Path socket() {
    return listening.socket();
  }

  private void accept() {
    while (listening.server().isOpen()) {
      try {
        SocketChannel channel = listening.server().accept();
        connections.add(channel);
        Thread.ofPlatform().daemon().name("varve-control-session").start(() -> serve(channel));
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException | OutOfMemoryError e) {
        LOG.log(Level.DEBUG, "a control socket cannot accept a connection", e);
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private void serve(SocketChannel channel) {
    boolean isPermitted = permits.tryAcquire();
    try (channel;
        var deadline = new Deadline(bounds, timer, channel)) {
      var session = new Session(store, channel, deadline, watchPermits);
      if (isPermitted) {
        session.run(listening.owner());
      } else {
        session.refuse(
            Reason.BUSY,
            "the control socket answers others; ask again later: max=" + bounds.connections());
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a client of a control socket has gone", e);
    } finally {
      connections.remove(channel);
      if (isPermitted) {
        permits.release();
      }
    }
  }

  /// Ends all connections, and removes the socket.
  @Override
  public void close() throws IOException {
    listening.server().close();
    for (SocketChannel channel : connections) {
      channel.close();
    }
    timer.shutdownNow();
    place.removeAll();
  }
}
