package io.varve.internal.wal;

/// Takes the body of one commit, straight into the log's ring. Used by one thread, and must end in
/// [#publish]: until then the log cannot pass this record.
public final class RecordSink {
  public void putByte(int value) {
    throw new UnsupportedOperationException();
  }

  public void putInt(int value) {
    throw new UnsupportedOperationException();
  }

  public void putLong(long value) {
    throw new UnsupportedOperationException();
  }

  /// One to ten bytes, seven bits each, lowest first; small unsigned values are short.
  public void putVarint(long value) {
    throw new UnsupportedOperationException();
  }

  /// Bytes that [#putVarint] takes for a value.
  public static int varintBytes(long value) {
    return (Long.SIZE - Long.numberOfLeadingZeros(value | 1) + 6) / 7;
  }

  public void putBytes(byte[] source, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  public void publish() {
    throw new UnsupportedOperationException();
  }
}
