package io.varve.internal.disk;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A disk over another one, which it reads and never changes: what is written, created, renamed or
/// deleted here stays in memory, and is gone when the process ends. A store that is opened
/// read-only recovers on it. Forces do nothing.
///
/// Of the disk below only these calls are used: opening files [FileOption#READ_ONLY], `exists`,
/// `list`, `describe`, and `lock`, whose holder is not named.
public final class OverlayDisk implements Disk {
  private final Disk below;
  private final OverlayMemory memory;

  /// The files that were opened here, by name. Guarded by this, as is all that follows.
  private final Map<String, OverlayContent> contents = new HashMap<>();

  /// Names of the disk below that lead nowhere here, unless `contents` has them.
  private final Set<String> hidden = new HashSet<>();

  /// Directories that were created here.
  private final Set<String> directories = new HashSet<>();

  /// @param memoryBytesMax the most memory for pages that differ; to a writer of more, the disk is
  ///   full
  public OverlayDisk(Disk below, long memoryBytesMax) {
    this.below = below;
    this.memory = new OverlayMemory(memoryBytesMax);
  }

  /// The memory taken by pages that differ.
  public long memoryBytes() {
    return memory.bytes();
  }

  @Override
  public synchronized DiskFile open(String name, FileOption... options) throws IOException {
    List<FileOption> wanted = Arrays.asList(options);
    OverlayContent found = find(name);
    if (found != null && wanted.contains(FileOption.CREATE_NEW)) {
      throw new FileAlreadyExistsException(describe(name));
    }
    boolean creates = wanted.contains(FileOption.CREATE) || wanted.contains(FileOption.CREATE_NEW);
    if (found == null && !creates) {
      throw new NoSuchFileException(describe(name));
    }
    OverlayContent content = found == null ? OverlayContent.empty(below, memory) : found;
    DiskFile file = OverlayFile.open(content, name, below.describe(name));
    contents.put(name, content);
    return file;
  }

  private @Nullable OverlayContent find(String name) throws IOException {
    OverlayContent opened = contents.get(name);
    if (opened != null) {
      return opened;
    }
    return shows(name) ? OverlayContent.of(below, name, memory) : null;
  }

  private boolean shows(String name) throws IOException {
    return !hidden.contains(name) && below.exists(name);
  }

  @Override
  public synchronized boolean exists(String name) throws IOException {
    return contents.containsKey(name) || directories.contains(name) || shows(name);
  }

  @Override
  public synchronized List<String> list(String directory) throws IOException {
    String prefix = directory.isEmpty() ? "" : directory + "/";
    Set<String> names = new TreeSet<>();
    for (String last : below.list(directory)) {
      if (!hidden.contains(prefix + last)) {
        names.add(last);
      }
    }
    for (Set<String> present : List.of(contents.keySet(), directories)) {
      for (String name : present) {
        if (name.startsWith(prefix) && name.indexOf('/', prefix.length()) < 0) {
          names.add(name.substring(prefix.length()));
        }
      }
    }
    return List.copyOf(names);
  }

  @Override
  public synchronized void createDirectory(String name) throws IOException {
    String missing = name;
    while (!missing.isEmpty() && !exists(missing)) {
      directories.add(missing);
      missing = missing.substring(0, Math.max(0, missing.lastIndexOf('/')));
    }
  }

  @Override
  public synchronized void rename(String from, String to) throws IOException {
    OverlayContent moved = find(from);
    if (moved == null) {
      throw new NoSuchFileException(describe(from));
    }
    if (!from.equals(to)) {
      delete(to);
      contents.remove(from);
      hidden.add(from);
      contents.put(to, moved);
    }
  }

  @Override
  public synchronized void delete(String name) {
    OverlayContent deleted = contents.remove(name);
    if (deleted != null) {
      deleted.deleted();
    }
    hidden.add(name);
  }

  @Override
  public void syncDirectory(String name) {
    // The names of this disk are gone with the process.
  }

  @Override
  public DiskLock lock(String name) throws IOException {
    return new UnsignedLock(below.lock(name));
  }

  /// Without bound: what is written is zeros for the most part, which take nothing.
  @Override
  public long usableBytes() {
    return Long.MAX_VALUE;
  }

  @Override
  public String describe(String name) {
    return below.describe(name);
  }

  @Override
  public void close() {
    below.close();
  }

  /// The lock of the disk below, whose file stays as it is.
  private record UnsignedLock(DiskLock lock) implements DiskLock {
    @Override
    public boolean add(String name) throws IOException {
      return lock.add(name);
    }

    @Override
    public boolean wasSigned() {
      return lock.wasSigned();
    }

    @Override
    public void sign() {
      // It would be a write.
    }

    @Override
    public void requireInPlace() throws IOException {
      lock.requireInPlace();
    }

    @Override
    public void close() {
      lock.close();
    }
  }
}
