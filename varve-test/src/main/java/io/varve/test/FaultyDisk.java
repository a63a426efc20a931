package io.varve.test;

import io.varve.StoreLockedException;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.DiskFullException;
import io.varve.internal.disk.DiskLock;
import io.varve.internal.disk.FileLimitException;
import io.varve.internal.disk.FileOption;
import io.varve.internal.disk.MemoryLock;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/// The disk that a store on a [SimulatedDisk] sees: it does each call under one lock, and lets the
/// fault plan spoil it.
///
/// Lock order: the one lock, under which no code of a test runs.
final class FaultyDisk implements Disk, FileCalls {
  private static final int MISDIRECTED_SECTORS_MAX = 16;

  private final ReentrantLock lock = new ReentrantLock();
  private final NameTable names; // guarded by lock
  private final SplittableRandom random; // guarded by lock
  private final Set<String> locked = new TreeSet<>(); // guarded by lock
  private final AtomicLong mutatingCalls = new AtomicLong();
  private volatile FaultPlan faults = FaultPlan.none();
  private volatile long cutAtCall = Long.MAX_VALUE;
  private volatile boolean off;
  private volatile long capacityBytes = Long.MAX_VALUE;

  FaultyDisk(NameTable names, SplittableRandom random) {
    this.names = names;
    this.random = random;
  }

  void faults(FaultPlan plan) {
    faults = plan;
  }

  void capacityBytes(long bytes) {
    capacityBytes = bytes;
  }

  void cutAtCall(long number) {
    cutAtCall = number;
  }

  void turnOff() {
    off = true;
  }

  boolean isOff() {
    return off;
  }

  long mutatingCalls() {
    return mutatingCalls.get();
  }

  /// A look at the names and the files while no call is under way.
  interface Look<T, E extends Exception> {
    T at(NameTable names) throws E;
  }

  <T, E extends Exception> T inspect(Look<T, E> look) throws E {
    lock.lock();
    try {
      return look.at(names);
    } finally {
      lock.unlock();
    }
  }

