package io.varve.internal.disk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// Files on the heap, for stores that are not to outlive their process. Forcing does nothing.
public final class MemoryDisk implements Disk {
  private final Map<String, Content> files = new ConcurrentHashMap<>();

  @Override
  public DiskFile open(String name, FileOption... options) throws IOException {
    List<FileOption> wanted = Arrays.asList(options);
    boolean exists = files.containsKey(name);
    if (exists && wanted.contains(FileOption.CREATE_NEW)) {
      throw new IOException("file exists: file=" + name);
    }
    boolean creates = wanted.contains(FileOption.CREATE) || wanted.contains(FileOption.CREATE_NEW);
    if (!exists && !creates && !wanted.contains(FileOption.DSYNC)) {
      throw new IOException("no such file: file=" + name);
    }
    return new MemoryFile(name, files.computeIfAbsent(name, _ -> new Content()));
  }

  @Override
  public boolean exists(String name) {
    return files.containsKey(name);
  }

  @Override
  public List<String> list(String directory) {
    String prefix = directory.isEmpty() ? "" : directory + "/";
    TreeMap<String, Content> sorted = new TreeMap<>(files);
    return sorted.keySet().stream()
        .filter(name -> name.startsWith(prefix))
        .map(name -> name.substring(prefix.length()))
        .filter(name -> name.indexOf('/') < 0)
        .toList();
  }

  @Override
  public void createDirectory(String name) {
    // Directories are the parts of names.
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Content content = files.remove(from);
    if (content == null) {
      throw new IOException("no such file: file=" + from);
    }
    files.put(to, content);
  }

  @Override
  public void delete(String name) {
    files.remove(name);
  }

  @Override
  public void syncDirectory(String name) {
    // Nothing here outlives the process.
  }

  @Override
  public DiskLock lock(String name) {
    return new MemoryLock(() -> {});
  }

  @Override
  public long usableBytes() {
    return Runtime.getRuntime().maxMemory();
  }

  @Override
  public String describe(String name) {
    return "memory:" + name;
  }

  @Override
  public void close() {
    files.clear();
  }

  /// The bytes of a file, in chunks.
  private static final class Content {
    private static final int CHUNK_BYTES = 1 << 20;

    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private byte[][] chunks = new byte[0][];
    private long size;

    private void resize(long bytes) {
      int needed = Math.toIntExact((bytes + CHUNK_BYTES - 1) / CHUNK_BYTES);
      int present = chunks.length;
      if (needed != present) {
        chunks = Arrays.copyOf(chunks, needed);
        for (int i = present; i < needed; i++) {
          chunks[i] = new byte[CHUNK_BYTES];
        }
      }
      size = bytes;
    }

    private int read(long position, ByteBuffer destination) {
      lock.readLock().lock();
      try {
        int total = 0;
        while (destination.hasRemaining() && position + total < size) {
          long at = position + total;
          int within = (int) (at % CHUNK_BYTES);
          int count =
              (int) Math.min(Math.min(destination.remaining(), CHUNK_BYTES - within), size - at);
          destination.put(chunks[(int) (at / CHUNK_BYTES)], within, count);
          total += count;
        }
        return total;
      } finally {
        lock.readLock().unlock();
      }
    }

    private void write(long position, ByteBuffer source) {
      lock.writeLock().lock();
      try {
        if (position + source.remaining() > size) {
          resize(position + source.remaining());
        }
        long at = position;
        while (source.hasRemaining()) {
          int within = (int) (at % CHUNK_BYTES);
          int count = Math.min(source.remaining(), CHUNK_BYTES - within);
          source.get(chunks[(int) (at / CHUNK_BYTES)], within, count);
          at += count;
        }
      } finally {
        lock.writeLock().unlock();
      }
    }

    private long size() {
      lock.readLock().lock();
      try {
        return size;
      } finally {
        lock.readLock().unlock();
      }
    }

    private void truncate(long bytes) {
      lock.writeLock().lock();
      try {
        if (bytes < size) {
          resize(bytes);
        }
      } finally {
        lock.writeLock().unlock();
      }
    }
  }

  private record MemoryFile(String name, Content content) implements DiskFile {
    @Override
    public int read(long position, ByteBuffer destination) {
      return content.read(position, destination);
    }

    @Override
    public void write(long position, ByteBuffer source) {
      content.write(position, source);
    }

    @Override
    public void force() {
      // Nothing here outlives the process.
    }

    @Override
    public long size() {
      return content.size();
    }

    @Override
    public void truncate(long bytes) {
      content.truncate(bytes);
    }

    @Override
    public Mapping map(long offset, long bytes) {
      return new MemoryMapping(Arena.ofAuto().allocate(bytes, Long.BYTES));
    }

    @Override
    public void close() {
      // The content stays until the disk is closed.
    }
  }
}
