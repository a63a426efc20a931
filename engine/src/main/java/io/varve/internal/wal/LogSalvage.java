package io.varve.internal.wal;

import io.varve.internal.crypto.DataKey;
import io.varve.internal.crypto.DataKey.Purpose;
import io.varve.internal.crypto.Session;
import io.varve.internal.crypto.SessionCipher;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.FileOption;
import io.varve.internal.wal.format.FrameBody;
import io.varve.internal.wal.format.FrameHeader;
import io.varve.internal.wal.format.FrameReader;
import io.varve.internal.wal.format.LogFiles;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.format.RecordSource;
import io.varve.internal.wal.format.RingReader;
import io.varve.internal.wal.format.SegmentHeader;
import io.varve.internal.wal.format.StoreId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads every intact commit of a log that may be damaged, in commit order, and reports what is
/// missing between them. Changes nothing on disk.
///
/// Where there is no intact frame, the next one is looked for at every later offset. Marks show
/// whether anything was lost there, as for a recovery. Where the last generation holds no intact
/// frame and no mark vouches that more was durable, the log ends.
///
/// For one thread.
public final class LogSalvage implements AutoCloseable {
  /// How much of a segment whose header is lost is searched for a frame.
  private static final int SEARCH_BYTES = 1 << 18;

  /// How many generations are tried on a segment whose header is lost.
  private static final int GENERATIONS_TRIED = 64;

  /// Terms whose length is lost: every frame of a shorter one is valid as one of these.
  private static final int ANY_TERM = FrameHeader.TERM_BYTES_MAX;

  private final Disk disk;

  /// Null if the store is not encrypted.
  private final @Nullable DataKey dataKey;

  private final LossConsumer losses;
  private final List<Segment> segments = new ArrayList<>();
  private final Map<String, DiskFile> files = new HashMap<>();
  private @Nullable StoreId id;
  private @Nullable DiskFile ring;
  private long commits;

  /// Receives what cannot be read.
  @FunctionalInterface
  public interface LossConsumer {
    void lost(String file, long offset, String what);
  }

  private record Segment(String name, long fileBytes, SegmentHeader header) {
    boolean holds(long lsn) {
      return header.firstLsn() <= lsn && lsn < filledLsn();
    }

    long filledLsn() {
      return Math.min(
          header.endLsn(), header.firstLsn() + Math.max(0, fileBytes - SegmentHeader.BYTES));
    }
  }

  private LogSalvage(
      Disk disk, @Nullable StoreId id, @Nullable DataKey dataKey, LossConsumer losses) {
    this.disk = disk;
    this.id = id;
    this.dataKey = dataKey;
    this.losses = losses;
  }

  /// Finds the segments of a log.
  ///
  /// @param id of the store, or null if it is lost: then the one that most segments bear
  /// @param dataKey of the store, or null if it is not encrypted
  public static LogSalvage open(
      Disk disk, @Nullable StoreId id, @Nullable DataKey dataKey, LossConsumer losses)
      throws IOException {
    LogSalvage log = new LogSalvage(disk, id, dataKey, losses);
    log.find();
    return log;
  }

  private void find() throws IOException {
    List<String> headless = new ArrayList<>();
    List<Segment> found = new ArrayList<>();
    for (String last : disk.list(LogFiles.DIRECTORY)) {
      if (last.endsWith(LogFiles.SUFFIX)) {
        String name = LogFiles.DIRECTORY + "/" + last;
        DiskFile file = file(name);
        byte[] block = new byte[SegmentHeader.BYTES];
        file.read(0, ByteBuffer.wrap(block));
        SegmentHeader header = SegmentHeader.decode(block, disk.describe(name));
        if (header == null) {
          headless.add(name);
        } else {
          found.add(new Segment(name, file.size(), header));
        }
      }
    }
    if (id == null) {
      id = mostFrequentId(found);
    }
    for (Segment segment : found) {
      if (!segment.header.id().equals(id)) {
        losses.lost(disk.describe(segment.name), 0, "log segment of another store");
      } else if ((segment.header.session() == null) != (dataKey == null)) {
        losses.lost(
            disk.describe(segment.name), 0, "log segment and store that are not both encrypted");
      } else {
        segments.add(segment);
      }
    }
    if (disk.exists(LogFiles.RING)) {
      ring = disk.open(LogFiles.RING, FileOption.READ_ONLY);
    }
    for (String name : headless) {
      adopt(name);
    }
    segments.sort(
        Comparator.comparingInt((Segment segment) -> segment.header.generation())
            .thenComparingLong(segment -> segment.header.firstLsn()));
  }

