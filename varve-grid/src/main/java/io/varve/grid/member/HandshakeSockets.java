package io.varve.grid.member;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jgroups.util.Util;

/// A port for other nodes, which accepts those that have shown the certificate of the cluster. Safe
/// for threads.
///
/// - HANDSHAKE-1 No handshake is waited for: each has a thread of its own, and ends in time or the
///   connection does. JGroups accepts and reads on one thread, so that a client without a key would
///   keep nodes from joining.
/// - HANDSHAKE-2 There are at most [#HANDSHAKES_MAX] handshakes at a time, of which
///   [#HANDSHAKES_PER_ADDRESS_MAX] are of one address. A connection beyond that ends immediately.
final class HandshakeSockets extends ServerSocket {
  static final int HANDSHAKES_MAX = 256;
  static final int HANDSHAKES_PER_ADDRESS_MAX = 16;

  private static final long RETRY_MILLIS = 100;

  /// Wakes a thread that waits in [#accept()] when the port was closed.
  private static final Socket END = new Socket();

  private final SSLSocketFactory encryption;
  private final long handshakeMillisMax;
  private final AtomicBoolean listens = new AtomicBoolean();
  private final BlockingQueue<Socket> accepted = new LinkedBlockingQueue<>();

  /// Handshakes under way. Guarded by itself.
  private final Map<InetAddress, Integer> handshakes = new HashMap<>();

  private int handshakeCount; // guarded by handshakes

  /// A port that is not bound.
  HandshakeSockets(SSLSocketFactory encryption, long handshakeMillisMax) throws IOException {
    this.encryption = encryption;
    this.handshakeMillisMax = handshakeMillisMax;
  }

  /// Waits for a connection whose handshake is done.
  @Override
  public Socket accept() throws IOException {
    if (listens.compareAndSet(false, true)) {
      Thread.ofPlatform().daemon().name("varve-accept-" + getLocalPort()).start(this::listen);
    }
    try {
      Socket socket = accepted.take();
      if (isClosed()) {
        accepted.add(END);
        Util.close(socket);
        throw new SocketException("the port for other nodes was closed: port=" + getLocalPort());
      }
      return socket;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SocketException("interrupted on the port for other nodes: port=" + getLocalPort());
    }
  }

  private void listen() {
    while (!isClosed()) {
      try {
        Socket socket = super.accept();
        if (enter(socket.getInetAddress())) {
          Thread.ofVirtual().name("varve-handshake").start(() -> shakeHands(socket));
        } else {
          Util.close(socket);
        }
      } catch (IOException e) {
        pause(); // It was closed, or the process has too many files open.
      }
    }
  }

  private void pause() {
    try {
      Thread.sleep(isClosed() ? 0 : RETRY_MILLIS);
    } catch (InterruptedException e) {
      Util.close(this); // Threads that no other code has are not interrupted.
    }
  }

  private boolean enter(InetAddress address) {
    synchronized (handshakes) {
      int ofAddress = handshakes.getOrDefault(address, 0);
      if (handshakeCount >= HANDSHAKES_MAX || ofAddress >= HANDSHAKES_PER_ADDRESS_MAX) {
        return false;
      }
      handshakes.put(address, ofAddress + 1);
      handshakeCount++;
      return true;
    }
  }

  private void leave(InetAddress address) {
    synchronized (handshakes) {
      handshakes.computeIfPresent(address, (_, count) -> count == 1 ? null : count - 1);
      handshakeCount--;
    }
  }

  private void shakeHands(Socket socket) {
    InetAddress address = socket.getInetAddress();
    var done = new CompletableFuture<Void>();
    var bound =
        done.orTimeout(handshakeMillisMax, TimeUnit.MILLISECONDS)
            .exceptionally(_ -> {
              Util.close(socket);
              return null;
            });
    try {
      var encrypted = (SSLSocket) encryption.createSocket(socket, null, true);
      encrypted.setNeedClientAuth(true);
      encrypted.startHandshake();
      if (done.complete(null)) {
        accepted.add(encrypted);
        if (isClosed()) {
          Util.close(encrypted);
        }
      }
    } catch (IOException e) {
      done.completeExceptionally(e);
    } finally {
      bound.join();
      leave(address);
    }
  }

  @Override
  public void close() throws IOException {
    super.close();
    for (Socket socket = accepted.poll(); socket != null; socket = accepted.poll()) {
      Util.close(socket);
    }
    accepted.add(END);
  }
}
