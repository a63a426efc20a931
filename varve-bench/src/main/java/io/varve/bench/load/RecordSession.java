package io.varve.bench.load;

import io.varve.bench.engine.Batch;
import io.varve.bench.engine.EngineSession;
import io.varve.bench.engine.EngineSettings;
import java.util.ArrayList;
import java.util.List;

/// Works on records of a store, and checks every answer. For one thread.
public final class RecordSession implements AutoCloseable {
  private final Records records;
  private final EngineSession session;
  private final byte[] key = new byte[EngineSettings.KEY_BYTES];
  private final byte[] value;
  private final Batch batch = new Batch();
  private final List<byte[]> batchKeys = new ArrayList<>();
  private final List<byte[]> batchValues = new ArrayList<>();
  private final List<byte[]> together = new ArrayList<>();
  private int valuesSeen;
  // The record under way, for the sinks below, which are made once so that reads allocate nothing.
  private long record;
  private int entriesLeft;
  private long entriesSeen;
  private final EngineSession.ValueSink anyVersion = this::acceptAnyVersion;
  private final EngineSession.ValueSink newestVersion = this::acceptNewestVersion;
  private final EngineSession.EntrySink scanned = this::acceptScanned;

  /// Works through `session`, which is closed with this.
  public RecordSession(Records records, EngineSession session) {
    this.records = records;
    this.session = session;
    value = new byte[records.valueBytes()];
  }

  /// Reads a record that is present.
  public void read(long chosen) {
    read(chosen, anyVersion);
  }

  /// Reads a record that no thread is writing.
  public void readNewest(long chosen) {
    read(chosen, newestVersion);
  }

  private void read(long chosen, EngineSession.ValueSink sink) {
    record = chosen;
    records.key(chosen, key);
    if (!session.get(key, sink)) {
      throw new WrongAnswerException("a record is missing: record=" + chosen);
    }
  }

  /// Reads records that no thread is writing with one call.
  ///
  /// @param chooser of the records
  public void readNewest(RecordChooser chooser, int count) {
    while (together.size() < count) {
      together.add(new byte[EngineSettings.KEY_BYTES]);
    }
    long[] chosen = new long[count];
    for (int i = 0; i < count; i++) {
      chosen[i] = chooser.next();
      records.key(chosen[i], together.get(i));
    }
    valuesSeen = 0;
    session.getAll(
        together,
        (index, found, length) -> {
          records.checkNewest(chosen[index], found, length);
          valuesSeen++;
        });
    if (valuesSeen != count) {
      throw new WrongAnswerException("records are missing: of=" + count + ", found=" + valuesSeen);
    }
  }

  private void acceptAnyVersion(byte[] found, int length) {
    records.check(record, found, length);
  }

  private void acceptNewestVersion(byte[] found, int length) {
    records.checkNewest(record, found, length);
  }

  /// Writes the next version of a record that is present.
  public void update(long chosen) {
    records.key(chosen, key);
    Values.fill(value, chosen, records.nextVersion(chosen));
    session.put(key, value);
  }

  /// Reads a record, then writes its next version.
  public void readModifyWrite(long chosen) {
    read(chosen);
    update(chosen);
  }

  /// Adds the next record.
  public void insert() {
    long added = records.reserve();
    records.key(added, key);
    Values.fill(value, added, 0);
    session.put(key, value);
    records.inserted(added);
  }

  /// Reads up to `length` entries in order, from the key of a record that is present.
  public void scan(long chosen, int length) {
    records.key(chosen, key);
    record = chosen;
    entriesLeft = length;
    entriesSeen = 0;
    session.scan(key, scanned);
    if (entriesSeen == 0) {
      throw new WrongAnswerException("a scan misses its first record: record=" + chosen);
    }
  }

  private boolean acceptScanned(byte[] foundKey, byte[] found, int length) {
    long foundRecord = records.checkEntry(foundKey, found, length);
    if (entriesSeen == 0 && foundRecord != record) {
      throw new WrongAnswerException("a scan starts elsewhere: record=" + record);
    }
    entriesSeen++;
    entriesLeft--;
    return entriesLeft > 0;
  }

  /// Reads all entries in ascending order, or descending.
  ///
  /// @return how many there are
  public long iterate(boolean ascending) {
    var check = new IterationCheck(records, ascending);
    if (ascending) {
      session.forward(check);
    } else {
      session.backward(check);
    }
    return check.entries();
  }

  /// Starts a commit of several changes.
  public void beginBatch() {
    batch.clear();
  }

  /// Adds the first version of a record to the commit; a load notes it by [Records#loaded(int)].
  public void addInsert(long added) {
    add(added, 0);
  }

  /// Adds the next version of a record to the commit.
  public void addUpdate(long chosen) {
    add(chosen, records.nextVersion(chosen));
  }

  private void add(long chosen, long newVersion) {
    int slot = batch.size();
    if (slot == batchKeys.size()) {
      batchKeys.add(new byte[EngineSettings.KEY_BYTES]);
      batchValues.add(new byte[value.length]);
    }
    byte[] slotKey = batchKeys.get(slot);
    byte[] slotValue = batchValues.get(slot);
    records.key(chosen, slotKey);
    Values.fill(slotValue, chosen, newVersion);
    batch.put(slotKey, slotValue);
  }

  /// Commits what was added.
  public void commitBatch() {
    session.commit(batch);
  }

  @Override
  public void close() {
    session.close();
  }
}
