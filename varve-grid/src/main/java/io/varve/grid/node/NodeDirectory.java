package io.varve.grid.node;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The directory of a node, held by one process:
///
/// | path        | what                                                                    |
/// |-------------|-------------------------------------------------------------------------|
/// | `node.lock` | locked while the node runs, with its process id; the lock dies with it  |
/// | `conf`      | what the server was told at its last start; users and keys              |
/// | `data`      | Infinispan's state, and below it a directory for each cache             |
public final class NodeDirectory implements AutoCloseable {
  /// The directory of a node whose user names none, below the working directory.
  public static final String DEFAULT = "varve-node";

  private final Path directory;
  private final FileChannel lockFile;

  private NodeDirectory(Path directory, FileChannel lockFile) {
    this.directory = directory;
    this.lockFile = lockFile;
  }

  /// Makes the directory if it is not there, and locks it.
  ///
  /// @throws NodeException if another process has it
  static NodeDirectory open(Path directory) throws IOException {
    Path absolute = directory.toAbsolutePath().normalize();
    PrivateFiles.createDirectories(absolute);
    // One that others made, as a volume of a container, stays as it is; what is in it is private.
    PrivateFiles.ownDirectory(configuration(absolute));
    PrivateFiles.ownDirectory(absolute.resolve("data"));
    FileChannel lockFile =
        FileChannel.open(
            absolute.resolve("node.lock"),
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
            PrivateFiles.ofFile());
    if (lock(lockFile) == null) {
      String holder = read(lockFile);
      lockFile.close();
      throw new NodeException(
          "the directory is in use: directory="
              + absolute
              + ", pid="
              + holder
              + "; stop that node, or name another directory by --data");
    }
    lockFile.truncate(0);
    lockFile.write(
        ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(US_ASCII)));
    return new NodeDirectory(absolute, lockFile);
  }

  private static @Nullable FileLock lock(FileChannel lockFile) throws IOException {
    try {
      return lockFile.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // Another node of this process has it.
    }
  }

  private static String read(FileChannel lockFile) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(20);
    lockFile.read(bytes, 0);
    return US_ASCII.decode(bytes.flip()).toString();
  }

  Path root() {
    return directory;
  }

  Path configuration() {
    return configuration(directory);
  }

  /// The directory `conf` of a node, be there one or not.
  public static Path configuration(Path directory) {
    return directory.resolve("conf");
  }

  Path data() {
    return directory.resolve("data");
  }

  /// Writes the layers that are ours; gives the places of all, in their order.
  List<Path> place(List<ConfigurationLayer> layers) throws IOException {
    List<Path> files = new ArrayList<>();
    for (ConfigurationLayer layer : layers) {
      files.add(layer.placeIn(configuration()));
    }
    return files;
  }

  @Override
  public void close() throws IOException {
    lockFile.close();
  }
}
