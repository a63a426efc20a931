package io.varve.query;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The temporary files that this process has open in a directory. They have no names there, so the
/// system is asked for its open files.
public final class ScratchFiles {
  private static final Path OPEN_FILES = Path.of("/proc/self/fd");

  private ScratchFiles() {}

  /// Links to them, by which they can be read.
  public static List<Path> openIn(Path directory) throws IOException {
    List<Path> open = new ArrayList<>();
    try (Stream<Path> links = Files.list(OPEN_FILES)) {
      for (Path link : links.toList()) {
        try {
          if (Files.readSymbolicLink(link).startsWith(directory.toRealPath())) {
            open.add(link);
          }
        } catch (IOException _) {
          // closed since it was listed
        }
      }
    }
    return open;
  }
}
