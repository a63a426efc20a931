package io.varve.internal.wal.segment;

import io.varve.internal.disk.ClosingSteps;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFullException;
import io.varve.internal.disk.FileLimitException;
import io.varve.internal.disk.Mapping;
import io.varve.internal.wal.format.LogFiles;
import io.varve.internal.wal.format.LogGeneration;
import io.varve.internal.wal.format.SegmentHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The segment files of a log: the running generation's, which are written, and those of earlier
/// generations and of spares, which only wait to be released or used again.
///
/// - (S1) `live` are the running generation's segments in LSN order, without gaps. Replaced as a
///   whole, under this object's lock; read without.
/// - (S2) A segment joins `live` only when its header and name are durable. So no byte of log is
///   ever in a file that a recovery would not find.
/// - (S3) Only the allocator's thread calls [#prepare], [#stateLongRing], [#tidy], [#close] and
///   [#discard], except the [#tidy] before it starts.
public final class Segments {
  private static final int ZERO_BYTES = 1 << 20;

  /// The step in which the last of a full disk is taken.
  private static final int LAST_BYTES = 1 << 16;

  private final Disk disk;
  private final LogSettings options;
  private final LogGeneration generation;

  /// Null if the segments are not mapped.
  private final @Nullable MappedSegments mapped;

  private volatile SegmentFile[] live = new SegmentFile[0];

  /// Segments of earlier generations that a checkpoint may still need. Guarded by this.
  private final ArrayDeque<Old> earlier;

  /// Files to be used again or deleted. Guarded by this.
  private final ArrayDeque<Old> spare = new ArrayDeque<>();

  /// Files that go to what is kept; empty if nothing is. Guarded by this.
  private final ArrayDeque<Old> keeping = new ArrayDeque<>();

  /// The segments that joined `live` since the last release: as many spares will be used until the
  /// next one, if commits continue as they did. Guarded by this.
  private int addedCount;

  /// The spares that are kept. Guarded by this.
  private int sparesWanted;

  /// Files of `live` that were released and are still open. Guarded by this.
  private final ArrayList<SegmentFile> released = new ArrayList<>();

  /// Whether names in what is kept may not be durable yet. Allocator only.
  private boolean keptIsUnforced;

  private boolean ringIsLong; // allocator only; whether headers state that it may be
  private long nextSequence; // allocator only
  private long preparedLsn; // allocator only
  private @Nullable ByteBuffer zeros; // allocator only

  /// A file that is not written any more.
  ///
  /// @param endLsn the LSN after its last byte
  /// @param reusable whether its size is that of a segment
  public record Old(String name, long endLsn, boolean reusable) {}

  public Segments(
      Disk disk,
      LogSettings options,
      LogGeneration generation,
      long nextSequence,
      @Nullable MappedSegments mapped,
      List<Old> earlier) {
    this.disk = disk;
    this.options = options;
    this.generation = generation;
    this.nextSequence = nextSequence;
    this.mapped = mapped;
    this.preparedLsn = generation.firstLsn();
    this.earlier = new ArrayDeque<>(earlier);
  }

  /// The segment that holds a byte of the log not yet released.
  private SegmentFile at(long lsn) {
    SegmentFile[] files = live;
    return files[(int) ((lsn - files[0].header.firstLsn()) / options.segmentBytes())];
  }

  /// Writes a batch, which never crosses the end of a segment.
  void write(long lsn, ByteBuffer batch, boolean forced) throws IOException {
    at(lsn).write(lsn, batch, forced);
  }

  /// Forces the files that hold `[fromLsn, toLsn)`.
  public void force(long fromLsn, long toLsn) throws IOException {
    for (SegmentFile file : live) {
      if (file.header.endLsn() > fromLsn && file.header.firstLsn() < toLsn) {
        file.force();
      }
    }
  }

  long preparedLsn() {
    return preparedLsn;
  }

  /// States in the headers of the segment that is being prepared, and of all that follow, that the
  /// ring may be longer than a term. It need not be durable: what the ring alone holds is not.
  void stateLongRing() throws IOException {
    SegmentFile[] files = live;
    if (!ringIsLong && files.length > 0) {
      files[files.length - 1].stateLongRing();
    }
    ringIsLong = true;
  }

  /// Makes the next step of log ready: written with real blocks and forced, so that later forces
  /// change no metadata and a full disk is met here, where it harms nobody. If the disk has
  /// capacity for a part of the step, that part; but of a log that is mapped whole terms alone.
  ///
  /// @param stepBytes how much, unless the segment ends before or was used before
  /// @throws DiskFullException if it has capacity for none
  /// @throws FileLimitException if no more files may be opened. The next attempt begins again.
  void prepare(long stepBytes) throws IOException {
    SegmentFile[] files = live;
    SegmentFile last = files.length == 0 ? null : files[files.length - 1];
    if (last == null || preparedLsn == last.header.endLsn()) {
      preparedLsn += addSegment(stepBytes);
      remember(new LogReach(generation.number(), preparedLsn)); // (C2)
      return;
    }
    long filled = fill(last, step(last, stepBytes));
    if (!last.isReused) {
      last.force();
    }
    if (mapped != null) {
      mapped.add(preparedLsn, last.map(preparedLsn, filled));
    }
    preparedLsn += filled;
    remember(new LogReach(generation.number(), preparedLsn)); // (C2)
  }