  /// A disk made of what this one holds.
  FaultyDisk successor(boolean powerCut) {
    lock.lock();
    try {
      SplittableRandom next = random.split();
      return new FaultyDisk(powerCut ? names.afterPowerCut(next) : names.afterProcessCrash(), next);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public DiskFile open(String name, FileOption... options) throws IOException {
    Set<FileOption> chosen = Set.of(options);
    boolean creating = chosen.contains(FileOption.CREATE) || chosen.contains(FileOption.CREATE_NEW);
    boolean missing = !exists(name);
    Fault fault = plan(missing && creating ? DiskOperation.CREATE : DiskOperation.OPEN, name, 0, 0);
    lock.lock();
    try {
      requireHealthy(fault, name);
      FileImage image = names.find(name);
      if (image == NameTable.DIRECTORY) {
        throw new IOException("is a directory: file=" + name);
      }
      if (image != null && chosen.contains(FileOption.CREATE_NEW)) {
        throw new FileAlreadyExistsException(name);
      }
      if (image == null) {
        if (!creating) {
          throw new FileNotFoundException(name);
        }
        requireDirectory(NameTable.parent(name));
        image = new FileImage();
        names.create(name, image);
      }
      failIfCut(fault);
      return new SimulatedFile(this, name, image, chosen);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean exists(String name) throws IOException {
    lock.lock();
    try {
      requireOn();
      return names.find(name) != null;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<String> list(String directory) throws IOException {
    lock.lock();
    try {
      requireOn();
      return names.list(directory);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void createDirectory(String name) throws IOException {
    Fault fault = plan(DiskOperation.CREATE_DIRECTORY, name, 0, 0);
    lock.lock();
    try {
      requireHealthy(fault, name);
      for (String part : NameTable.path(name)) {
        if (names.find(part) == null) {
          names.create(part, NameTable.DIRECTORY);
        }
        requireDirectory(part);
      }
      failIfCut(fault);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Fault fault = plan(DiskOperation.RENAME, from, 0, 0);
    lock.lock();
    try {
      requireHealthy(fault, from);
      names.file(from);
      requireDirectory(NameTable.parent(to));
      names.rename(from, to);
      failIfCut(fault);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void delete(String name) throws IOException {
    Fault fault = plan(DiskOperation.DELETE, name, 0, 0);
    lock.lock();
    try {
      requireHealthy(fault, name);
      if (names.find(name) != null) {
        names.file(name);
        names.delete(name);
      }
      failIfCut(fault);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void syncDirectory(String name) throws IOException {
    Fault fault = plan(DiskOperation.SYNC_DIRECTORY, name, 0, 0);
    lock.lock();
    try {
      requireHealthy(fault, name);
      failIfCut(fault);
      requireDirectory(name);
      if (fault != Fault.DROPPED) {
        names.sync(name);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public DiskLock lock(String name) throws IOException {
    lock.lock();
    try {
      requireOn();
      if (!locked.add(name)) {
        throw new StoreLockedException(
            "store is already open in this process: directory=%s, holderPid=%d; close it first"
                .formatted(describe(""), ProcessHandle.current().pid()));
      }
      return new MemoryLock(() -> release(name));
    } finally {
      lock.unlock();
    }
  }

  private void release(String name) {
    lock.lock();
    try {
      locked.remove(name);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long usableBytes() throws IOException {
    lock.lock();
    try {
      requireOn();
      return Math.max(0, capacityBytes - names.usedBytes());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String describe(String name) {
    return "simulated:/" + name;
  }

  @Override
  public void close() {
    // Files and their bytes stay, for the next store that is opened on this disk.
  }

  // What a file does.

  @Override
  public int read(String name, FileImage image, long position, ByteBuffer destination)
      throws IOException {
    Fault fault = plan(DiskOperation.READ, name, position, destination.remaining());
    lock.lock();
    try {
      requireHealthy(fault == Fault.SHORT ? Fault.NONE : fault, name);
      failIfCut(fault);
      int start = destination.position();
      long from = fault == Fault.MISDIRECTED ? elsewhere(position) : position;
      int length =
          fault == Fault.SHORT ? readLess(image, from, destination) : image.read(from, destination);
      if (fault == Fault.BIT_FLIPPED && length > 0) {
        int at = start + random.nextInt(length);
        destination.put(at, (byte) (destination.get(at) ^ (1 << random.nextInt(8))));
      }
      return length;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void write(
      String name, FileImage image, boolean synchronous, long position, ByteBuffer source)
      throws IOException {
    int length = source.remaining();
    Fault fault = plan(DiskOperation.WRITE, name, position, length);
    byte[] bytes = new byte[length];
    source.get(bytes);
    lock.lock();
    try {
      requireOn();
      requireCapacity(image, position, length);
      int start = Math.toIntExact(position);
      switch (fault) {
        case NONE, FILE_LIMIT -> {
          image.write(start, bytes);
          if (synchronous) {
            image.forceRange(start, length);
          }
        }
        case IO_ERROR -> {
          if (synchronous && random.nextBoolean()) {
            image.write(start, bytes);
            image.failForceRange(start, length, random);
          }
          throw new IOException("input/output error: file=" + name);
        }
        case DISK_FULL -> throw full(name);
        case TORN -> {
          image.write(start, firstSectors(start, bytes));
          throw new IOException("input/output error, write torn: file=" + name);
        }
        case SHORT -> {
          image.write(start, Arrays.copyOf(bytes, random.nextInt(Math.max(1, length))));
          throw new IOException("input/output error, write cut short: file=" + name);
        }
        case DROPPED -> {}
        case MISDIRECTED -> image.write(Math.toIntExact(elsewhere(position)), bytes);
        case BIT_FLIPPED -> {
          if (length > 0) {
            bytes[random.nextInt(length)] ^= (byte) (1 << random.nextInt(8));
          }
          image.write(start, bytes);
          if (synchronous) {
            image.forceRange(start, length);
          }
        }
        case POWER_CUT -> {
          image.write(start, bytes);
          throw cut();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void force(String name, FileImage image) throws IOException {
    Fault fault = plan(DiskOperation.FORCE, name, 0, 0);
    lock.lock();
    try {
      requireOn();
      switch (fault) {
        case NONE, FILE_LIMIT, MISDIRECTED, BIT_FLIPPED -> image.force();
        case IO_ERROR, TORN, SHORT, DISK_FULL -> {
          image.failForce(random);
          throw new IOException("input/output error: file=" + name);
        }
        case DROPPED -> {}
        case POWER_CUT -> throw cut();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void forceMapped(String name, FileImage image, long position, long length)
      throws IOException {
    Fault fault = plan(DiskOperation.FORCE, name, position, length);
    int start = Math.toIntExact(position);
    int bytes = Math.toIntExact(length);
    lock.lock();
    try {
      requireOn();
      switch (fault) {
        case NONE, FILE_LIMIT, MISDIRECTED, BIT_FLIPPED -> image.forceMapped(start, bytes);
        case IO_ERROR, TORN, SHORT, DISK_FULL -> {
          image.observe();
          image.failForceRange(start, bytes, random);
          throw new IOException("input/output error: file=" + name);
        }
        case DROPPED -> {}
        case POWER_CUT -> throw cut();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long size(FileImage image) throws IOException {
    lock.lock();
    try {
      requireOn();
      return image.size();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void truncate(String name, FileImage image, long size) throws IOException {
    Fault fault = plan(DiskOperation.TRUNCATE, name, size, 0);
    lock.lock();
    try {
      requireHealthy(fault, name);
      image.truncate((int) Math.min(size, Integer.MAX_VALUE));
      failIfCut(fault);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public MemorySegment map(String name, FileImage image, long offset, long bytes)
      throws IOException {
    Fault fault = plan(DiskOperation.MAP, name, offset, bytes);
    lock.lock();
    try {
      requireHealthy(fault, name);
      failIfCut(fault);
      return image.map(Math.toIntExact(offset), Math.toIntExact(bytes));
    } finally {
      lock.unlock();
    }
  }

  /// Counts the call and asks the plan, without the lock, since a plan may wait.
  private Fault plan(DiskOperation operation, String name, long position, long length) {
    long number = operation.isMutating() ? mutatingCalls.incrementAndGet() : mutatingCalls.get();
    Fault fault = faults.onCall(new DiskCall(operation, name, position, length, number));
    return operation.isMutating() && number == cutAtCall ? Fault.POWER_CUT : fault;
  }

  /// Throws unless the call may continue: with no fault, with one that other calls have, or with a
  /// power cut, which takes the effect of the call along.
  private void requireHealthy(Fault fault, String name) throws IOException {
    requireOn();
    switch (fault) {
      case NONE, DROPPED, MISDIRECTED, BIT_FLIPPED, POWER_CUT -> {}
      case IO_ERROR, TORN, SHORT -> throw new IOException("input/output error: file=" + name);
      case DISK_FULL -> throw full(name);
      case FILE_LIMIT -> throw new FileLimitException("too many open files: file=" + name);
    }
  }

  private void requireOn() throws PowerOffException {
    if (off) {
      throw new PowerOffException("the machine or process that made this call is no more");
    }
  }

  private void failIfCut(Fault fault) throws PowerOffException {
    if (fault == Fault.POWER_CUT) {
      throw cut();
    }
  }

  private PowerOffException cut() {
    off = true;
    return new PowerOffException("the power was cut during this call");
  }

  private DiskFullException full(String name) {
    return new DiskFullException("no space left on device: file=" + name);
  }

  private void requireCapacity(FileImage image, long position, int length)
      throws DiskFullException {
    long growth = Math.max(0, position + length - image.size());
    if (growth > 0 && growth > capacityBytes - names.usedBytes()) {
      throw full("capacityBytes=" + capacityBytes);
    }
  }

  private void requireDirectory(String name) throws IOException {
    if (!names.isDirectory(name)) {
      throw new FileNotFoundException("no such directory: directory=" + name);
    }
  }

  /// Reads some of what there is, and never all of it.
  private int readLess(FileImage image, long position, ByteBuffer destination) {
    int limit = destination.limit();
    destination.limit(
        destination.position() + random.nextInt(Math.max(1, destination.remaining())));
    int length = image.read(position, destination);
    destination.limit(limit);
    return length;
  }

  private long elsewhere(long position) {
    int sectors = 1 + random.nextInt(MISDIRECTED_SECTORS_MAX);
    long distance = (long) sectors * FileImage.SECTOR_BYTES;
    return position >= distance && random.nextBoolean() ? position - distance : position + distance;
  }

  /// The part of a write up to the end of some sector in it: at least none, never all of it.
  private byte[] firstSectors(int position, byte[] bytes) {
    int sectors =
        (position + bytes.length) / FileImage.SECTOR_BYTES - position / FileImage.SECTOR_BYTES;
    int end =
        (position / FileImage.SECTOR_BYTES + random.nextInt(sectors + 1)) * FileImage.SECTOR_BYTES;
    return Arrays.copyOf(bytes, Math.clamp(end - position, 0, Math.max(0, bytes.length - 1)));
  }
}
