package io.varve.internal.disk;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A disk in memory for tests of the log: it keeps what was written apart from what was forced, and
/// can fill up. It calls a hook before each call, which may fail the call or let it wait.
public final class HookedDisk implements Disk {
  private static final int SECTOR = 512;
  private static final int BLOCK = 4096;

  /// What is done to a disk.
  public enum Call {
    OPEN,
    READ,
    WRITE,
    FORCE,
    MAP,
    RENAME,
    DELETE,
    SYNC
  }

  /// Sees each call before it happens.
  @FunctionalInterface
  public interface Hook {
    void before(Call call, String name, long position) throws IOException;
  }

  private static final class Content {
    byte[] bytes = new byte[0];
    byte[] forced = new byte[0];
    final List<MappedRange> mapped = new ArrayList<>();

    /// Brings what the file shows up to date with its mappings, from the end: threads write to them
    /// concurrently, and a mark that is seen shows that what is before it was written.
    void observe() {
      for (MappedRange range : mapped.reversed()) {
        for (int end = range.length(); end > 0; end -= BLOCK) {
          int from = Math.max(0, end - BLOCK);
          MemorySegment.copy(
              range.memory, ValueLayout.JAVA_BYTE, from, bytes, range.offset + from, end - from);
        }
      }
    }
  }

  private record MappedRange(int offset, MemorySegment memory) {
    int length() {
      return (int) memory.byteSize();
    }

    boolean overlaps(int from, int to) {
      return from < offset + length() && offset < to;
    }

    /// Shows in memory what was written to the file.
    void update(byte[] bytes, int from, int to) {
      int start = Math.max(from, offset);
      int end = Math.min(to, offset + length());
      MemorySegment.copy(
          bytes, start, memory, ValueLayout.JAVA_BYTE, start - offset, Math.max(0, end - start));
    }
  }

  private final TreeMap<String, Content> files = new TreeMap<>();
  private volatile Hook hook = (_, _, _) -> {};
  private volatile boolean closesFail;
  private long capacityBytes = Long.MAX_VALUE;
  private long rootBytes;
  private long capacityQueries;

  public void hook(Hook newHook) {
    hook = newHook;
  }

  /// Lets each close of a file fail from now on, which has closed it.
  public void failCloses() {
    closesFail = true;
  }

  public synchronized void capacityBytes(long bytes) {
    capacityBytes = bytes;
  }

  /// Sets what can be written of the capacity and does not count as usable, as root's blocks do.
  public synchronized void rootBytes(long bytes) {
    rootBytes = bytes;
  }

  public synchronized long usedBytes() {
    return files.values().stream().mapToLong(content -> content.bytes.length).sum();
  }

  /// How often the disk was asked how much it can take.
  public synchronized long capacityQueries() {
    return capacityQueries;
  }

  public synchronized byte[] content(String name) {
    return files.get(name).bytes;
  }

  /// What another process finds after this one died now. Memory first: what was written out and
  /// zeroed in between is then found twice rather than not at all. The newest segment first: its
  /// marks vouch for what the older ones hold. A file that has grown since then has its new part:
  /// the next file is a proof that it is whole. If that is memory, all is looked at again: it may
  /// vouch for what the first look was too early for.
  public HookedDisk afterProcessCrash() {
    HookedDisk after = null;
    while (after == null) {
      after = look();
    }
    return after;
  }

  private @Nullable HookedDisk look() {
    var after = new HookedDisk();
    synchronized (this) {
      files
          .descendingMap()
          .forEach((name, content) -> {
            var copy = new Content();
            if (!content.mapped.isEmpty()) {
              content.observe();
              copy.bytes = content.bytes.clone();
            }
            after.files.put(name, copy);
          });
    }
    synchronized (this) {
      for (var file : files.entrySet()) {
        Content content = file.getValue();
        Content copy = after.files.computeIfAbsent(file.getKey(), _ -> new Content());
        int looked = copy.bytes.length;
        int grown = content.bytes.length - looked;
        if (grown > 0 && !content.mapped.isEmpty()) {
          return null;
        }
        if (grown > 0) {
          copy.bytes = Arrays.copyOf(copy.bytes, content.bytes.length);
          System.arraycopy(content.bytes, looked, copy.bytes, looked, grown);
        }
        copy.forced = copy.bytes.clone();
      }
      after.files.keySet().retainAll(files.keySet());
    }
    return after;
  }

  /// What a restarted machine finds after losing power now: what was forced, and any choice of the
  /// sectors that were not.
  public synchronized HookedDisk afterPowerLoss(long seed) {
    var random = new SplittableRandom(seed);
    var after = new HookedDisk();
    files.forEach((name, content) -> {
      content.observe();
      byte[] written = content.bytes.clone();
      byte[] survived = Arrays.copyOf(content.forced, written.length);
      for (int at = 0; at < written.length; at += SECTOR) {
        if (random.nextInt(3) == 0) {
          int length = Math.min(SECTOR, written.length - at);
          System.arraycopy(written, at, survived, at, length);
        }
      }
      var copy = new Content();
      copy.bytes = survived;
      copy.forced = survived.clone();
      after.files.put(name, copy);
    });
    return after;
  }

