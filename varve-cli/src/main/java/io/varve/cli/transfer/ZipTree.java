package io.varve.cli.transfer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/// The files in a zip.
record ZipTree(ZipFile zip, List<Item> items) implements FileTree {
  static ZipTree list(Path file) throws IOException {
    var zip = new ZipFile(file.toFile());
    List<Item> items =
        zip.stream()
            .filter(entry -> !entry.isDirectory())
            .map(entry -> new Item(entry.getName(), Math.max(entry.getSize(), 0)))
            .sorted(Comparator.comparing(Item::path))
            .toList();
    return new ZipTree(zip, items);
  }

  @Override
  public InputStream open(Item item) throws IOException {
    ZipEntry entry = zip.getEntry(item.path());
    if (entry == null) {
      throw new IOException("no longer in " + zip.getName() + ": " + item.path());
    }
    return new StatedLength(zip.getInputStream(entry), item);
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }
}
