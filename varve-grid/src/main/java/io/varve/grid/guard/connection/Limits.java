package io.varve.grid.guard.connection;

import java.time.Duration;
import java.util.Set;

/// How much a node takes from clients.
///
/// @param names that clients call the node, in addition to its addresses: lower case, without ports
/// @param valueBytesMax the longest request
/// @param connectionsMax connections at one time
/// @param connectionsPerAddressMax connections at one time of one address
/// @param failedLoginsMax of one address before it has to wait (`LoginTurns`); zero for no bound
/// @param answerWithin a connection that has no complete request for so long, from its start, ends;
///   one whose request comes at some rate has as long again
/// @param earlyWithin a connection that comes before the node lets clients in waits so long for
///   that
/// @param idle a connection on which nothing comes or goes for so long ends; zero for never
public record Limits(
    Set<String> names,
    long valueBytesMax,
    int connectionsMax,
    int connectionsPerAddressMax,
    int failedLoginsMax,
    Duration answerWithin,
    Duration earlyWithin,
    Duration idle) {
  /// How many connections may have the longest replies that a connection may have, if there are no
  /// others.
  static final int REPLY_SHARES = 4;

  /// Keeps what was given as it is now.
  public Limits {
    names = Set.copyOf(names);
  }

  /// Bytes of requests that are not complete, and of messages that were not sent, of all
  /// connections: a quarter of what a JVM takes for buffers, which is as much as its heap, but no
  /// less than one request needs.
  public long requestBytesMax() {
    return Math.max(2 * valueBytesMax, Runtime.getRuntime().maxMemory() / 4);
  }

  /// Bytes of replies of RESP that a client has not taken, and of an answer of memcached: as many
  /// as two values, but no less than an eighth of what a JVM takes for buffers.
  public long replyBytesMax() {
    return replyBytesMax(valueBytesMax);
  }

  public static long replyBytesMax(long valueBytesMax) {
    return Math.max(2 * valueBytesMax, Runtime.getRuntime().maxMemory() / 8);
  }

  /// Bytes of replies of RESP that the clients of all connections have not taken.
  long allReplyBytesMax() {
    return REPLY_SHARES * replyBytesMax();
  }
}
