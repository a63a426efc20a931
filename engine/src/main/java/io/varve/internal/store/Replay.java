package io.varve.internal.store;

import io.varve.StoreFullException;
import io.varve.StoreIoException;
import io.varve.internal.disk.DiskFullException;
import io.varve.internal.file.ArchivedValues;
import io.varve.internal.file.LargeValues.Capacity;
import io.varve.internal.file.PageFile;
import io.varve.internal.file.SpaceDefinition;
import io.varve.internal.tree.Epochs;
import io.varve.internal.tree.StoredValue;
import io.varve.internal.txn.LogRecord;
import io.varve.internal.txn.SpaceCore;
import io.varve.internal.txn.SpaceRegistry;
import io.varve.internal.wal.CommitConsumer;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.format.RecordSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Applies the commits that a recovery finds in the log, in their order, to the trees of the newest
/// checkpoint. Changes are absolute, so what the checkpoint holds already does no harm.
///
/// Changes gather in buffers, and are applied when those take their share of the store's memory, in
/// the order of keys: so a leaf is read, made again and written once for all of its changes in a
/// buffer.
///
/// The log names extents of large values that the checkpoint does not know: see [ReplayRelief].
final class Replay implements CommitConsumer, LogRecord.Visitor {
  private final SpaceRegistry spaces;
  private final Epochs epochs;
  private final PageFile file;
  private final String log;
  private final ReplayRecords records = new ReplayRecords();
  private final Map<Integer, ReplayBuffer> buffers = new HashMap<>();
  private @Nullable ReplayBuffer lastBuffer; // one of them
  private final long bufferedBytesMax;
  private long bufferedBytes;
  private final ReplayRelief relief;

  /// Where the values are that the log names, if it is an archived one; null if they are at the
  /// extents that it names.
  private final @Nullable ArchivedValues images;

  private long commits;

  /// @param log where the log is, for messages
  /// @param relief keeps it within memory and disk
  /// @param images where the values are that an archived log names, or null
  Replay(
      SpaceRegistry spaces,
      Epochs epochs,
      PageFile file,
      String log,
      ReplayRelief relief,
      @Nullable ArchivedValues images) {
    this.relief = relief;
    this.bufferedBytesMax = relief.bufferBytesMax();
    this.images = images;
    this.spaces = spaces;
    this.epochs = epochs;
    this.file = file;
    this.log = log;
  }

  /// Begins the replay of a log that a full disk or quota may leave no capacity for: what it names
  /// is taken first, and the file is truncated after all that is taken.
  ///
  /// @param fileBytesMin the length to leave the file at least, if it has that
  void beginWithin(long fileBytesMin) throws IOException {
    relief.beforeWrite();
    long bytes = Math.max(fileBytesMin, file.extents().endBytes());
    if (bytes < file.size()) {
      file.truncate(bytes);
    }
  }

  @Override
  public void commit(long startLsn, long endLsn, RecordSource body) {
    if (relief.wantsCheckpoint(startLsn)) {
      applyAll();
      relief.checkpoint(startLsn);
    }
    CommitBody.read(log, startLsn, body, this);
    commits++;
  }

  private SpaceCore space(int id) {
    SpaceCore space = spaces.find(id);
    if (space == null) {
      throw new IllegalStateException("unknown space: id=" + id);
    }
    return space;
  }

  @Override
  public void put(int id, int keyLength, int valueLength, RecordSource body) {
    if (space(id).isLarge(valueLength)) {
      LogRecord.Visitor.super.put(id, keyLength, valueLength, body);
    } else {
      ReplayBuffer buffer = buffer(id, keyLength + valueLength);
      buffer.add(records.put(body, keyLength, valueLength));
    }
  }

  @Override
  public void put(int id, byte[] key, byte[] value) {
    SpaceCore space = space(id);
    if (!space.isLarge(value.length)) {
      buffer(id, key.length + value.length).add(records.add(key, value));
      return;
    }
    relief.beforeWrite();
    try {
      byte[] reference =
          space
              .largeValues()
              .write(new ByteArrayInputStream(value), value.length, Capacity.AS_IT_IS, false);
      buffer(id, 0).putLarge(key, reference);
    } catch (DiskFullException e) {
      throw new StoreFullException(
          "no capacity to recover a large value: file="
              + file.where()
              + ", valueBytes="
              + value.length
              + "; free capacity and open the store again",
          e);
    } catch (IOException e) {
      throw new StoreIoException(
          "cannot recover a large value: file="
              + file.where()
              + "; check the disk, and open the store again",
          e);
    }
  }

  @Override
  public void putLarge(int id, byte[] key, StoredValue reference) {
    ArchivedValues kept = images;
    if (kept == null) {
      relief.named(reference.bytes());
      buffer(id, 0).putLarge(key, reference.bytes());
      return;
    }
    try {
      buffer(id, 0).putLarge(key, kept.place(reference.bytes()));
    } catch (IOException e) {
      throw new StoreIoException("cannot restore a large value: file=" + file.where(), e);
    }
  }

  @Override
  public void imagePiece(int space, long extent, int offset, byte[] bytes) {
    ArchivedValues kept = images;
    if (kept == null) {
      return; // it is where it was
    }
    try {
      kept.piece(extent, offset, bytes);
    } catch (IOException e) {
      throw new StoreIoException("cannot restore a large value: file=" + file.where(), e);
    }
  }

  @Override
  public void delete(int id, byte[] key) {
    buffer(id, key.length).add(records.add(key, null));
  }

  @Override
  public void time(long millis) {
    // For a caller that restores to a time; nothing to apply.
  }

  /// The buffer of a space, with memory for a change of that many bytes.
  private ReplayBuffer buffer(int id, int bytes) {
    int taken = bytes + ReplayBuffer.CHANGE_BYTES;
    if (bufferedBytes + taken > bufferedBytesMax) {
      applyAll();
    }
    bufferedBytes += taken;
    ReplayBuffer last = lastBuffer;
    if (last == null || !last.isOf(id)) {
      last = buffers.get(id);
      if (last == null) {
        bufferedBytes += ReplayBuffer.BYTES;
        last = new ReplayBuffer(space(id), epochs, relief, records);
        buffers.put(id, last);
      }
      lastBuffer = last;
    }
    return last;
  }

  /// Applies what is buffered. Buffers are made again as they are needed, so that those of many
  /// spaces do not add up.
  private void applyAll() {
    buffers.values().forEach(ReplayBuffer::apply);
    buffers.clear();
    lastBuffer = null;
    records.clear();
    bufferedBytes = 0;
  }

  @Override
  public void createSpace(int id, String name) {
    spaces.create(id, SpaceDefinition.of(name), epochs.current());
  }

  @Override
  public void defineSpace(int id, SpaceDefinition definition) {
    spaces.replayDefine(id, definition);
  }

  @Override
  public void dropSpace(int id) {
    ReplayBuffer buffer = buffers.remove(id);
    lastBuffer = null;
    if (buffer != null) {
      buffer.apply(); // so that what it holds is dropped with the rest
    }
    spaces.replayDrop(id);
  }

  /// Applies all that was read, and takes a checkpoint of it.
  ///
  /// @param end where the log ends
  void checkpointAtEnd(LogPosition end) {
    applyAll();
    relief.checkpointAtEnd(end);
  }

  /// Ends the replay: all is applied, and the cache has its whole budget again.
  void finish() {
    applyAll();
    if (images != null) {
      images.discardUnused();
    }
    relief.end();
  }

  /// Commits applied.
  long commits() {
    return commits;
  }
}
