package io.varve.internal.wal.format;

import io.varve.internal.disk.DiskFile;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Reads frames of the ring, whose length doubles as it is used. Where a frame is depends on the
/// length that the ring had then, so each is tried. A frame states its LSN, so none is taken for
/// another. Used by one thread.
public final class RingReader {
  private final DiskFile file;
  private final int salt;
  private final int termBytes;
  private final int ringBytesMin;
  private final long fileBytes;

  /// One for each length that the ring can have had, the shortest first.
  private final @Nullable FrameReader[] byLength;

  private int last; // the one that found a frame last

  /// @param termBytes the length of a term, which a ring begins with
  public RingReader(DiskFile file, int salt, int termBytes) throws IOException {
    this(file, salt, termBytes, termBytes);
  }

  /// Reads a ring of which the length of a term is not known: frames may end anywhere.
  public static RingReader ofAnyTerm(DiskFile file, int salt) throws IOException {
    return new RingReader(file, salt, FrameHeader.TERM_BYTES_MAX, FrameHeader.TERM_BYTES_MIN);
  }

  private RingReader(DiskFile file, int salt, int termBytes, int ringBytesMin) throws IOException {
    this.file = file;
    this.salt = salt;
    this.termBytes = termBytes;
    this.ringBytesMin = ringBytesMin;
    this.fileBytes = file.size();
    int count = 1;
    while ((long) ringBytesMin << (count - 1) < fileBytes) {
      count++;
    }
    this.byLength = new FrameReader[count];
  }

  /// Looks for the frame at `lsn`.
  ///
  /// @return its length; 0 if there is no valid frame
  public int frameAt(long lsn) throws IOException {
    int length = frameAt(lsn, last);
    for (int i = 0; length == 0 && i < byLength.length; i++) {
      length = frameAt(lsn, i);
    }
    return length;
  }

  private int frameAt(long lsn, int index) throws IOException {
    last = index;
    long ringBytes = (long) ringBytesMin << index;
    return reader().frameAt(lsn, lsn & (ringBytes - 1), Math.min(ringBytes, fileBytes));
  }

  /// What holds the frame that was found last.
  public FrameReader reader() {
    FrameReader reader = byLength[last];
    if (reader == null) {
      reader = new FrameReader(file, salt, termBytes);
      byLength[last] = reader;
    }
    return reader;
  }

  /// Whether a mark in the ring records that more than `lsn` is durable.
  public boolean hasVouchingMark(long lsn) throws IOException {
    return new FrameReader(file, salt, termBytes).hasVouchingMark(lsn, 0, fileBytes, -1);
  }
}
