package io.varve.test;

import io.varve.spi.BackupTarget;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Backups in memory, by the rules of an object store: an object is written from its start to its
/// end, and is there as a whole or not at all. No byte of it ever changes.
class MemoryTarget implements BackupTarget {
  private static final int READ_BYTES_MAX = 1 << 20;

  private final NavigableMap<String, byte[]> objects = new ConcurrentSkipListMap<>();
  private final AtomicBoolean held = new AtomicBoolean();
  private long callsLeft = Long.MAX_VALUE;
  private int open;

  /// Has calls that change anything fail after so many.
  void failAfter(long calls) {
    callsLeft = calls;
  }

  /// What is there, by name.
  NavigableMap<String, byte[]> objects() {
    return objects;
  }

  /// The objects that were begun and not closed.
  int openObjects() {
    return open;
  }

  private void change() throws IOException {
    if (callsLeft-- <= 0) {
      throw new IOException("the target cannot be reached");
    }
  }

  @Override
  public List<String> list(String directory) {
    String prefix = directory.isEmpty() ? "" : directory + "/";
    NavigableSet<String> names = new TreeSet<>();
    for (String name : objects.keySet()) {
      if (name.startsWith(prefix) && name.indexOf('/', prefix.length()) < 0) {
        names.add(name.substring(prefix.length()));
      }
    }
    return new ArrayList<>(names.descendingSet()); // an order that no caller may rely on
  }

  @Override
  public long size(String name) {
    byte[] object = objects.get(name);
    return object == null ? -1 : object.length;
  }

  @Override
  public int read(String name, long position, ByteBuffer target) throws IOException {
    byte[] object = objects.get(name);
    if (object == null) {
      throw new NoSuchFileException(name);
    }
    if (target.remaining() > READ_BYTES_MAX) {
      throw new AssertionError("more is read than was promised: bytes=" + target.remaining());
    }
    int count = (int) Math.max(0, Math.min(target.remaining(), object.length - position));
    target.put(object, (int) Math.min(position, object.length), count);
    return count;
  }

  @Override
  public NewObject create(String name) throws IOException {
    change();
    open++;
    return new NewObject() {
      private byte[] content = new byte[1 << 16];
      private int length;
      private boolean closed;

      @Override
      public void write(ByteBuffer bytes) throws IOException {
        change();
        int count = bytes.remaining();
        if (length + count > content.length) {
          content = Arrays.copyOf(content, Math.max(2 * content.length, length + count));
        }
        bytes.get(content, length, count);
        length += count;
      }

      @Override
      public void finish() throws IOException {
        change();
        objects.put(name, Arrays.copyOf(content, length));
      }

      @Override
      public void close() {
        if (!closed) {
          closed = true;
          open--;
        }
      }
    };
  }

  @Override
  public void delete(String name) throws IOException {
    change();
    objects.remove(name);
  }

  @Override
  public @Nullable Closeable tryHold() {
    return held.compareAndSet(false, true) ? () -> held.set(false) : null;
  }

  @Override
  public String describe(String name) {
    return "memory:" + name;
  }
}
