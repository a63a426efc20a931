package io.varve.grid.guard.http;

import io.varve.grid.guard.connection.Connection;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// How long a transfer waits for its client. For the thread of the transfer.
///
/// (PACE-1) A transfer ends for which the node has waited for [Limits#answerWithin] while fewer
/// bytes passed than [Connection#BYTES_PER_SECOND_MIN] has it. What the node itself takes does not
/// count.
final class TransferPace {
  private final long withinNanos;
  private final long bytesMin;
  private long waitedNanos;
  private long passedBytes;

  TransferPace(Duration within) {
    withinNanos = within.toNanos();
    bytesMin = within.toMillis() * Connection.BYTES_PER_SECOND_MIN / TimeUnit.SECONDS.toMillis(1);
  }

  /// Waits, within a time.
  interface Wait<T> {
    /// Waits for so long at most.
    ///
    /// @return something of no meaning if nothing came
    T await(long nanos) throws InterruptedException;
  }

  /// Waits for the client.
  ///
  /// @throws IOException if it is too slow
  <T> T await(Wait<T> wait) throws IOException {
    long sinceNanos = System.nanoTime();
    try {
      T result = wait.await(withinNanos - waitedNanos);
      waitedNanos += System.nanoTime() - sinceNanos;
      if (waitedNanos >= withinNanos) {
        throw new IOException("the client is too slow");
      }
      return result;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /// Counts bytes that the client has sent or taken.
  void passed(long bytes) {
    passedBytes += bytes;
    if (passedBytes >= bytesMin) {
      passedBytes = 0;
      waitedNanos = 0;
    }
  }
}
