package io.varve.internal.disk;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.concurrent.Future;

/// A file of the file system.
///
/// Over an [AsynchronousFileChannel] whose tasks run in the calling thread ([CallerRuns]): unlike a
/// file channel it is not interruptible, so an interrupt can neither close the file under other
/// threads nor fail a write half done. What a virtual thread reads, a platform thread may read for
/// it ([ReadPool]).
final class FileDiskFile implements DiskFile {

  private final Directory directory;
  private final String name;
  private final Path path;
  private final AsynchronousFileChannel channel;

  /// Whether other handles use the channel, too, so that a close of this one leaves it open.
  private final boolean isShared;

  private volatile boolean closed;

  private FileDiskFile(
      Directory directory,
      String name,
      Path path,
      AsynchronousFileChannel channel,
      boolean isShared) {
    this.directory = directory;
    this.name = name;
    this.path = path;
    this.channel = channel;
    this.isShared = isShared;
  }

  /// A handle with a channel of its own.
  static FileDiskFile owning(
      Directory directory, String name, Path path, AsynchronousFileChannel channel) {
    return new FileDiskFile(directory, name, path, channel, false);
  }

  /// A handle with a channel that stays open when the handle is closed.
  static FileDiskFile shared(
      Directory directory, String name, Path path, AsynchronousFileChannel channel) {
    return new FileDiskFile(directory, name, path, channel, true);
  }

  private void requireOpen() throws FileClosedException {
    if (closed) {
      throw new FileClosedException(path.toString());
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int read(long position, ByteBuffer destination) throws IOException {
    requireOpen();
    return ReadPool.SHARED.read(() -> readHere(position, destination));
  }

  private int readHere(long position, ByteBuffer destination) throws IOException {
    int start = destination.position();
    while (destination.hasRemaining()) {
      int done = destination.position() - start;
      if (result(channel.read(destination, position + done), 0) < 0) {
        break;
      }
    }
    return destination.position() - start;
  }

  @Override
  public void write(long position, ByteBuffer source) throws IOException {
    requireOpen();
    int start = source.position();
    while (source.hasRemaining()) {
      int done = source.position() - start;
      if (result(channel.write(source, position + done), source.remaining()) <= 0) {
        throw new EOFException(
            "write made no progress: file=" + path + ", position=" + (position + done));
      }
    }
  }

  @Override
  public void force() throws IOException {
    requireOpen();
    try {
      channel.force(false);
    } catch (ClosedChannelException _) {
      throw new FileClosedException(path.toString());
    } catch (IOException e) {
      // Also for lack of capacity: what of the writes before is lost, nobody knows, so that this is
      // never the full disk that a later attempt may find emptier.
      throw new IOException("force failed: file=" + path, e);
    }
  }

  @Override
  public long size() throws IOException {
    requireOpen();
    try {
      return channel.size();
    } catch (ClosedChannelException _) {
      throw new FileClosedException(path.toString());
    }
  }

  @Override
  public void truncate(long size) throws IOException {
    requireOpen();
    channel.truncate(size);
  }

  @Override
  public Mapping map(long offset, long bytes) throws IOException {
    if (isShared) {
      throw new IOException("a locked file cannot be mapped: file=" + path); // (L1)
    }
    return new FileMapping(path, FileChannels.map(path, offset, bytes));
  }

  @Override
  public void close() throws IOException {
    closed = true;
    if (!isShared) {
      channel.close();
    }
  }

  /// The result of a call that ran in this thread and so is complete: `resultNow` waits for nothing
  /// and therefore does not look at the interrupt flag, as `get` may.
  private int result(Future<Integer> call, long bytes) throws IOException {
    return switch (call.state()) {
      case SUCCESS -> call.resultNow();
      case FAILED -> {
        Throwable cause = call.exceptionNow();
        throw switch (cause) {
          case ClosedChannelException _ -> new FileClosedException(path.toString());
          case IOException e -> FileErrors.explain(path, directory.precise(e, bytes));
          default -> new IOException("file access failed: file=" + path, cause);
        };
      }
      case RUNNING, CANCELLED ->
          throw new IOException(
              "file access did not complete: file=" + path + ", state=" + call.state());
    };
  }
}
