package io.varve.grid.guard.connection;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The connections of a node and the bytes that they hold, over all of its ports. Safe for threads.
///
/// - DOOR-2 The counts of connections and of bytes that are held never exceed [Limits]: each is
///   raised before, and lowered once, when the connection ends or was answered.
public final class Occupancy {
  private final Limits limits;
  private final RareLog log = new RareLog();

  /// Bytes that connections hold beyond what each has free.
  private final AtomicLong heldBytes = new AtomicLong();

  /// Bytes of replies that clients have not taken, as far.
  private final AtomicLong replyBytes = new AtomicLong();

  /// Guarded by itself.
  private final Map<String, Integer> connections = new HashMap<>();

  private int connectionCount; // guarded by connections

  public Occupancy(Limits limits) {
    this.limits = limits;
  }

  public Limits limits() {
    return limits;
  }

  public RareLog log() {
    return log;
  }

  /// Counts a connection, or returns why it is one too many.
  public @Nullable String enter(String address) {
    synchronized (connections) {
      if (connectionCount >= limits.connectionsMax()) {
        return "too many connections";
      }
      if (connections.getOrDefault(address, 0) >= limits.connectionsPerAddressMax()) {
        return "too many connections of one address";
      }
      connections.merge(address, 1, Integer::sum);
      connectionCount++;
      return null;
    }
  }

  /// Counts the end of a connection.
  void leave(String address) {
    synchronized (connections) {
      connections.computeIfPresent(address, (_, count) -> count == 1 ? null : count - 1);
      connectionCount--;
    }
  }

  /// Takes bytes for a request that is not complete, unless there are none left.
  boolean hold(long bytes) {
    if (heldBytes.addAndGet(bytes) <= limits.requestBytesMax()) {
      return true;
    }
    heldBytes.addAndGet(-bytes);
    return false;
  }

  /// Takes bytes for a reply that is not written. A connection has at most a quarter of what the
  /// others leave. So those that take no replies leave something to those that do.
  ///
  /// @param ownBytes what the connection has taken already
  boolean holdReply(long bytes, long ownBytes) {
    long leftBytes = limits.allReplyBytesMax() - (replyBytes.addAndGet(bytes) - bytes - ownBytes);
    if (ownBytes + bytes <= leftBytes / Limits.REPLY_SHARES) {
      return true;
    }
    replyBytes.addAndGet(-bytes);
    return false;
  }

  /// Frees bytes of a reply that was written, or never will be.
  void releaseReply(long bytes) {
    replyBytes.addAndGet(-bytes);
  }

  /// Frees bytes that were taken.
  void release(long bytes) {
    heldBytes.addAndGet(-bytes);
  }
}
