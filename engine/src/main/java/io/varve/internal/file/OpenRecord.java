package io.varve.internal.file;

import static io.varve.internal.page.Bytes.i32;
import static io.varve.internal.page.Bytes.i64;
import static io.varve.internal.page.Bytes.isSealed;
import static io.varve.internal.page.Bytes.putI32;
import static io.varve.internal.page.Bytes.putI64;
import static io.varve.internal.page.Bytes.seal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The last open of the store, which log the store must have, and which backup points were taken of
/// it: a record between the two superblocks. All integers are little-endian.
///
/// | offset | bytes | field      | meaning                                                       |
/// |-------:|------:|------------|---------------------------------------------------------------|
/// |      0 |     8 | magic      | `VarveOPN`                                                    |
/// |      8 |     4 | generation | of the log that must be there; 0: none need be; -1: unknown   |
/// |     12 |     4 | zero       |                                                               |
/// |     16 |    16 | opener     | random, made by each open                                     |
/// |     32 |     8 | pid        | of the process that opened it                                 |
/// |     40 |     8 | opened     | when, in milliseconds since 1970                              |
/// |     48 |     8 | prepared   | LSN up to which the log of that generation was made ready     |
/// |     56 |   448 | points     | ids of its newest points, oldest first; then 0                |
/// |    504 |     4 | zero       |                                                               |
/// |    508 |     4 | crc        | CRC-32C of every byte before                                  |
///
/// A record that is not whole means nothing. A store has none before it is opened for the first
/// time, and a power cut may tear one.
///
/// @param points the ids of backup points of this store's own history, at most [#POINTS_MAX]
public record OpenRecord(
    long openerHigh,
    long openerLow,
    long pid,
    long openedMillis,
    int generation,
    long preparedLsn,
    List<UUID> points) {
  /// The generation where nobody knows what log there must be.
  public static final int UNKNOWN = -1;

  static final int OFFSET = 8192;
  static final int BYTES = 512;

  /// How many points are remembered.
  static final int POINTS_MAX = 28;

  private static final int POINTS = 56;
  private static final UUID NO_POINT = new UUID(0, 0);
  private static final long MAGIC = 0x4E504F6576726156L;

  /// The record in a page file, or null if there is none that is whole.
  public static @Nullable OpenRecord read(PageFile file) throws IOException {
    byte[] bytes = new byte[BYTES];
    if (file.readRaw(OFFSET, bytes) != BYTES || i64(bytes, 0) != MAGIC || !isSealed(bytes)) {
      return null;
    }
    return new OpenRecord(
        i64(bytes, 16),
        i64(bytes, 24),
        i64(bytes, 32),
        i64(bytes, 40),
        i32(bytes, 8),
        i64(bytes, 48),
        points(bytes));
  }

  private static List<UUID> points(byte[] bytes) {
    List<UUID> points = new ArrayList<>();
    for (int i = 0; i < POINTS_MAX; i++) {
      int at = POINTS + 16 * i;
      UUID point = new UUID(i64(bytes, at), i64(bytes, at + 8));
      if (point.equals(NO_POINT)) {
        break;
      }
      points.add(point);
    }
    return List.copyOf(points);
  }

  /// Writes this record, durably.
  public void write(PageFile file) throws IOException {
    byte[] bytes = new byte[BYTES];
    putI64(bytes, 0, MAGIC);
    putI32(bytes, 8, generation);
    putI64(bytes, 16, openerHigh);
    putI64(bytes, 24, openerLow);
    putI64(bytes, 32, pid);
    putI64(bytes, 40, openedMillis);
    putI64(bytes, 48, preparedLsn);
    for (int i = 0; i < points.size(); i++) {
      putI64(bytes, POINTS + 16 * i, points.get(i).getMostSignificantBits());
      putI64(bytes, POINTS + 16 * i + 8, points.get(i).getLeastSignificantBits());
    }
    seal(bytes);
    file.writeRaw(OFFSET, bytes);
  }

  /// Whether both were written by the same open of the store.
  public boolean isOfSameOpen(OpenRecord other) {
    return openerHigh == other.openerHigh && openerLow == other.openerLow;
  }

  /// The same open, whose log must be there up to an LSN.
  public OpenRecord withLog(int newGeneration, long newPreparedLsn) {
    return new OpenRecord(
        openerHigh, openerLow, pid, openedMillis, newGeneration, newPreparedLsn, points);
  }

  /// The same open, with one more point. Where they are too many, the point before in the same
  /// place is forgotten, or else the oldest: so of each place the newest is remembered.
  ///
  /// @param before the newest one of this history in the same place; null if there is none
  public OpenRecord withPoint(UUID point, @Nullable UUID before) {
    List<UUID> now = new ArrayList<>(points);
    if (now.size() == POINTS_MAX && (before == null || !now.remove(before))) {
      now.removeFirst();
    }
    now.add(point);
    return new OpenRecord(
        openerHigh, openerLow, pid, openedMillis, generation, preparedLsn, List.copyOf(now));
  }
}
