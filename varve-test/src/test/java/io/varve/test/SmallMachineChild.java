package io.varve.test;

import io.varve.Durability;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.item.Item;
import io.varve.item.ItemSpace;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;

/// The process of [SmallMachineTest].
///
/// Arguments: what to do (`stream` or `rollback`), the directory, and how much: bytes of the value,
/// or items.
final class SmallMachineChild {
  private static final long CACHE_BYTES = 16 << 20;
  private static final int BUFFER_BYTES = 1 << 16;
  private static final byte[] KEY = "large".getBytes(StandardCharsets.UTF_8);

  private final StoreOptions options =
      StoreOptions.defaults().durability(Durability.BACKGROUND).cacheBytes(CACHE_BYTES);

  private final Path directory;
  private final long size;

  private SmallMachineChild(Path directory, long size) {
    this.directory = directory;
    this.size = size;
  }

  public static void main(String[] arguments) throws IOException {
    var child = new SmallMachineChild(Path.of(arguments[1]), Long.parseLong(arguments[2]));
    long started = System.nanoTime();
    switch (arguments[0]) {
      case "stream" -> child.stream();
      default -> child.rollback();
    }
    System.out.println("done in " + (System.nanoTime() - started) / 1_000_000 + " ms");
  }

  /// Puts a value by a stream, moves it by compaction, and reads it by a stream, twice: before and
  /// after the store was opened again.
  private void stream() throws IOException {
    CheckedInputStream written = new CheckedInputStream(new Pattern(size), new CRC32C());
    try (Store store = Store.open(directory, options)) {
      Space space = store.space("s");
      Space before = store.space("before");
      before.put(KEY, new Pattern(size / 4), size / 4);
      space.put(KEY, written, size);
      before.delete(KEY);
      store.compact();
      requireSame(space, written.getChecksum().getValue());
      store.verify().requireSound();
    }
    try (Store store = Store.open(directory, options)) {
      requireSame(store.space("s"), written.getChecksum().getValue());
    }
    System.out.println("bytes=" + size);
  }

  private void requireSame(Space space, long checksum) throws IOException {
    CRC32C read = new CRC32C();
    long length = 0;
    try (InputStream value = space.read(KEY)) {
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int count = value.read(buffer); count >= 0; count = value.read(buffer)) {
        read.update(buffer, 0, count);
        length += count;
      }
    }
    if (length != size || read.getValue() != checksum) {
      throw new AssertionError("another value: length=" + length + ", expected=" + size);
    }
  }

  /// Inserts items, drops all but the first, which is committed, and finds that one again.
  private void rollback() {
    try (Store store = Store.open(directory, options)) {
      ItemSpace items = store.items("items");
      items.insert(Item.of("kept", 0));
      items.commit();
      for (long i = 0; i < size; i++) {
        items.insert(Item.of("dropped", i, "a component of some length"));
      }
      long started = System.nanoTime();
      items.rollback();
      System.out.println("items=" + size);
      System.out.println("rollback ms=" + (System.nanoTime() - started) / 1_000_000);
      requireOne(items);
      store.verify().requireSound();
    }
    try (Store store = Store.open(directory, options)) {
      requireOne(store.items("items"));
    }
  }

  private static void requireOne(ItemSpace items) {
    if (!items.contains(Item.of("kept", 0)) || items.count() != 1) {
      throw new AssertionError("not one item after the rollback");
    }
  }

  /// Bytes that depend on where they are.
  private static final class Pattern extends InputStream {
    private final long length;
    private long position;

    Pattern(long length) {
      this.length = length;
    }

    @Override
    public int read() {
      return position == length ? -1 : at(position++);
    }

    @Override
    public int read(byte[] buffer, int offset, int count) {
      int read = (int) Math.min(count, length - position);
      for (int i = 0; i < read; i++) {
        buffer[offset + i] = (byte) at(position + i);
      }
      position += read;
      return read == 0 && count > 0 ? -1 : read;
    }

    private static int at(long position) {
      return (int) (position * 0x9E3779B97F4A7C15L >>> 56);
    }
  }
}
