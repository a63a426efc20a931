package io.varve.query.internal.access;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A sorted run in a [ScratchFile], of which pairs are found by the beginning of their keys. For
/// one thread.
///
/// - (BLOCK-1) The file is blocks of whole pairs in order. The beginning of each one's first key is
///   in memory. When these take more than their bound, each second one is dropped and blocks become
///   twice as long.
/// - (BLOCK-2) Long keys are cut for that: so blocks stay a small part of the file, however long
///   its keys are.
final class BlockFile implements AutoCloseable {
  private static final int BLOCK_BYTES_MIN = 1 << 12;

  /// About what the start of a block takes in memory on top of its key.
  private static final int START_OVERHEAD_BYTES = 64;

  /// Of a key, so many bytes are kept to find its block by.
  private static final int START_KEY_BYTES_MAX = 64;

  /// The first pair of a block.
  ///
  /// @param key the beginning of its key, or all of it
  private record Start(byte[] key, long offset) {
    static Start of(byte[] key, long offset) {
      return new Start(
          key.length > START_KEY_BYTES_MAX ? Arrays.copyOf(key, START_KEY_BYTES_MAX) : key, offset);
    }

    /// Whether all keys that begin so come after this pair. What is unknown of a key that was cut
    /// counts for no.
    boolean isBefore(byte[] beginning) {
      boolean isCut = key.length == START_KEY_BYTES_MAX;
      int compared = Math.min(beginning.length, isCut ? key.length : Integer.MAX_VALUE);
      return Arrays.compareUnsigned(key, 0, key.length, beginning, 0, compared) < 0;
    }
  }

  private final ScratchFile file;
  private final List<Start> starts;
  private final long bytes;
  private int blockNow = -1;
  private ByteBuffer block = ByteBuffer.allocate(0);

  private BlockFile(ScratchFile file, List<Start> starts, long bytes) {
    this.file = file;
    this.starts = starts;
    this.bytes = bytes;
  }

  /// Writes a run, and closes it. Whatever fails leaves no file.
  ///
  /// @param startBytesMax about how much memory the first keys of blocks may take
  static BlockFile write(SortedRun run, @Nullable Path directory, long startBytesMax) {
    ScratchFile file = null;
    boolean isWritten = false;
    try {
      BlockFile made;
      try (run) {
        file = ScratchFile.create(directory);
        made = writeAll(run, file, startBytesMax);
      }
      isWritten = true;
      return made;
    } catch (IOException e) {
      throw SortedRun.failure(e);
    } finally {
      if (!isWritten && file != null) {
        file.closeQuietly();
      }
    }
  }

  private static BlockFile writeAll(SortedRun run, ScratchFile file, long startBytesMax)
      throws IOException {
    List<Start> starts = new ArrayList<>();
    long startBytes = 0;
    long blockBytes = BLOCK_BYTES_MIN;
    long offset = 0;
    try (DataOutputStream output = file.output()) {
      while (run.next()) {
        byte[] key = run.key();
        if (starts.isEmpty() || offset - starts.getLast().offset() >= blockBytes) {
          starts.add(Start.of(key, offset));
          startBytes += starts.getLast().key().length + START_OVERHEAD_BYTES;
        }
        if (startBytes > startBytesMax && starts.size() > 1) {
          starts = eachSecond(starts);
          startBytes = bytes(starts);
          blockBytes *= 2;
        }
        output.writeInt(key.length);
        output.write(key);
        output.writeInt(run.payload().length);
        output.write(run.payload());
        offset += 2L * Integer.BYTES + key.length + run.payload().length;
      }
    }
    return new BlockFile(file, starts, offset);
  }

  private static List<Start> eachSecond(List<Start> starts) {
    List<Start> left = new ArrayList<>(starts.size() / 2 + 1);
    for (int index = 0; index < starts.size(); index += 2) {
      left.add(starts.get(index));
    }
    return left;
  }

  private static long bytes(List<Start> starts) {
    return starts.stream().mapToLong(start -> start.key().length + START_OVERHEAD_BYTES).sum();
  }

  /// The pairs whose keys begin so, in order.
  Pairs find(byte[] beginning) {
    return new Pairs(beginning);
  }

  /// The last block that begins before: the pairs that are looked for begin there or after.
  private int blockOf(byte[] beginning) {
    int low = 0;
    int high = starts.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (starts.get(middle).isBefore(beginning)) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /// The bytes of a block: that which was read last stays in memory.
  private ByteBuffer block(int number) {
    if (number != blockNow) {
      long start = starts.get(number).offset();
      long end = number + 1 < starts.size() ? starts.get(number + 1).offset() : bytes;
      byte[] read = new byte[Math.toIntExact(end - start)];
      try {
        file.read(start, read);
      } catch (IOException e) {
        throw SortedRun.failure(e);
      }
      block = ByteBuffer.wrap(read);
      blockNow = number;
    }
    return block.duplicate();
  }

  @Override
  public void close() {
    block = ByteBuffer.allocate(0);
    blockNow = -1;
    file.close();
  }

  /// Pairs whose keys begin alike.
  final class Pairs {
    private final byte[] beginning;
    private int blockNext;
    private ByteBuffer rest = ByteBuffer.allocate(0);
    private byte[] payload = {};
    private boolean isAtEnd;

    private Pairs(byte[] beginning) {
      this.beginning = beginning;
      this.blockNext = blockOf(beginning);
    }

    boolean next() {
      while (!isAtEnd) {
        if (!rest.hasRemaining()) {
          isAtEnd = blockNext == starts.size();
          rest = isAtEnd ? rest : block(blockNext++);
          continue;
        }
        int keyLength = rest.getInt();
        int start = rest.position();
        int compared =
            Arrays.compareUnsigned(
                rest.array(),
                start,
                start + Math.min(keyLength, beginning.length),
                beginning,
                0,
                beginning.length);
        rest.position(start + keyLength);
        int payloadLength = rest.getInt();
        int payloadStart = rest.position();
        rest.position(payloadStart + payloadLength);
        if (compared == 0) {
          payload = Arrays.copyOfRange(rest.array(), payloadStart, payloadStart + payloadLength);
          return true;
        }
        isAtEnd = compared > 0;
      }
      return false;
    }

    byte[] payload() {
      return payload;
    }
  }
}
