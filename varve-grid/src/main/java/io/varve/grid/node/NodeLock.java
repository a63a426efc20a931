package io.varve.grid.node;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The lock of the directory of a node: a file with the process id of its holder, locked by the
/// system, so that the lock dies with that process.
public final class NodeLock implements AutoCloseable {
  /// The file, in the directory.
  public static final String FILE = "node.lock";

  private final FileChannel file;

  private NodeLock(FileChannel file) {
    this.file = file;
  }

  /// Locks a directory, which is there.
  ///
  /// @param remedy what to do if another has it
  /// @throws NodeException if another process has it, or another node of this one
  public static NodeLock take(Path directory, String remedy) throws IOException {
    FileChannel file =
        FileChannel.open(
            directory.resolve(FILE),
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
            PrivateFiles.ofFile());
    if (lock(file) == null) {
      String holder = read(file);
      file.close();
      throw new NodeException(
          "the directory is in use: directory=" + directory + ", pid=" + holder + "; " + remedy);
    }
    file.truncate(0);
    file.write(ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(US_ASCII)));
    return new NodeLock(file);
  }

  private static @Nullable FileLock lock(FileChannel file) throws IOException {
    try {
      return file.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // Another one of this process has it.
    }
  }

  private static String read(FileChannel file) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(20);
    file.read(bytes, 0);
    return US_ASCII.decode(bytes.flip()).toString();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
