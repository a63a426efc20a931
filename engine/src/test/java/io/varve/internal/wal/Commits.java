package io.varve.internal.wal;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.internal.wal.format.RecordSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Commits whose body follows from a number and a length, and can be checked when found again.
public final class Commits implements CommitConsumer {

  /// A commit found.
  record Commit(long startLsn, long endLsn, long number, long bodyBytes) {}

  final List<Commit> found = new ArrayList<>();

  /// Appends a commit without waiting.
  ///
  /// @param bodyBytes at least 8
  /// @return its commit LSN
  public static long append(Log log, long number, long bodyBytes) {
    long start = reserve(log, bodyBytes);
    write(log, start, number, bodyBytes);
    return log.endOf(start, bodyBytes);
  }

  /// Reserves an extent of log as soon as there is capacity: the next segment may not be prepared
  /// yet.
  static long reserve(Log log, long bodyBytes) {
    long start;
    while ((start = log.tryReserve(bodyBytes)) == Log.NO_CAPACITY) {
      log.awaitCapacity(bodyBytes);
    }
    return start;
  }

  static long commit(Log log, long number, long bodyBytes, Durability durability) {
    long lsn = append(log, number, bodyBytes);
    log.await(lsn, durability);
    return lsn;
  }

  static void write(Log log, long start, long number, long bodyBytes) {
    RecordSink sink = log.sink(start, bodyBytes);
    sink.putLong(number);
    var random = new SplittableRandom(number);
    long left = bodyBytes - Long.BYTES;
    byte[] piece = new byte[(int) Math.min(left, 3000)];
    while (left > 0) {
      int length = (int) Math.min(left, piece.length);
      random.nextBytes(piece);
      sink.putBytes(piece, 0, length);
      left -= length;
    }
    sink.publish();
  }

  @Override
  public void commit(long startLsn, long endLsn, RecordSource body) {
    if (!found.isEmpty()) {
      assertThat(startLsn).isGreaterThanOrEqualTo(found.getLast().endLsn());
    }
    long bodyBytes = body.length();
    long number = body.getLong();
    var random = new SplittableRandom(number);
    byte[] piece = new byte[(int) Math.min(body.remaining(), 3000)];
    while (body.remaining() > 0) {
      int length = (int) Math.min(body.remaining(), piece.length);
      random.nextBytes(piece);
      byte[] read = body.getBytes(length);
      for (int i = 0; i < length; i++) {
        if (read[i] != piece[i]) {
          throw new AssertionError("commit differs: number=" + number + ", lsn=" + startLsn);
        }
      }
    }
    found.add(new Commit(startLsn, endLsn, number, bodyBytes));
  }

  List<Long> numbers() {
    return found.stream().map(Commit::number).toList();
  }
}
