package io.varve.internal.wal;

import io.varve.internal.disk.ClosingSteps;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.FileOption;
import io.varve.internal.wal.format.LogFiles;
import io.varve.internal.wal.format.RingReader;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The files of a log that a recovery has open. A file is forced before it is believed (V1 of
/// [LogRecovery]).
final class RecoveryFiles implements AutoCloseable {
  private final Disk disk;

  /// Whether the files are those of backups, which stay as they are.
  private final boolean forReading;

  private final Map<String, DiskFile> files = new HashMap<>();
  private @Nullable DiskFile ring;

  RecoveryFiles(Disk disk, boolean forReading) {
    this.disk = disk;
    this.forReading = forReading;
  }

  /// How messages name a file.
  String describe(String name) {
    return disk.describe(name);
  }

  /// Opens a segment, unless it is open.
  DiskFile open(String name) throws IOException {
    DiskFile file = files.get(name);
    if (file == null) {
      file = forReading ? disk.open(name, FileOption.READ_ONLY) : disk.open(name);
      files.put(name, file);
      if (!forReading) {
        file.force(); // (V1)
      }
    }
    return file;
  }

  /// Closes the segments of a log that is only read: each is read once, from its start to its end.
  /// Those of a store stay open, since they are written again (V2).
  void leave() throws IOException {
    if (forReading) {
      closeSegments();
    }
  }

  private void closeSegments() throws IOException {
    var steps = new ClosingSteps();
    closeSegments(steps);
    steps.throwFailure();
  }

  private void closeSegments(ClosingSteps steps) {
    files.values().forEach(file -> steps.take(file::close));
    files.clear();
  }

  /// A segment that was opened; null if it was not.
  @Nullable DiskFile opened(String name) {
    return files.get(name);
  }

  /// Opens the ring, if there is one.
  void openRing() throws IOException {
    if (disk.exists(LogFiles.RING)) {
      DiskFile file = disk.open(LogFiles.RING);
      ring = file;
      file.force(); // (V1)
    }
  }

  /// Reads frames of the ring; null if there is none.
  @Nullable RingReader ringReader(int salt, int termBytes) throws IOException {
    DiskFile present = ring;
    return present == null ? null : new RingReader(present, salt, termBytes);
  }

  @Override
  public void close() throws IOException {
    var steps = new ClosingSteps();
    closeSegments(steps);
    DiskFile present = ring;
    if (present != null) {
      steps.take(present::close);
    }
    steps.throwFailure();
  }
}
