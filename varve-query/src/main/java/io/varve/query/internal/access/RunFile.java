package io.varve.query.internal.access;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A sorted run in a temporary file, that its owner alone may read, and that is deleted with it.
final class RunFile implements SortedRun {
  private static final int WRITE_BUFFER_BYTES = 1 << 16;
  private static final int READ_BUFFER_BYTES = 1 << 14;
  private static final byte[] NONE = {};

  private final Path file;
  private final long bytes;
  private @Nullable DataInputStream input;
  private long left;
  private byte[] key = NONE;
  private byte[] payload = NONE;

  private RunFile(Path file, long pairs, long bytes) {
    this.file = file;
    this.left = pairs;
    this.bytes = bytes;
  }

  /// Writes a run, and closes it. Whatever fails, and were it the disk or the memory half-way,
  /// leaves no file.
  static RunFile write(SortedRun run, @Nullable Path directory) {
    Path file = null;
    boolean isWritten = false;
    try {
      RunFile made;
      try (run) {
        file = create(directory);
        made = writeAll(run, file);
      }
      isWritten = true;
      return made;
    } catch (IOException e) {
      throw SortedRun.failure(e);
    } finally {
      if (!isWritten && file != null) {
        deleteQuietly(file);
      }
    }
  }

  /// Java makes temporary files readable by their owner alone.
  static Path create(@Nullable Path directory) throws IOException {
    return directory == null
        ? Files.createTempFile("varve-sort-", ".run")
        : Files.createTempFile(directory, "varve-sort-", ".run");
  }

  static void deleteQuietly(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException _) {
      // What failed before is what matters, and is reported.
    }
  }

  private static RunFile writeAll(SortedRun run, Path file) throws IOException {
    long pairs = 0;
    try (var output =
        new DataOutputStream(
            new BufferedOutputStream(Files.newOutputStream(file), WRITE_BUFFER_BYTES))) {
      while (run.next()) {
        write(run.key(), output);
        write(run.payload(), output);
        pairs++;
      }
    }
    return new RunFile(file, pairs, Files.size(file));
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
        input =
            new DataInputStream(
                new BufferedInputStream(Files.newInputStream(file), READ_BUFFER_BYTES));
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
    try {
      if (input != null) {
        input.close();
      }
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw SortedRun.failure(e);
    }
  }
}
