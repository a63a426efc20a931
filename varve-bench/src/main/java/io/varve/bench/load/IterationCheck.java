package io.varve.bench.load;

import io.varve.bench.engine.EngineSession;
import java.util.Arrays;

/// Checks that the entries of an iteration come in strict order and counts them.
final class IterationCheck implements EngineSession.EntrySink {
  private final Records records;
  private final boolean ascending;
  private byte[] previous = new byte[0];
  private long entries;

  IterationCheck(Records records, boolean ascending) {
    this.records = records;
    this.ascending = ascending;
  }

  @Override
  public boolean entry(byte[] key, byte[] value, int valueLength) {
    if (entries == 0) {
      previous = key.clone();
    } else {
      int order = Arrays.compareUnsigned(previous, key);
      if (ascending ? order >= 0 : order <= 0) {
        throw new WrongAnswerException("keys out of order: entry=" + entries);
      }
      System.arraycopy(key, 0, previous, 0, previous.length);
    }
    records.checkEntry(key, value, valueLength);
    entries++;
    return true;
  }

  long entries() {
    return entries;
  }
}