  private static @Nullable StoreId mostFrequentId(List<Segment> found) {
    Map<StoreId, Integer> counts = new HashMap<>();
    StoreId most = null;
    for (Segment segment : found) {
      StoreId candidate = segment.header.id();
      int count = counts.merge(candidate, 1, Integer::sum);
      if (most == null || count > counts.getOrDefault(most, 0)) {
        most = candidate;
      }
    }
    return most;
  }

  /// Makes the header of a segment again from the first intact frame in it. A frame records its
  /// LSN, and its check matches in its generation alone.
  private void adopt(String name) throws IOException {
    StoreId known = id;
    int generationMax =
        segments.stream().mapToInt(segment -> segment.header.generation()).max().orElse(0) + 1;
    DiskFile file = file(name);
    byte[] head = new byte[2 * SEARCH_BYTES];
    int read = Math.max(0, file.read(SegmentHeader.BYTES, ByteBuffer.wrap(head)));
    for (int at = 0; known != null && at + FrameHeader.FILL <= read; at += FrameHeader.ALIGNMENT) {
      long lsn = FrameHeader.lsnAt(head, at);
      boolean plausible =
          lsn >= at
              && (lsn - at) % FrameHeader.BLOCK == 0
              && FrameHeader.claimedLength(head, at, read - at, lsn, ANY_TERM) > 0;
      for (int tried = 0; plausible && tried < GENERATIONS_TRIED; tried++) {
        int generation = generationMax - tried;
        int salt = FrameHeader.salt(known, generation);
        if (FrameHeader.validLength(head, at, read - at, lsn, salt, ANY_TERM) > 0) {
          long first = lsn - at;
          Session session = session(generation);
          if (dataKey != null && session == null) {
            losses.lost(
                disk.describe(name), 0, "log segment whose header is lost, and so its session");
            return;
          }
          segments.add(
              new Segment(
                  name,
                  file.size(),
                  new SegmentHeader(
                      generation,
                      known,
                      0,
                      first,
                      file.size() - SegmentHeader.BYTES,
                      first,
                      -1,
                      termBytes(generation),
                      session)));
          return;
        }
      }
    }
    // Otherwise it holds no log: made ahead of its use, and never used.
  }

  /// The session of a generation, which all its segments share; null if none of them has it.
  private @Nullable Session session(int generation) {
    for (Segment segment : segments) {
      if (segment.header.generation() == generation && segment.header.session() != null) {
        return segment.header.session();
      }
    }
    return null;
  }

  /// The terms of a generation, which all its segments share; [#ANY_TERM] if none of them has it.
  private int termBytes(int generation) {
    for (Segment segment : segments) {
      if (segment.header.generation() == generation) {
        return segment.header.termBytes();
      }
    }
    return ANY_TERM;
  }

  private DiskFile file(String name) throws IOException {
    DiskFile file = files.get(name);
    if (file == null) {
      file = disk.open(name, FileOption.READ_ONLY);
      files.put(name, file);
    }
    return file;
  }

  /// Hands over every intact commit.
  ///
  /// @param from the position from which the log counts, or null for all that there is
  /// @return the number of commits
  public long read(@Nullable LogPosition from, CommitConsumer consumer) throws IOException {
    commits = 0;
    int[] generations =
        segments.stream()
            .mapToInt(segment -> segment.header.generation())
            .distinct()
            .filter(generation -> from == null || generation >= from.generation())
            .toArray();
    if (from != null && !from.mayEnd() && at(from.generation(), from.lsn()) == null) {
      losses.lost(
          disk.describe(LogFiles.DIRECTORY), 0, "log segment missing that holds LSN " + from.lsn());
    }
    for (int i = 0; i < generations.length; i++) {
      int generation = generations[i];
      long start =
          from != null && generation == from.generation()
              ? from.lsn()
              : firstOf(generation).header.firstLsn();
      long end =
          i + 1 < generations.length ? firstOf(generations[i + 1]).header.previousEndLsn() : -1;
      new Generation(generation, end).read(start, consumer);
    }
    return commits;
  }

