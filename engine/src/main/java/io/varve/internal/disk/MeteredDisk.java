package io.varve.internal.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A disk that counts the bytes of a store's files, and lets them grow to a quota and no further.
/// To a writer, a quota that is reached is a full disk.
///
/// (M1) The count is never below the sum of the lengths of all files counted, since it grows before
/// a file does and shrinks after. So the sum never passes the quota.
///
/// (M2) While capacity is withheld from a directory, its files grow by what is usable beyond that
/// alone. So what is freed for other files is there for them.
public final class MeteredDisk implements Disk {
  private final Disk disk;
  private final long bytesMax;

  /// The lengths of files by name, as far as they may have grown. Guarded by this.
  private final Map<String, Length> lengths = new HashMap<>();

  private volatile long usedBytes; // written under the monitor

  /// What the files of a directory must leave (M2), and that directory. Guarded by this.
  private long withheldBytes;

  private String withheldFrom = "";

  /// The length of one file, shared by all that have it open.
  private static final class Length {
    /// Written under the monitor of the disk. A stale value only sends a write there.
    volatile long bytes;
  }

  /// Counts the files of these names, as far as they are there.
  ///
  /// @param bytesMax the quota; files that are over it already stay
  /// @param otherBytes counted in addition, for what is not written through this disk
  public MeteredDisk(Disk disk, long bytesMax, List<String> names, long otherBytes)
      throws IOException {
    this.disk = disk;
    this.bytesMax = bytesMax;
    this.usedBytes = otherBytes;
    for (String name : names) {
      if (disk.exists(name)) {
        open(name, FileOption.READ_ONLY).close();
      }
    }
  }

  /// The bytes of all files.
  public long usedBytes() {
    return usedBytes;
  }

  /// The bytes of the files directly in a directory.
  public synchronized long usedBytes(String directory) {
    long bytes = 0;
    for (Map.Entry<String, Length> file : lengths.entrySet()) {
      if (isIn(directory, file.getKey())) {
        bytes += file.getValue().bytes;
      }
    }
    return bytes;
  }

  private static boolean isIn(String directory, String name) {
    return name.lastIndexOf('/') == directory.length() && name.startsWith(directory);
  }

  /// Withholds capacity from the files directly in a directory (M2), until the result is closed.
  /// One at a time.
  public synchronized Withholding withhold(String directory, long bytes) {
    withheldFrom = directory;
    withheldBytes = bytes;
    return this::withholdNothing;
  }

  private synchronized void withholdNothing() {
    withheldBytes = 0;
  }

  /// Capacity that is withheld until this is closed.
  @FunctionalInterface
  public interface Withholding extends AutoCloseable {
    @Override
    void close();
  }

  /// The quota.
  public long bytesMax() {
    return bytesMax;
  }

  private synchronized Length lengthOf(String name) {
    return lengths.computeIfAbsent(name, _ -> new Length());
  }

  private void grow(String name, Length length, long bytes, long max) throws IOException {
    if (bytes <= length.bytes) {
      return;
    }
    synchronized (this) {
      long growth = bytes - length.bytes;
      if (growth > 0 && growth > max - usedBytes) {
        throw new DiskFullException(
            "quota reached: file="
                + disk.describe(name)
                + ", wantedBytes="
                + growth
                + ", usedBytes="
                + usedBytes
                + ", diskBytesMax="
                + max);
      }
      if (growth > 0 && withheldBytes > 0 && isIn(withheldFrom, name)) {
        requireBeyondWithheld(name, growth);
      }
      if (growth > 0) {
        usedBytes += growth;
        length.bytes = bytes;
      }
    }
  }

  private void requireBeyondWithheld(String name, long growth) throws IOException {
    assert Thread.holdsLock(this);
    long usable = usableBytes();
    if (growth > usable - withheldBytes) {
      throw new DiskFullException(
          "a checkpoint has what the disk has left: file="
              + disk.describe(name)
              + ", wantedBytes="
              + growth
              + ", usableBytes="
              + usable
              + ", withheldBytes="
              + withheldBytes);
    }
  }

  /// After a write that failed, or a cut: the file may be shorter than was counted.
  private synchronized void shrink(Length length, long bytes) {
    if (bytes < length.bytes) {
      usedBytes -= length.bytes - bytes;
      length.bytes = bytes;
    }
  }

  private synchronized void forget(String name) {
    Length gone = lengths.remove(name);
    if (gone != null) {
      usedBytes -= gone.bytes;
    }
  }

  @Override
  public DiskFile open(String name, FileOption... options) throws IOException {
    DiskFile file = disk.open(name, options);
    try {
      Length length = lengthOf(name);
      grow(name, length, file.size(), Long.MAX_VALUE); // one that came from elsewhere
      return new MeteredFile(file, length);
    } catch (Throwable e) {
      new ClosingSteps(e).take(file::close);
      throw e;
    }
  }

  @Override
  public boolean exists(String name) throws IOException {
    return disk.exists(name);
  }

  @Override
  public List<String> list(String directory) throws IOException {
    return disk.list(directory);
  }

  @Override
  public void createDirectory(String name) throws IOException {
    disk.createDirectory(name);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    disk.rename(from, to);
    synchronized (this) {
      forget(to);
      Length moved = lengths.remove(from);
      if (moved != null) {
        lengths.put(to, moved);
      }
    }
  }

  @Override
  public void delete(String name) throws IOException {
    disk.delete(name);
    forget(name);
  }

  @Override
  public void syncDirectory(String name) throws IOException {
    disk.syncDirectory(name);
  }

  @Override
  public DiskLock lock(String name) throws IOException {
    return disk.lock(name);
  }

  @Override
  public long usableBytes() throws IOException {
    return Math.max(0, Math.min(disk.usableBytes(), bytesMax - usedBytes));
  }

  @Override
  public String describe(String name) {
    return disk.describe(name);
  }

  @Override
  public void close() {
    disk.close();
  }

  private final class MeteredFile implements DiskFile {
    private final DiskFile file;
    private final Length length;

    MeteredFile(DiskFile file, Length length) {
      this.file = file;
      this.length = length;
    }

    @Override
    public String name() {
      return file.name();
    }

    @Override
    public int read(long position, ByteBuffer destination) throws IOException {
      return file.read(position, destination);
    }

    @Override
    public void write(long position, ByteBuffer source) throws IOException {
      grow(file.name(), length, position + source.remaining(), bytesMax);
      file.write(position, source);
    }

    @Override
    public void force() throws IOException {
      file.force();
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void truncate(long size) throws IOException {
      file.truncate(size);
      shrink(length, size);
    }

    @Override
    public Mapping map(long offset, long bytes) throws IOException {
      grow(file.name(), length, offset + bytes, bytesMax);
      return file.map(offset, bytes);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
