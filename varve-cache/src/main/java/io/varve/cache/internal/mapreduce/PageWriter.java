package io.varve.cache.internal.mapreduce;

import io.varve.cache.Marshaller;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Turns a run into pages, each of which is made when it is asked for. [PageRecords] reads them.
/// For one thread at a time.
///
/// | of each record | bytes | meaning                                      |
/// |----------------|------:|----------------------------------------------|
/// | key length     |     4 | of the key of the record, as in [RunRecord]  |
/// | value length   |     4 | of its value                                 |
/// | key            |       |                                              |
/// | value          |       |                                              |
///
/// @param <K> the keys
/// @param <V> the values A page takes no more records when it has so many bytes: large compared
///   with the cost of a message, and small where each of a hundred processes has two under way.
public final class PageWriter<K, V> {
  static final int PAGE_BYTES = 256 << 10;

  private final SortedRun<K, V> run;
  private final Marshaller<K> keys;
  private final Marshaller<V> values;

  private @Nullable K key; // null before the first

  /// What is left of the values of the current key.
  private Iterator<V> left = Collections.emptyIterator();

  private int part; // of the next record of the current key
  private boolean isPast; // the last key

  /// @param run before its first key
  public PageWriter(SortedRun<K, V> run, Marshaller<K> keys, Marshaller<V> values) {
    this.run = run;
    this.keys = keys;
    this.values = values;
  }

  /// The next page, or null after the last.
  ///
  /// @param check called for each record; throws if there is to be no page
  public byte @Nullable [] next(Runnable check) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(PAGE_BYTES + PAGE_BYTES / 4);
    try (DataOutputStream page = new DataOutputStream(bytes)) {
      while (bytes.size() < PAGE_BYTES && hasRecord()) {
        check.run();
        byte[] storedKey = run.storedKey();
        byte[] recordKey = RunRecord.recordKey(0, storedKey, part);
        byte[] value =
            RunRecord.recordValue(storedKey, part, Objects.requireNonNull(key), left, keys, values);
        part++;
        page.writeInt(recordKey.length);
        page.writeInt(value.length);
        page.write(recordKey);
        page.write(value);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("memory has no errors of its own", e);
    }
    return bytes.size() == 0 ? null : bytes.toByteArray();
  }

  private boolean hasRecord() {
    if (isPast || left.hasNext()) {
      return !isPast;
    }
    isPast = !run.next();
    if (!isPast) {
      key = run.key();
      left = run.values();
      part = 0;
    }
    return !isPast;
  }
}
