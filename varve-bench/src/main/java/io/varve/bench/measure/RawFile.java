package io.varve.bench.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;

/// A file that was written in full once, read and written past the page cache in aligned blocks.
/// For many threads.
final class RawFile implements AutoCloseable {
  /// Alignment that every device takes.
  static final int BLOCK_BYTES = 4096;

  private final FileChannel channel;
  private final long length;

  private RawFile(FileChannel channel, long length) {
    this.channel = channel;
    this.length = length;
  }

  /// Writes a file of that length in full, so that later writes move no metadata.
  static void prewrite(Path path, long length) {
    try (FileChannel channel =
        FileChannel.open(path, EnumSet.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE))) {
      ByteBuffer chunk = ByteBuffer.allocateDirect(1 << 20);
      for (long offset = 0; offset < length; offset += chunk.capacity()) {
        channel.write(chunk.clear(), offset);
      }
      channel.force(true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Opens a prewritten file past the page cache; writes are on stable storage when they return.
  static RawFile openDirect(Path path) {
    return open(path, Set.of(direct(), StandardOpenOption.DSYNC));
  }

  /// Opens a prewritten file through the page cache.
  static RawFile openBuffered(Path path) {
    return open(path, Set.of());
  }

  /// The JDK's option for it, in a package that the compiler warns of.
  private static OpenOption direct() {
    try {
      Class<?> options = Class.forName("com.sun.nio.file.ExtendedOpenOption");
      return (OpenOption) options.getField("DIRECT").get(null);
    } catch (ReflectiveOperationException e) {
      throw new UnsupportedOperationException("this JDK cannot write past the page cache", e);
    }
  }

  private static RawFile open(Path path, Set<OpenOption> more) {
    Set<OpenOption> options = new HashSet<>(more);
    options.add(StandardOpenOption.READ);
    options.add(StandardOpenOption.WRITE);
    try {
      FileChannel channel = FileChannel.open(path, options);
      return new RawFile(channel, channel.size());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A buffer of that many bytes, aligned.
  static ByteBuffer alignedBuffer(int bytes) {
    return ByteBuffer.allocateDirect(bytes + BLOCK_BYTES).alignedSlice(BLOCK_BYTES).slice(0, bytes);
  }

  long length() {
    return length;
  }

  void write(ByteBuffer buffer, long offset) {
    try {
      channel.write(buffer.clear(), offset);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void read(ByteBuffer buffer, long offset) {
    try {
      channel.read(buffer.clear(), offset);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void force() {
    try {
      channel.force(false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
