package io.varve.grid.cluster;

import io.varve.grid.node.NodeException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.infinispan.globalstate.ScopedPersistentState;

/// Which node keeps what, in files: for each cache the owners of its segments, as they were when
/// the node was last among them.
///
/// Infinispan writes that when a whole cluster is shut down, as `data/CACHE.state`, and forgets it
/// when the cluster runs again. So nodes that were killed together would each take their own
/// entries for old ones, and begin with none. These files are written at each change, in the same
/// notation: copied to where Infinispan looks, they let it wait for the nodes named there and
/// continue with what they have.
///
/// | path                           | what                                              |
/// |--------------------------------|---------------------------------------------------|
/// | `data/topology/CACHE.state`    | owners now, written before segments change hands  |
/// | `data/CACHE.state`             | owners that the start is to wait for              |
final class TopologyFiles {
  private static final String SUFFIX = ".state";

  private final Path data;
  private final Path directory;

  /// @param data where the server keeps its state
  TopologyFiles(Path data) {
    this.data = data;
    this.directory = data.resolve("topology");
  }

  /// Keeps the owners of a cache, so that a loss of power leaves these or those before them.
  void write(ScopedPersistentState state) throws IOException {
    StringBuilder text = new StringBuilder();
    state.forEach((name, value) -> text.append(name).append('=').append(value).append('\n'));
    Files.createDirectories(directory);
    Path written = directory.resolve(state.getScope() + ".new").normalize();
    if (!directory.equals(written.getParent())) {
      // Infinispan names its own file likewise, and that is not to be overwritten from here.
      throw new IOException("the name of a cache is no file name: cache=" + state.getScope());
    }
    try (FileChannel channel =
        FileChannel.open(
            written,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      channel.write(StandardCharsets.UTF_8.encode(text.toString()));
      channel.force(true);
    }
    Files.move(
        written, directory.resolve(state.getScope() + SUFFIX), StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel channel = FileChannel.open(directory)) {
      channel.force(true);
    }
  }

  /// Lets the next start wait for the owners that are kept here, for each cache of which Infinispan
  /// does not know more: it does after a shutdown of the whole cluster.
  void restore() throws IOException {
    for (Path file : files()) {
      Path place = data.resolve(file.getFileName());
      if (!Files.exists(place)) {
        Files.copy(file, place);
      }
    }
  }

  /// How many nodes the next start waits for, this one among them: as many as the cache has that
  /// has most. 0 if it waits for none.
  int awaited() throws IOException {
    int awaited = 0;
    for (Path file : files()) {
      Path place = data.resolve(file.getFileName());
      if (Files.exists(place)) {
        awaited = Math.max(awaited, nodes(read(place), "member.").size());
      }
    }
    return awaited;
  }

  /// Lets the next start wait for no node.
  void abandon() throws IOException {
    for (Path file : files()) {
      Files.deleteIfExists(data.resolve(file.getFileName()));
    }
  }

  /// Forgets the caches that are there no more.
  void retain(Set<String> caches) throws IOException {
    for (Path file : files()) {
      String name = file.getFileName().toString();
      if (!caches.contains(name.substring(0, name.length() - SUFFIX.length()))) {
        Files.delete(file);
      }
    }
  }

  /// Refuses to give the entries of this node up where no other node has them: where all other
  /// owners of a segment are not there.
  ///
  /// @param self this node
  /// @param present the other nodes that are there
  void requireOwners(UUID self, Set<UUID> present) throws IOException {
    for (Path file : files()) {
      Map<String, String> state = read(file);
      // All nodes of a replicated cache own all, and the file names no segments.
      int segments = Integer.parseInt(state.getOrDefault("segmentOwners", "1"));
      for (int segment = 0; segment < segments; segment++) {
        Set<UUID> owners = owners(state, segment);
        if (owners.remove(self) && owners.stream().noneMatch(present::contains)) {
          throw new NodeException(
              "the cluster runs without the nodes that have some entries, of which this is one:"
                  + " file="
                  + file
                  + ", segment="
                  + segment
                  + ", absent="
                  + owners
                  + "; start the node that stopped last first, or stop all nodes and start them"
                  + " again. Nothing was changed here");
        }
      }
    }
  }

  private static Set<UUID> owners(Map<String, String> state, int segment) {
    return nodes(
        state, state.containsKey("segmentOwners") ? "segmentOwner." + segment + "." : "member.");
  }

  /// The nodes that are numbered from 0 on after a prefix.
  private static Set<UUID> nodes(Map<String, String> state, String prefix) {
    Set<UUID> nodes = new HashSet<>();
    for (int i = 0; ; i++) {
      String node = state.get(prefix + i);
      if (node == null) {
        return nodes;
      }
      nodes.add(UUID.fromString(node));
    }
  }

  private static Map<String, String> read(Path file) throws IOException {
    Map<String, String> state = new HashMap<>();
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int equals = line.indexOf('=');
        if (equals > 0) {
          state.put(line.substring(0, equals), line.substring(equals + 1));
        }
      }
    }
    return state;
  }

  private List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
      entries.forEach(files::add);
    } catch (NoSuchFileException e) {
      return List.of(); // The node has never been in a cluster.
    } catch (java.nio.file.DirectoryIteratorException e) {
      throw new UncheckedIOException(e.getCause());
    }
    return files;
  }
}
