package io.varve.internal.store;

import io.varve.internal.page.LargeValues;
import io.varve.internal.page.PageFile;
import io.varve.internal.tree.StoredValue;
import io.varve.internal.txn.ChosenChanges;
import io.varve.internal.wal.CommitConsumer;
import io.varve.internal.wal.RecordSource;
import java.util.ArrayList;
import java.util.List;

/// The references to large values that the log holds: known before a replay, they let it take
/// extents anywhere in the page file.
final class LoggedReferences extends ChosenChanges implements CommitConsumer {
  private final String log;
  private final List<byte[]> references = new ArrayList<>();

  /// @param log where the log lies, for messages
  LoggedReferences(String log) {
    this.log = log;
  }

  /// Takes the extents of all of them.
  void reserve(PageFile file) {
    references.forEach(reference -> LargeValues.reserve(file, reference));
  }

  @Override
  public void commit(long startLsn, long endLsn, RecordSource body) {
    Replay.read(log, startLsn, body, this);
  }

  @Override
  public void putLarge(int space, byte[] key, StoredValue reference) {
    references.add(reference.bytes());
  }
}
