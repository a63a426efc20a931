package io.varve.cli.transfer;

import io.varve.cli.console.CommandException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The plain files below a directory. Links are not followed.
record DirectoryTree(Path directory, List<Item> items) implements FileTree {
  /// Lists the files below `directory`. Those below `store` are left out: they change while they
  /// are loaded, and would have the store in itself.
  ///
  /// @throws CommandException if both are the same: all would be left out
  static DirectoryTree list(Path directory, Path store) throws IOException {
    Path root = directory.toRealPath();
    Path left = Files.exists(store) ? store.toRealPath() : store;
    if (root.equals(left)) {
      throw CommandException.usage(
          directory
              + ": the directory of the store is not loaded into itself; keep the store"
              + " elsewhere, or load the directories in it one by one");
    }
    // As the walk names it: no link below `directory` is followed.
    Path skipped = left.startsWith(root) ? directory.resolve(root.relativize(left)) : left;
    var items = new ArrayList<Item>();
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path inside, BasicFileAttributes attributes) {
            return inside.equals(skipped) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()) {
              String path = directory.relativize(file).toString().replace(File.separatorChar, '/');
              items.add(new Item(path, attributes.size()));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    items.sort(Comparator.comparing(Item::path));
    return new DirectoryTree(directory, List.copyOf(items));
  }

  @Override
  public InputStream open(Item item) throws IOException {
    return Files.newInputStream(directory.resolve(item.path()));
  }

  @Override
  public void close() {}
}
