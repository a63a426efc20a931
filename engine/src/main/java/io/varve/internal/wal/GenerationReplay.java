package io.varve.internal.wal;

import io.varve.internal.crypto.SessionCipher;
import io.varve.internal.wal.format.FoundSegment;
import io.varve.internal.wal.format.FrameBody;
import io.varve.internal.wal.format.FrameHeader;
import io.varve.internal.wal.format.FrameReader;
import io.varve.internal.wal.format.RecordSource;
import io.varve.internal.wal.format.RingReader;
import io.varve.internal.wal.format.SegmentHeader;
import io.varve.internal.wal.segment.LogSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the frames of one generation in order, each from its segment or else from the ring, and
/// hands over the commits in them. A commit that is not complete where the frames end is no part of
/// the log, nor is what it left in the ring.
final class GenerationReplay {
  private final FoundLog found;
  private final RecoveryFiles files;
  private final LogSettings options;
  private final CommitHandover handover;
  private final int generation;
  private final int salt;

  /// Frames that only the ring holds.
  private final List<RingOnly> ringOnly = new ArrayList<>();

  /// How many of them belong to the log, as far as it was read.
  private int ringOnlyKept;

  /// Bodies of the frames of the commit that is being read.
  private final List<RecordSource.Piece> pieces = new ArrayList<>();

  /// Where the commit starts that is being read; -1 between commits.
  private long commitStart = -1;

  private long lsn;

  /// Up to where marks record that the log was durable.
  private long vouchedLsn;

  private @Nullable Source source;

  /// A frame to be written to its segment.
  record RingOnly(FoundSegment segment, long lsn, ByteBuffer frame) {}

  /// What the frames of a segment are read from.
  private record Source(
      FoundSegment segment,
      FrameReader inSegment,
      @Nullable RingReader inRing,
      @Nullable SessionCipher cipher) {}

  /// @param salt of the generation's frames
  GenerationReplay(
      FoundLog found,
      RecoveryFiles files,
      LogSettings options,
      CommitHandover handover,
      int generation,
      int salt) {
    this.found = found;
    this.files = files;
    this.options = options;
    this.handover = handover;
    this.generation = generation;
    this.salt = salt;
  }

  /// Reads from `from` on.
  ///
  /// @param statedEnd where this one ended according to the next generation; -1 for the last
  /// @return where the last complete commit ends, and the fill that follows it
  long read(long from, long statedEnd) throws IOException {
    lsn = from;
    while (statedEnd < 0 || lsn < statedEnd) {
      Source at = source();
      if (at == null) {
        break;
      }
      FrameReader reader = at.inSegment;
      SegmentHeader header = at.segment.header();
      int length = reader.frameAt(lsn, header.offset(lsn), header.offset(at.segment.filledLsn()));
      if (length == 0 && at.inRing != null) {
        length = at.inRing.frameAt(lsn);
        reader = at.inRing.reader();
        if (length > 0) {
          keepRingOnly(at.segment, reader, length);
        }
      }
      if (length == 0) {
        break;
      }
      long next = FrameHeader.next(lsn, length, header.termBytes());
      take(at, reader, length, next);
      if (handover.isAtLimit()) {
        return commitStart >= 0 ? commitStart : next;
      }
      lsn = next;
    }
    ringOnly.subList(ringOnlyKept, ringOnly.size()).clear();
    return commitStart >= 0 ? commitStart : lsn;
  }

  /// Where no valid frame was found.
  long stoppedLsn() {
    return lsn;
  }

  /// Up to where the marks that were read record that the log was durable; 0 if there are none.
  long vouchedLsn() {
    return vouchedLsn;
  }

  /// Frames that belong to the log and that only the ring holds.
  List<RingOnly> ringOnly() {
    return ringOnly;
  }

  /// What the frame at the current LSN is read from; null if no segment holds it.
  private @Nullable Source source() throws IOException {
    Source present = source;
    if (present == null || !present.segment.holds(lsn)) {
      FoundSegment segment = found.at(generation, lsn);
      if (segment == null) {
        return null;
      }
      files.leave();
      int termBytes = segment.header().termBytes();
      present =
          new Source(
              segment,
              new FrameReader(files.open(segment.name()), salt, termBytes),
              files.ringReader(salt, termBytes),
              options.cipher(segment.header().session()));
      source = present;
    }
    return present;
  }

  private void keepRingOnly(FoundSegment segment, FrameReader reader, int length) {
    int at = reader.offset(lsn);
    byte type = FrameHeader.typeAt(reader.window(), at);
    int bytes = FrameHeader.checkedBytes(type, length);
    ringOnly.add(
        new RingOnly(
            segment, lsn, ByteBuffer.wrap(Arrays.copyOfRange(reader.window(), at, at + bytes))));
  }

  /// Takes the frame at the current LSN, and hands over the commit that it ends.
  private void take(Source from, FrameReader reader, int length, long next) {
    byte[] window = reader.window();
    int at = reader.offset(lsn);
    byte type = FrameHeader.typeAt(window, at);
    boolean begins = type == FrameHeader.COMMIT || type == FrameHeader.FIRST;
    boolean continues = type == FrameHeader.MIDDLE || type == FrameHeader.LAST;
    SegmentHeader header = from.segment.header();
    if (continues != (commitStart >= 0)) {
      // A commit's frames are next to each other from first to last: they were reserved together.
      String file = files.describe(from.segment.name());
      throw LogDamage.of("frame out of order", file, header, lsn, next);
    }
    if (!begins && !continues) {
      if (type == FrameHeader.MARK) {
        vouchedLsn = Math.max(vouchedLsn, FrameHeader.durableAt(window, at));
      }
      ringOnlyKept = ringOnly.size();
      return;
    }
    commitStart = begins ? lsn : commitStart;
    RecordSource.Piece body = FrameBody.of(from.cipher, window, at, length);
    if (body == null) {
      throw LogDamage.changed(files.describe(from.segment.name()), header, lsn);
    }
    pieces.add(body);
    boolean ends = type == FrameHeader.COMMIT || type == FrameHeader.LAST;
    if (ends && handover.hand(generation, commitStart, next, new RecordSource(pieces))) {
      pieces.clear();
      commitStart = -1;
      ringOnlyKept = ringOnly.size();
    }
  }
}
