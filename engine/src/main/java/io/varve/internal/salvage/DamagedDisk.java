package io.varve.internal.salvage;

import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.FileClosedException;
import io.varve.internal.disk.FileOption;
import io.varve.internal.disk.ReadOnlyDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The disk of a damaged store: blocks that it fails to read are read as zeros, and are a loss. For
/// one thread.
final class DamagedDisk implements ReadOnlyDisk {
  /// What is read alone after the read of more has failed.
  private static final int BLOCK_BYTES = 4096;

  private final Disk disk;
  private final Losses losses;

  /// The numbers of the blocks of each file that could not be read: each is one loss, however often
  /// it is read.
  private final Map<String, BitSet> unreadable = new HashMap<>();

  DamagedDisk(Disk disk, Losses losses) {
    this.disk = disk;
    this.losses = losses;
  }

  @Override
  public DiskFile open(String name, FileOption... options) throws IOException {
    return new DamagedFile(disk.open(name, options));
  }

  private void lose(String name, long position, IOException failure) {
    int block = (int) Math.min(position / BLOCK_BYTES, Integer.MAX_VALUE - 1);
    BitSet known = unreadable.computeIfAbsent(name, _ -> new BitSet());
    if (!known.get(block)) {
      known.set(block);
      losses.add(
          describe(name), position, "block that cannot be read (" + failure.getMessage() + ")");
    }
  }

  private final class DamagedFile implements ReadOnlyFile {
    private final DiskFile file;

    DamagedFile(DiskFile file) {
      this.file = file;
    }

    @Override
    public ReadOnlyDisk disk() {
      return DamagedDisk.this;
    }

    @Override
    public String name() {
      return file.name();
    }

    @Override
    public int read(long position, ByteBuffer destination) throws IOException {
      int start = destination.position();
      try {
        return file.read(position, destination);
      } catch (FileClosedException e) {
        throw e;
      } catch (IOException _) {
        return readBlocks(position, destination.position(start));
      }
    }

    private int readBlocks(long position, ByteBuffer destination) throws IOException {
      long end = Math.min(file.size(), position + destination.remaining());
      long at = position;
      while (at < end) {
        long blockEnd = Math.min(end, (at / BLOCK_BYTES + 1) * BLOCK_BYTES);
        int bytes = (int) (blockEnd - at);
        ByteBuffer block = ByteBuffer.allocate(bytes);
        try {
          file.read(at, block);
        } catch (FileClosedException e) {
          throw e;
        } catch (IOException e) {
          lose(name(), at, e);
          block = ByteBuffer.allocate(bytes);
        }
        destination.put(block.rewind());
        at = blockEnd;
      }
      return (int) (at - position);
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void close() throws IOException {
      file.close();
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
  public String describe(String name) {
    return disk.describe(name);
  }

  @Override
  public IOException refusal(String name) {
    return new IOException("a damaged store is only read here: file=" + describe(name));
  }
}
