package io.varve.query.internal.access;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A sorted run in a [ScratchFile].
final class RunFile implements SortedRun {
  private static final byte[] NONE = {};

  private final ScratchFile file;
  private final long bytes;
  private @Nullable DataInputStream input;
  private long left;
  private byte[] key = NONE;
  private byte[] payload = NONE;

  private RunFile(ScratchFile file, long pairs) throws IOException {
    this.file = file;
    this.left = pairs;
    this.bytes = file.bytes();
  }

  /// Writes a run, and closes it. Whatever fails, and were it the disk or the memory half-way,
  /// leaves no file.
  static RunFile write(SortedRun run, @Nullable Path directory) {
    ScratchFile file = null;
    boolean isWritten = false;
    try {
      RunFile made;
      try (run) {
        file = ScratchFile.create(directory);
        made = new RunFile(file, writeAll(run, file));
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

  /// @return how many pairs there are
  private static long writeAll(SortedRun run, ScratchFile file) throws IOException {
    long pairs = 0;
    try (DataOutputStream output = file.output()) {
      while (run.next()) {
        write(run.key(), output);
        write(run.payload(), output);
        pairs++;
      }
    }
    return pairs;
  }

  private static void write(byte[] bytes, DataOutputStream output) throws IOException {
    output.writeInt(bytes.length);
    output.write(bytes);
  }

  long bytes() {
    return bytes;
  }

  @Override
  public boolean next() {
    if (left == 0) {
      return false;
    }
    left--;
    try {
      if (input == null) {
        input = file.input();
      }
      key = read(input);
      payload = read(input);
      return true;
    } catch (IOException e) {
      throw SortedRun.failure(e);
    }
  }

  private static byte[] read(DataInputStream input) throws IOException {
    byte[] bytes = new byte[input.readInt()];
    input.readFully(bytes);
    return bytes;
  }

  @Override
  public byte[] key() {
    return key;
  }

  @Override
  public byte[] payload() {
    return payload;
  }

  @Override
  public void close() {
    left = 0;
    file.close();
  }
}
