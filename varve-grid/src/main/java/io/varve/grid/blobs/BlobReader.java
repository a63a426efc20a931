package io.varve.grid.blobs;

import io.varve.Cursor;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/// Bytes of a blob, of one state of the store, whatever is written meantime. Holds one part. Close
/// it: its snapshot keeps what it shows on disk.
final class BlobReader extends InputStream {
  private final Snapshot snapshot;
  private final Cursor parts;
  private final Runnable end;
  private final byte[] id;
  private final long to;
  private long position;
  private @Nullable InputStream part;
  private boolean isClosed;

  /// @param space of the parts
  /// @param end is run when this is closed
  BlobReader(Snapshot snapshot, Space space, byte[] id, ByteRange range, Runnable end) {
    this.snapshot = snapshot;
    this.parts = snapshot.cursor(space, Range.prefix(id));
    this.end = end;
    this.id = id;
    this.position = range.from();
    this.to = range.from() + range.length();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int count) throws IOException {
    if (count == 0) {
      return 0;
    }
    if (position == to) {
      return -1;
    }
    InputStream from = part;
    if (from == null) {
      if (!parts.seek(BlobRecord.partKey(id, position / BlobRecord.PART_BYTES))) {
        throw new EOFException("a part of a blob is not there: offset=" + position);
      }
      from = parts.valueStream();
      from.skipNBytes(position % BlobRecord.PART_BYTES);
      part = from;
    }
    int read = from.read(target, offset, (int) Math.min(count, to - position));
    if (read < 0) {
      throw new EOFException("a part of a blob is too short: offset=" + position);
    }
    position += read;
    if (position % BlobRecord.PART_BYTES == 0) {
      part = null;
    }
    return read;
  }

  @Override
  public void close() {
    if (!isClosed) {
      isClosed = true;
      part = null;
      parts.close();
      snapshot.close();
      end.run();
    }
  }
}
