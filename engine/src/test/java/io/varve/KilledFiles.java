package io.varve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// The files of a store as a process leaves them that is killed, taken from one that runs.
///
/// The store makes log ready ahead of its use during the copy, and its page file holds how far that
/// is. So the page file is copied before the log is listed, and never names log that the copy
/// lacks. The caller sees that no checkpoint is written and no commit is under way.
public final class KilledFiles {
  private KilledFiles() {}

  /// Copies a directory and all in it to another one, which is made.
  public static void copy(Path running, Path killed) throws IOException {
    Files.createDirectory(killed);
    List<Path> directories = new ArrayList<>();
    try (Stream<Path> paths = Files.list(running)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) { // the newest log first
        if (Files.isDirectory(path)) {
          directories.add(path);
        } else {
          Files.copy(path, killed.resolve(path.getFileName().toString()));
        }
      }
    }
    for (Path path : directories) {
      copy(path, killed.resolve(path.getFileName().toString()));
    }
  }
}
