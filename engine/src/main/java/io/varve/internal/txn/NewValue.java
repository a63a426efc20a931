package io.varve.internal.txn;

import io.varve.internal.page.LeafPage;
import io.varve.internal.tree.StoredValue;
import io.varve.internal.wal.RecordSink;
import org.jspecify.annotations.Nullable;

/// A value in flight into a leaf and into the log.
///
/// @param stored what the leaf will hold
/// @param content the whole value if the log holds that; null if the log holds the reference, since
///   the value was forced to the page file before
/// @param underWay to be notified when the commit was applied or abandoned; null if its images are
///   not in the log
record NewValue(StoredValue stored, byte @Nullable [] content, @Nullable ValueUnderWay underWay) {
  static NewValue inline(byte[] value) {
    return new NewValue(new StoredValue(value, false), value, null);
  }

  /// Notes that the commit was applied, or abandoned.
  void end() {
    if (underWay != null) {
      underWay.ended();
    }
  }

  int tag() {
    byte[] bytes = stored.bytes();
    return stored.large() ? bytes.length | LeafPage.LARGE : bytes.length;
  }

  long bodyBytes(int space, byte[] key) {
    byte[] whole = content;
    return whole == null
        ? LogRecord.putLargeBytes(space, key, stored.bytes())
        : LogRecord.putBytes(space, key, whole);
  }

  void write(RecordSink sink, int space, byte[] key) {
    byte[] whole = content;
    if (whole == null) {
      LogRecord.putLarge(sink, space, key, stored.bytes());
    } else {
      LogRecord.put(sink, space, key, whole);
    }
  }
}
