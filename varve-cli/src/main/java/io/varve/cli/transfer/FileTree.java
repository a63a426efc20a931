package io.varve.cli.transfer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Files by path below a directory or in a zip. Safe for many threads.
public sealed interface FileTree extends AutoCloseable permits DirectoryTree, ZipTree {
  /// A file.
  ///
  /// @param path relative, with `/` between the parts on every system
  /// @param bytes its length
  record Item(String path, long bytes) {}

  /// All plain files, by path.
  List<Item> items();

  /// The content of one of them.
  InputStream open(Item item) throws IOException;

  /// The content of one of them, whole.
  default byte[] read(Item item) throws IOException {
    try (InputStream content = open(item)) {
      return content.readAllBytes();
    }
  }

  @Override
  void close() throws IOException;

  /// Lists the files of a directory without those of the store, or the files of a zip.
  static FileTree of(Path source, Path store) throws IOException {
    return Files.isDirectory(source) ? DirectoryTree.list(source, store) : ZipTree.list(source);
  }
}
