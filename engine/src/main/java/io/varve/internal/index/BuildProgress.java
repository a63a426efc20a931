package io.varve.internal.index;

import static io.varve.internal.page.MalformedImageException.require;

import io.varve.internal.page.MalformedImageException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// How far an index is built, as its workspace states it.
final class BuildProgress {
  private static final int ABSENT = -1;

  /// More than the memory of any build has blocks for (BUILD-4).
  private static final int RUNS_MAX = 1 << 16;

  private static final String PROGRESS = "impossible progress";

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
  ///
  /// @throws MalformedImageException if it gave no such thing
  static BuildProgress of(byte[] bytes) {
    require(bytes.length >= Integer.BYTES, PROGRESS);
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    int runs = buffer.getInt();
    require(runs >= 0 && runs <= RUNS_MAX, PROGRESS);
    BuildProgress read = new BuildProgress(runs, read(buffer), read(buffer));
    require(!buffer.hasRemaining(), PROGRESS);
    return read;
  }

  private static byte @Nullable [] read(ByteBuffer buffer) {
    require(buffer.remaining() >= Integer.BYTES, PROGRESS);
    int length = buffer.getInt();
    if (length == ABSENT) {
      return null;
    }
    require(length >= 0 && length <= buffer.remaining(), PROGRESS);
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
