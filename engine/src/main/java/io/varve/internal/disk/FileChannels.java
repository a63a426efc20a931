package io.varve.internal.disk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.HashSet;
import java.util.Set;

/// Opens files of the file system, and maps them.
final class FileChannels {
  static final Set<OpenOption> READ_AND_WRITE =
      Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);

  static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ);

  private FileChannels() {}

  static AsynchronousFileChannel open(Path path, Set<OpenOption> options) throws IOException {
    FileAttribute<?>[] modes =
        options.contains(StandardOpenOption.CREATE)
                || options.contains(StandardOpenOption.CREATE_NEW)
            ? PrivateModes.ofFile(path)
            : PrivateModes.NONE;
    try {
      return AsynchronousFileChannel.open(path, options, CallerRuns.INSTANCE, modes);
    } catch (IOException | UnsupportedOperationException e) {
      // Some systems and file systems cannot; what else is wrong shows without the option, too.
      if (!options.contains(DirectOption.INSTANCE)) {
        throw e;
      }
      Set<OpenOption> others = new HashSet<>(options);
      others.remove(DirectOption.INSTANCE);
      return AsynchronousFileChannel.open(path, others, CallerRuns.INSTANCE, modes);
    }
  }

  /// Maps with a channel of its own: only [FileChannel] can map, and an interrupt closes one, so
  /// nobody else may use it.
  static MemorySegment map(Path path, long offset, long bytes) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try (var channel =
            FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
          // An automatic arena: nobody can unmap memory under a reader, and the direct buffers made
          // of it cost no reference counting per call.
          return channel.map(FileChannel.MapMode.READ_WRITE, offset, bytes, Arena.ofAuto());
        } catch (ClosedByInterruptException e) {
          interrupted |= Thread.interrupted();
        } catch (IOException e) {
          throw FileErrors.opening(path, e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
