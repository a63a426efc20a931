package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/// What stores hold of this process: their threads, and, where the system reports, the files that
/// are open.
record Footprint(List<String> threads, List<String> files) {
  private static final Path OPEN_FILES = Path.of("/proc/self/fd");

  static Footprint now() throws IOException {
    return new Footprint(threadNames(), openFiles());
  }

  /// Fails if there is more of anything than when this was taken.
  void requireNothingMore() throws IOException {
    Footprint now = now();
    assertThat(threads).as("threads of stores").containsAll(now.threads);
    assertThat(now.files).as("open files").isSubsetOf(files);
  }

  private static List<String> threadNames() {
    var names = new TreeSet<String>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("varve-")) {
        names.add(thread.getName());
      }
    }
    return List.copyOf(names);
  }

  /// Files of stores alone: the class loader and the test engine open others at any time.
  private static List<String> openFiles() throws IOException {
    if (!Files.isDirectory(OPEN_FILES)) {
      return List.of();
    }
    var names = new TreeSet<String>();
    try (Stream<Path> links = Files.list(OPEN_FILES)) {
      for (Path link : links.toList()) {
        try {
          String target = Files.readSymbolicLink(link).toString();
          if (target.matches(".*/(pages|lock|reserve|ring|\\d{20}\\.log)( \\(deleted\\))?")) {
            names.add(target);
          }
        } catch (IOException e) {
          // closed since it was listed
        }
      }
    }
    return List.copyOf(names);
  }
}
