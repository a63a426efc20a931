package io.varve.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// The files of a store as a process leaves them that is killed, taken from one that runs.
///
/// The store makes log ready ahead of its use during the copy, and its page file holds how far that
/// is. So the page file is copied before the log is even listed, and never names log that the copy
/// lacks. The caller sees that no checkpoint is written and no commit is under way while a file is
/// copied.
public final class KilledStore {
  private KilledStore() {}

  /// Copies the files of the store in a directory to another one, which is made.
  public static void copy(Path running, Path killed) throws IOException {
    copy(running, killed, _ -> {});
  }

  /// @param around is given each file before it is copied, and afterwards again
  static void copy(Path running, Path killed, Consumer<Path> around) throws IOException {
    Files.createDirectory(killed);
    // By name: `reserve`, `pages`, `lock`, then in `log` the ring and the segments, the newest
    // first.
    List<Path> directories = new ArrayList<>();
    for (Path path : newestFirst(running)) {
      if (Files.isDirectory(path)) {
        directories.add(path);
      } else {
        around.accept(path);
        Files.copy(path, killed.resolve(path.getFileName()));
        around.accept(path);
      }
    }
    for (Path path : directories) {
      copy(path, killed.resolve(path.getFileName()), around);
    }
  }

  private static List<Path> newestFirst(Path directory) throws IOException {
    try (Stream<Path> paths = Files.list(directory)) {
      return paths.sorted(Comparator.reverseOrder()).toList();
    }
  }
}