  private void remember(LogReach reach) throws IOException {
    options.reachKeeper().remember(reach);
  }

  /// How much of a segment is to be filled next.
  private long step(SegmentFile file, long stepBytes) {
    int unit = unit();
    long step = Math.ceilDiv(stepBytes, unit) * unit;
    return Math.min(step, file.header.endLsn() - preparedLsn);
  }

  /// What the log is made ready in multiples of.
  private int unit() {
    return mapped == null ? 1 : options.termBytes();
  }

  /// Makes the log's directory, durably: its files are worth nothing in one that a power cut takes.
  /// One that is there already may have been made by a process that died before it was durable, so
  /// every open makes sure.
  public static void createDirectory(Disk disk) throws IOException {
    if (!disk.exists(LogFiles.DIRECTORY)) {
      disk.createDirectory(LogFiles.DIRECTORY);
    }
    disk.syncDirectory("");
  }

  /// @return the bytes of log that it was filled with
  private long addSegment(long stepBytes) throws IOException {
    forceKept(); // the names of segments are forced below, and with them that others left
    String name = LogFiles.segment(nextSequence);
    Old reused = takeSpare();
    if (reused != null && !reused.name.equals(name)) {
      disk.rename(reused.name, name);
    }
    SegmentFile file = null;
    boolean added = false;
    try {
      file =
          SegmentFile.create(
              disk,
              name,
              nextHeader(),
              options.mode().io(),
              ringIsLong,
              /* isReused= */ reused != null);
      // What an old segment holds does not check, but in a mapping it would be taken for frames
      // that are published (R1).
      long step =
          reused != null && mapped == null
              ? options.segmentBytes()
              : fill(file, step(file, stepBytes));
      file.force();
      disk.syncDirectory(LogFiles.DIRECTORY);
      Mapping mapping = mapped == null ? null : file.map(preparedLsn, step);
      synchronized (this) {
        if (mapped != null && mapping != null) {
          mapped.add(preparedLsn, mapping);
        }
        SegmentFile[] files = live;
        SegmentFile[] more = Arrays.copyOf(files, files.length + 1);
        more[files.length] = file;
        live = more;
        addedCount++;
      }
      added = true;
      nextSequence++;
      return step;
    } finally {
      if (!added) {
        // The next attempt writes the same file again: nothing in it is log yet. A reused one has
        // all its blocks, and stays the first spare. A new one must not keep what little capacity
        // there is.
        if (file != null) {
          file.close();
        }
        abandon(name, reused);
      }
    }
  }

  private SegmentHeader nextHeader() {
    return new SegmentHeader(
        generation.number(),
        generation.id(),
        nextSequence,
        preparedLsn,
        options.segmentBytes(),
        generation.firstLsn(),
        generation.previous().lsn(),
        options.termBytes(),
        generation.session());
  }

  private void abandon(String name, @Nullable Old reused) throws IOException {
    if (reused == null) {
      disk.delete(name);
    } else {
      synchronized (this) {
        spare.addFirst(new Old(name, reused.endLsn, true));
      }
    }
  }

  /// Fills a step of a segment with zeros.
  ///
  /// @return the bytes filled: less than the step if the disk is full then, in whole units
  private long fill(SegmentFile file, long step) throws IOException {
    if (zeros == null) {
      zeros = ByteBuffer.allocateDirect(ZERO_BYTES);
    }
    long end = preparedLsn + step;
    long lsn = preparedLsn;
    int piece = ZERO_BYTES;
    while (lsn < end) {
      int bytes = (int) Math.min(piece, end - lsn);
      try {
        file.write(lsn, zeros.duplicate().limit(bytes), false);
        lsn += bytes;
      } catch (DiskFullException e) {
        if (bytes > LAST_BYTES) {
          piece = LAST_BYTES;
        } else {
          long filled = (lsn - preparedLsn) / unit() * unit();
          if (preparedLsn + filled < lsn && !file.isReused) {
            file.cut(preparedLsn + filled); // a part of a unit must not keep what capacity there is
          }
          if (filled == 0) {
            throw e;
          }
          return filled;
        }
      }
    }
    return step;
  }

  private synchronized @Nullable Old takeSpare() {
    for (var candidates = spare.iterator(); candidates.hasNext(); ) {
      Old candidate = candidates.next();
      if (candidate.reusable) {
        candidates.remove();
        return candidate;
      }
    }
    return null;
  }