  private Segment firstOf(int generation) {
    for (Segment segment : segments) {
      if (segment.header.generation() == generation) {
        return segment;
      }
    }
    throw new IllegalStateException("no segment of generation " + generation);
  }

  private @Nullable Segment at(int generation, long lsn) {
    for (Segment segment : segments) {
      if (segment.header.generation() == generation && segment.holds(lsn)) {
        return segment;
      }
    }
    return null;
  }

  /// One generation of the log.
  private final class Generation {
    private final int generation;
    private final int salt;

    /// Where this one ended according to the next generation; -1 if there is none or it is lost.
    private final long statedEnd;

    private final List<RecordSource.Piece> pieces = new ArrayList<>();
    private long commitStart = -1;

    /// Up to where the log was durable according to marks; -1 while nobody has asked.
    private long vouched = -1;

    Generation(int generation, long statedEnd) throws IOException {
      this.generation = generation;
      this.statedEnd = statedEnd;
      StoreId known = id;
      if (known == null) {
        throw new IOException("the id of the store is lost");
      }
      this.salt = FrameHeader.salt(known, generation);
    }

    void read(long from, CommitConsumer consumer) throws IOException {
      long lsn = from;
      Segment segment = null;
      FrameReader inSegment = null;
      RingReader inRing = null;
      SessionCipher cipher = null;
      while (statedEnd < 0 || lsn < statedEnd) {
        if (segment == null || !segment.holds(lsn)) {
          Segment next = at(generation, lsn);
          if (next != null) {
            segment = next;
            inSegment = new FrameReader(file(next.name), salt, next.header.termBytes());
            inRing = ringReader();
            cipher = cipher(next.header.session());
          }
        }
        FrameReader reader = inSegment;
        int length = 0;
        if (segment != null && reader != null && segment.holds(lsn)) {
          SegmentHeader header = segment.header;
          length = reader.frameAt(lsn, header.offset(lsn), header.offset(segment.filledLsn()));
        }
        if (length == 0 && inRing != null) {
          length = inRing.frameAt(lsn); // its segment may be lost, or hold none and have no header
          reader = inRing.reader();
        }
        if (length == 0 && mayBeEndOfTerm(segment, lsn)) {
          lsn = ceilToTerm(lsn);
          continue;
        }
        if (length == 0 || reader == null || segment == null) {
          long next = isEnd(lsn) ? -1 : skipHole(lsn);
          if (next < 0) {
            break;
          }
          lsn = next;
          continue;
        }
        long next = FrameHeader.next(lsn, length, segment.header.termBytes());
        take(reader, cipher, segment, lsn, length, next, consumer);
        lsn = next;
      }
      if (commitStart >= 0 && statedEnd >= 0) {
        breakOff(lsn);
      }
    }

    /// Whether a term may end here whose length is lost. What remains of a term and holds no frame
    /// belongs to the frame before it.
    private boolean mayBeEndOfTerm(@Nullable Segment segment, long lsn) {
      long remaining = ceilToTerm(lsn) - lsn;
      return segment != null
          && segment.header.termBytes() == ANY_TERM
          && remaining > 0
          && remaining < FrameHeader.FILL;
    }

    /// All terms end at multiples of the shortest.
    private static long ceilToTerm(long lsn) {
      return Math.ceilDiv(lsn, FrameHeader.TERM_BYTES_MIN) * FrameHeader.TERM_BYTES_MIN;
    }

    /// Whether nothing that was durable is missing from `lsn` on.
    private boolean isEnd(long lsn) throws IOException {
      if (statedEnd >= 0) {
        return lsn >= statedEnd;
      }
      if (vouched < 0) {
        vouched = findVouched();
      }
      return lsn >= vouched && !isVouchedInRing(lsn);
    }

