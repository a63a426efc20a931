package io.varve.grid.guard.http;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The body of a request for a blob, as it comes. Parts are added by an event loop, and read by the
/// thread that carries the request out.
///
/// - BODY-1 It ends where the request does. To read a body of which no more comes fails.
/// - BODY-2 Its bytes are released when they were read, when it fails, or after it was closed. What
///   reads it closes it.
final class BlobBody extends InputStream {
  private static final Part END = new Part(null);

  private final BlockingQueue<Part> parts = new LinkedBlockingQueue<>(); // bounded by the loop
  private final TransferPace pace;
  private final Flow flow;
  private @Nullable ByteBuf current; // of the thread that reads, and so are the next two
  private boolean hasBegun;
  private boolean hasEnded;

  private volatile @Nullable IOException failure; // written by the event loop before an END
  private volatile boolean isClosed; // written once

  /// @param bytes null at the end
  private record Part(@Nullable ByteBuf bytes) {}

  /// Reports what is read to the event loop.
  interface Flow {
    /// Bytes are wanted for the first time.
    void begins();

    /// Bytes that were added were read, or dropped.
    void taken(int bytes);
  }

  BlobBody(Duration within, Flow flow) {
    this.pace = new TransferPace(within);
    this.flow = flow;
  }

  /// Adds bytes, which this releases.
  void add(ByteBuf bytes) {
    parts.add(new Part(bytes));
    if (isClosed) {
      releaseAll();
    }
  }

  /// Ends the body.
  void end() {
    parts.add(END);
  }

  /// Ends the body where it is not whole.
  void fail(IOException cause) {
    failure = cause;
    releaseAll();
    parts.add(END);
  }

  /// Drops what is not read. Without effect if that is done.
  @Override
  public void close() {
    isClosed = true;
    if (current != null) {
      release(current);
      current = null;
    }
    releaseAll();
  }

  private void releaseAll() {
    for (Part part = parts.poll(); part != null; part = parts.poll()) {
      if (part.bytes() != null) {
        release(part.bytes());
      }
    }
  }

  private void release(ByteBuf bytes) {
    flow.taken(bytes.readableBytes());
    bytes.release();
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
    ByteBuf part = part();
    if (part == null) {
      return -1;
    }
    int bytes = Math.min(count, part.readableBytes());
    part.readBytes(target, offset, bytes);
    if (!part.isReadable()) {
      part.release();
      current = null;
    }
    pace.passed(bytes);
    flow.taken(bytes);
    return bytes;
  }

  private @Nullable ByteBuf part() throws IOException {
    if (!hasBegun) {
      hasBegun = true;
      flow.begins();
    }
    if (current == null && !hasEnded) {
      Part next =
          pace.await(nanos -> {
            Part come = parts.poll(nanos, TimeUnit.NANOSECONDS);
            return come == null ? END : come; // PACE-1: it has waited for too long
          });
      current = next.bytes();
      hasEnded = current == null;
    }
    IOException cause = failure;
    if (cause != null) {
      throw new IOException("the body of the request is not whole", cause);
    }
    return current;
  }
}
