package io.varve.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// The files of a store as a process leaves them that is killed, taken from one that runs.
///
/// The store makes log ready ahead of its use during the copy, and its page file holds how far that
/// is. So the page file is copied before the log, and never names log that the copy lacks. The
/// caller sees that no checkpoint is written and no commit is under way while a file is copied.
public final class KilledStore {
  private KilledStore() {}

  /// Copies the files of the store in a directory to another one, which is made.
  public static void copy(Path running, Path killed) throws IOException {
    copy(running, killed, _ -> {});
  }

  /// @param afterEach is given each file after it was copied
  static void copy(Path running, Path killed, Consumer<Path> afterEach) throws IOException {
    List<Path> directories = new ArrayList<>();
    List<Path> files = new ArrayList<>();
    try (Stream<Path> all = Files.walk(running)) {
      all.sorted().forEach(path -> (Files.isDirectory(path) ? directories : files).add(path));
    }
    for (Path path : directories) {
      Files.createDirectory(killed.resolve(running.relativize(path).toString()));
    }
    // By name: `pages`, then `log/ring`, then the segments, the newest first.
    for (Path path : files.reversed()) {
      Files.copy(path, killed.resolve(running.relativize(path).toString()));
      afterEach.accept(path);
    }
  }
}
