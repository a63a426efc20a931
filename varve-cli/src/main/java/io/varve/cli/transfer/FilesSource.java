package io.varve.cli.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.Entry;
import io.varve.Space;
import io.varve.cli.console.CommandException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Files as entries: the path is the key, the content the value.
final class FilesSource implements RecordSource {
  /// From this length on a file is not read into memory but streamed into the store.
  private static final long STREAMED_BYTES_MIN = 4 << 20;

  private final FileTree tree;
  private final String space;
  private final Iterator<FileTree.Item> items;
  private final long totalBytes;
  private final AtomicLong bytesRead = new AtomicLong();

  FilesSource(FileTree tree, SourceOptions options) {
    this.tree = tree;
    space = options.requireSpace();
    items = tree.items().iterator();
    totalBytes = tree.items().stream().mapToLong(FileTree.Item::bytes).sum();
  }

  @Override
  public @Nullable Incoming next() {
    if (!items.hasNext()) {
      return null;
    }
    FileTree.Item item = items.next();
    bytesRead.setOpaque(bytesRead.getPlain() + item.bytes());
    byte[] key = requireKey(item);
    if (item.bytes() >= STREAMED_BYTES_MIN) {
      return new Incoming.Streamed(space, tree, item);
    }
    try {
      return new Incoming.Whole(space, new Entry(key, tree.read(item)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] requireKey(FileTree.Item item) {
    byte[] key = item.path().getBytes(UTF_8);
    if (key.length > Space.KEY_BYTES_MAX) {
      throw CommandException.usage(
          item.path() + ": path too long: bytes=" + key.length + ", max=" + Space.KEY_BYTES_MAX);
    }
    return key;
  }

  @Override
  public long totalBytes() {
    return totalBytes;
  }

  @Override
  public long bytesRead() {
    return bytesRead.getOpaque();
  }

  @Override
  public void close() {
    try {
      tree.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