  @Override
  public DiskFile open(String name, FileOption... options) throws IOException {
    hook.before(Call.OPEN, name, 0);
    List<FileOption> chosen = List.of(options);
    synchronized (this) {
      Content content = files.get(name);
      if (content != null && chosen.contains(FileOption.CREATE_NEW)) {
        throw new IOException("file exists: " + name);
      }
      if (content == null) {
        if (!chosen.contains(FileOption.CREATE) && !chosen.contains(FileOption.CREATE_NEW)) {
          throw new FileNotFoundException(name);
        }
        content = new Content();
        files.put(name, content);
      }
      return new File(name, content, chosen.contains(FileOption.DSYNC));
    }
  }

  @Override
  public synchronized boolean exists(String name) {
    return files.containsKey(name);
  }

  @Override
  public synchronized List<String> list(String directory) {
    String prefix = directory + "/";
    return files.keySet().stream()
        .filter(name -> name.startsWith(prefix))
        .map(name -> name.substring(prefix.length()))
        .toList();
  }

  @Override
  public void createDirectory(String name) {}

  @Override
  public void rename(String from, String to) throws IOException {
    hook.before(Call.RENAME, from, 0);
    synchronized (this) {
      files.put(to, files.remove(from));
    }
  }

  @Override
  public void delete(String name) throws IOException {
    hook.before(Call.DELETE, name, 0);
    synchronized (this) {
      files.remove(name);
    }
  }

  @Override
  public void syncDirectory(String name) throws IOException {
    hook.before(Call.SYNC, name, 0);
  }

  @Override
  public DiskLock lock(String name) {
    return new MemoryLock(() -> {});
  }

  @Override
  public synchronized long usableBytes() {
    capacityQueries++;
    return capacityBytes - rootBytes - usedBytes();
  }

  @Override
  public String describe(String name) {
    return "memory:" + name;
  }

  @Override
  public void close() {}

  private final class File implements DiskFile {
    private final String name;
    private final Content content;
    private final boolean synchronous;
    private volatile boolean closed;

    File(String name, Content content, boolean synchronous) {
      this.name = name;
      this.content = content;
      this.synchronous = synchronous;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public int read(long position, ByteBuffer destination) throws IOException {
      hook.before(Call.READ, name, position);
      synchronized (HookedDisk.this) {
        content.observe();
        int count = Math.clamp(content.bytes.length - position, 0, destination.remaining());
        destination.put(content.bytes, (int) Math.min(position, content.bytes.length), count);
        return count;
      }
    }

    @Override
    public void write(long position, ByteBuffer source) throws IOException {
      hook.before(Call.WRITE, name, position);
      synchronized (HookedDisk.this) {
        int start = (int) position;
        int end = start + source.remaining();
        int growth = Math.max(0, end - content.bytes.length);
        if (growth > 0 && usedBytes() + growth > capacityBytes) {
          throw new DiskFullException("disk is full");
        }
        content.bytes = Arrays.copyOf(content.bytes, Math.max(content.bytes.length, end));
        source.get(content.bytes, start, end - start);
        for (MappedRange range : content.mapped) {
          if (range.overlaps(start, end)) {
            range.update(content.bytes, start, end);
          }
        }
        if (synchronous) {
          content.forced = Arrays.copyOf(content.forced, Math.max(content.forced.length, end));
          System.arraycopy(content.bytes, start, content.forced, start, end - start);
        }
      }
    }

    @Override
    public void force() throws IOException {
      hook.before(Call.FORCE, name, 0);
      if (closed) {
        throw new FileClosedException(name);
      }
      synchronized (HookedDisk.this) {
        content.forced = content.bytes.clone();
      }
    }

    @Override
    public long size() {
      synchronized (HookedDisk.this) {
        return content.bytes.length;
      }
    }

    @Override
    public void truncate(long size) {
      synchronized (HookedDisk.this) {
        content.bytes = Arrays.copyOf(content.bytes, (int) Math.min(size, content.bytes.length));
      }
    }

    @Override
    public Mapping map(long offset, long bytes) throws IOException {
      hook.before(Call.MAP, name, offset);
      synchronized (HookedDisk.this) {
        content.observe();
        content.mapped.removeIf(range -> range.overlaps((int) offset, (int) (offset + bytes)));
        MemorySegment memory = Arena.ofAuto().allocate(bytes, 4096);
        MemorySegment.copy(
            content.bytes, (int) offset, memory, ValueLayout.JAVA_BYTE, 0, (int) bytes);
        content.mapped.add(new MappedRange((int) offset, memory));
        return new MemoryMapping(memory, (int) offset);
      }
    }

    private final class MemoryMapping implements Mapping {
      private final MemorySegment memory;
      private final int start;

      MemoryMapping(MemorySegment memory, int start) {
        this.memory = memory;
        this.start = start;
      }

      @Override
      public MemorySegment memory() {
        return memory;
      }

      @Override
      public void force(long offset, long bytes) throws IOException {
        hook.before(Call.FORCE, name, start + offset);
        synchronized (HookedDisk.this) {
          content.observe();
          MemorySegment.copy(
              memory,
              ValueLayout.JAVA_BYTE,
              offset,
              content.forced,
              start + (int) offset,
              (int) bytes);
        }
      }
    }

    @Override
    public void close() throws IOException {
      closed = true;
      if (closesFail) {
        throw new IOException("not closed: " + name);
      }
    }
  }
}