    private boolean isVouchedInRing(long lsn) throws IOException {
      RingReader reader = ringReader();
      return reader != null && reader.hasVouchingMark(lsn);
    }

    private long findVouched() throws IOException {
      long found = 0;
      for (Segment segment : segments) {
        if (segment.header.generation() == generation) {
          FrameReader reader =
              new FrameReader(file(segment.name), salt, segment.header.termBytes());
          found =
              Math.max(
                  found,
                  reader.highestVouched(
                      SegmentHeader.BYTES,
                      segment.header.offset(segment.filledLsn()),
                      segment.header.firstLsn()));
        }
      }
      return found;
    }

    /// Notes that there is nothing intact at `lsn`, and finds the next intact frame.
    ///
    /// @return its LSN, or -1 if there is none
    private long skipHole(long lsn) throws IOException {
      if (commitStart >= 0) {
        breakOff(lsn);
      }
      Segment damaged = at(generation, lsn);
      long next = -1;
      for (Segment segment : segments) {
        if (segment.header.generation() == generation && segment.filledLsn() > lsn) {
          long from = Math.max(lsn + FrameHeader.ALIGNMENT, segment.header.firstLsn());
          SegmentHeader header = segment.header;
          next =
              new FrameReader(file(segment.name), salt, header.termBytes())
                  .search(from, header.offset(from), header.offset(segment.filledLsn()));
          if (next >= 0) {
            break;
          }
        }
      }
      losses.lost(
          disk.describe(damaged == null ? LogFiles.DIRECTORY : damaged.name),
          damaged == null ? 0 : damaged.header.offset(lsn),
          "log record damaged at LSN "
              + lsn
              + (next < 0 ? ", and none intact after it" : ", intact again from LSN " + next));
      return next;
    }

    private void breakOff(long lsn) {
      pieces.clear();
      commitStart = -1;
      losses.lost(
          disk.describe(LogFiles.DIRECTORY),
          0,
          "commit incomplete that has parts before LSN " + lsn);
    }

    private @Nullable SessionCipher cipher(@Nullable Session session) {
      return dataKey == null || session == null ? null : dataKey.cipher(Purpose.LOG, session);
    }

    private void take(
        FrameReader reader,
        @Nullable SessionCipher cipher,
        Segment segment,
        long lsn,
        int length,
        long next,
        CommitConsumer consumer) {
      byte[] window = reader.window();
      int at = reader.offset(lsn);
      byte type = FrameHeader.typeAt(window, at);
      switch (type) {
        case FrameHeader.COMMIT, FrameHeader.FIRST -> {
          if (commitStart >= 0) {
            breakOff(lsn);
          }
          commitStart = lsn;
        }
        case FrameHeader.MIDDLE, FrameHeader.LAST -> {
          if (commitStart < 0) {
            return; // the rest of a commit whose beginning is lost, and was reported
          }
        }
        default -> {
          return;
        }
      }
      RecordSource.Piece body = FrameBody.of(cipher, window, at, length);
      if (body == null) {
        losses.lost(
            disk.describe(segment.name),
            segment.header.offset(lsn),
            "log record that is not what was encrypted, at LSN " + lsn);
        pieces.clear();
        commitStart = -1;
        return;
      }
      pieces.add(body);
      if (type == FrameHeader.COMMIT || type == FrameHeader.LAST) {
        RecordSource source = new RecordSource(List.copyOf(pieces));
        long start = commitStart;
        pieces.clear();
        commitStart = -1;
        consumer.commit(start, next, source);
        commits++;
      }
    }

    private @Nullable RingReader ringReader() throws IOException {
      DiskFile present = ring;
      return present == null ? null : RingReader.ofAnyTerm(present, salt);
    }
  }

  @Override
  public void close() throws IOException {
    for (DiskFile file : files.values()) {
      file.close();
    }
    DiskFile present = ring;
    if (present != null) {
      present.close();
    }
  }
}
