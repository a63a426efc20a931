package io.varve.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.Space;
import io.varve.cli.transfer.FileTree;
import java.util.List;

/// Which files of a tree are loaded. The loading process and the one that checks must agree on it.
final class DemoSource {
  /// What is larger is no text to index.
  private static final long FILE_BYTES_MAX = 16 << 20;

  /// Leaves bytes for a word in front of the path.
  private static final int PATH_BYTES_MAX = Space.KEY_BYTES_MAX / 2;

  private DemoSource() {}

  /// The files, by path.
  static List<FileTree.Item> items(FileTree tree) {
    return tree.items().stream()
        .filter(item -> item.bytes() <= FILE_BYTES_MAX)
        .filter(item -> item.path().getBytes(UTF_8).length <= PATH_BYTES_MAX)
        .toList();
  }
}
