package io.varve.internal.index;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// How far an index is built, as its workspace states it.
final class BuildProgress {
  private static final int ABSENT = -1;

  /// Nothing is done.
  static final BuildProgress NONE = new BuildProgress(0, new byte[0], null);

  private final int runs;
  private final byte @Nullable [] next;
  private final byte @Nullable [] merged;

  /// @param runs how many runs of blocks the workspace has
  /// @param next the key of the indexed space that is to be read next; null if all are read
  /// @param merged the last entry of the runs that is done with; null if none is
  BuildProgress(int runs, byte @Nullable [] next, byte @Nullable [] merged) {
    this.runs = runs;
    this.next = next;
    this.merged = merged;
  }

  int runs() {
    return runs;
  }

  byte @Nullable [] next() {
    return next;
  }

  byte @Nullable [] merged() {
    return merged;
  }

  /// Reads what [#bytes] gave.
  static BuildProgress of(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new BuildProgress(buffer.getInt(), read(buffer), read(buffer));
  }

  private static byte @Nullable [] read(ByteBuffer buffer) {
    int length = buffer.getInt();
    if (length == ABSENT) {
      return null;
    }
    byte[] read = new byte[length];
    buffer.get(read);
    return read;
  }

  byte[] bytes() {
    ByteBuffer buffer = ByteBuffer.allocate(3 * Integer.BYTES + length(next) + length(merged));
    buffer.putInt(runs);
    write(buffer, next);
    write(buffer, merged);
    return buffer.array();
  }

  private static int length(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  private static void write(ByteBuffer buffer, byte @Nullable [] bytes) {
    if (bytes == null) {
      buffer.putInt(ABSENT);
    } else {
      buffer.putInt(bytes.length).put(bytes);
    }
  }

  /// Whether entries of the runs are added to the index.
  boolean isMerging() {
    return next == null || merged != null;
  }

  /// This, after another run was gathered.
  BuildProgress gathered(byte @Nullable [] nextKey) {
    return new BuildProgress(runs + 1, nextKey, null);
  }

  /// This, after entries of the runs were added.
  BuildProgress merged(byte[] last) {
    return new BuildProgress(runs, next, last);
  }

  /// This, without runs.
  BuildProgress withoutRuns() {
    return new BuildProgress(0, next, null);
  }
}