  /// Releases the segments wholly below `lsn`, all of which is durable. Of them as many are kept
  /// for reuse as were begun since the release before: none if there were no commits.
  ///
  /// @return whether there were any, so that [#tidy] has work
  public synchronized boolean release(long lsn) {
    boolean any = false;
    sparesWanted = Math.min(addedCount, options.spareSegmentsMax());
    addedCount = 0;
    while (!earlier.isEmpty() && earlier.peek().endLsn <= lsn) {
      drop(earlier.remove());
      any = true;
    }
    SegmentFile[] files = live;
    int count = 0;
    // The last one stays: positions are counted from the first.
    while (count < files.length - 1 && files[count].header.endLsn() <= lsn) {
      released.add(files[count]);
      count++;
    }
    if (count > 0) {
      live = Arrays.copyOfRange(files, count, files.length);
      if (mapped != null) {
        mapped.dropBelow(live[0].header.firstLsn());
      }
      any = true;
    }
    return any;
  }

  /// Called under this object's lock.
  private void drop(Old file) {
    (options.keeps() ? keeping : spare).add(file);
  }

  /// Closes the files released, and deletes those that are too many to hold for reuse; or moves all
  /// to what is kept.
  public void tidy() throws IOException {
    List<SegmentFile> closing;
    synchronized (this) {
      closing = List.copyOf(released);
    }
    for (SegmentFile file : closing) {
      file.close();
    }
    var surplus = new ArrayList<Old>();
    synchronized (this) {
      released.removeAll(closing); // until then, a close of all files finds them
      for (SegmentFile file : closing) {
        drop(new Old(file.name, file.header.endLsn(), true));
      }
      int kept = 0;
      for (var candidates = spare.iterator(); candidates.hasNext(); ) {
        Old candidate = candidates.next();
        if (!candidate.reusable || ++kept > sparesWanted) {
          candidates.remove();
          surplus.add(candidate);
        }
      }
    }
    keepReleased();
    for (Old file : surplus) {
      disk.delete(file.name);
    }
  }

  /// Keeps no spares from now on, until commits have begun segments again.
  synchronized void wantNoSpares() {
    sparesWanted = 0;
  }

  /// Makes capacity on a full disk: of what was released since the last [#tidy], or else of a spare
  /// segment. Called by the thread that tidies.
  ///
  /// @return whether there may be some
  boolean freeCapacity() throws IOException {
    Old deleted = null;
    boolean isUntidy;
    synchronized (this) {
      isUntidy = !released.isEmpty();
      if (!isUntidy) {
        deleted = spare.poll();
      }
    }
    if (isUntidy) {
      tidy();
    } else if (deleted != null) {
      disk.delete(deleted.name);
    }
    return isUntidy || deleted != null;
  }

  /// Moves to what is kept what was released.
  private void keepReleased() throws IOException {
    try {
      for (Old file = firstToKeep(); file != null; file = firstToKeep()) {
        LogArchive.keep(disk, file.name, generation.number(), Long.MAX_VALUE);
        keptIsUnforced = true;
        synchronized (this) {
          keeping.remove();
        }
      }
    } catch (DiskFullException | FileLimitException e) {
      // The names found no capacity. They stay as they are until the next time.
    }
    try {
      forceKept();
    } catch (FileLimitException e) {
      // The next segment is not added before they are.
    }
  }

  private void forceKept() throws IOException {
    if (keptIsUnforced) {
      LogArchive.sync(disk);
      keptIsUnforced = false;
    }
  }

  private synchronized @Nullable Old firstToKeep() {
    return keeping.peek();
  }

  public void close() throws IOException {
    List<SegmentFile> closing;
    synchronized (this) {
      closing = new ArrayList<>(released);
      closing.addAll(Arrays.asList(live));
    }
    var steps = new ClosingSteps();
    for (SegmentFile file : closing) {
      steps.take(file::close);
    }
    steps.throwFailure();
  }

  /// Closes and deletes everything: the log is not needed any more. Or keeps it, if it is kept.
  ///
  /// @param endLsn where the log ends
  public void discard(long endLsn) throws IOException {
    close();
    try {
      remember(LogReach.DISCARDED); // (C3)
    } catch (DiskFullException _) {
      return; // the log stays, which no checkpoint needs
    }
    if (options.keeps()) {
      for (String file : disk.list(LogFiles.DIRECTORY)) {
        if (file.endsWith(LogFiles.SUFFIX)) {
          LogArchive.keep(disk, LogFiles.DIRECTORY + "/" + file, generation.number(), endLsn);
        }
      }
      LogArchive.sync(disk);
    }
    for (String file : disk.list(LogFiles.DIRECTORY)) {
      if (file.endsWith(LogFiles.SUFFIX) || LogFiles.RING.endsWith(file)) {
        disk.delete(LogFiles.DIRECTORY + "/" + file);
      }
    }
  }
}
