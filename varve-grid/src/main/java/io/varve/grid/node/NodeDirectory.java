package io.varve.grid.node;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The directory of a node, held by one process:
///
/// | path        | what                                                                    |
/// |-------------|-------------------------------------------------------------------------|
/// | `node.lock` | locked while the node runs, with its process id; the lock dies with it  |
/// | `conf`      | the server's settings at its last start; users and keys                 |
/// | `data`      | Infinispan's state, and below it a directory for each cache             |
/// | `items`     | the store of the items, from the first that was written                 |
public final class NodeDirectory implements AutoCloseable {
  /// The directory of a node whose user names none, below the working directory.
  public static final String DEFAULT = "varve-node";

  private final Path directory;
  private final NodeLock lock;

  private NodeDirectory(Path directory, NodeLock lock) {
    this.directory = directory;
    this.lock = lock;
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
    NodeLock lock = NodeLock.take(absolute, "stop that node, or name another directory by --data");
    return new NodeDirectory(absolute, lock);
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

  /// Writes the layers that are ours; gives the paths of all, in their order.
  List<Path> place(List<ConfigurationLayer> layers) throws IOException {
    List<Path> files = new ArrayList<>();
    for (ConfigurationLayer layer : layers) {
      files.add(layer.placeIn(configuration()));
    }
    return files;
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
