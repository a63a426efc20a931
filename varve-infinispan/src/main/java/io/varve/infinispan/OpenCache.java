package io.varve.infinispan;

import io.varve.Range;
import java.util.List;
import org.infinispan.commons.io.ByteBuffer;
import org.infinispan.commons.time.TimeService;
import org.infinispan.commons.util.IntSet;
import org.infinispan.distribution.ch.KeyPartitioner;
import org.infinispan.persistence.spi.MarshallableEntry;
import org.infinispan.persistence.spi.MarshallableEntryFactory;
import org.infinispan.util.concurrent.BlockingManager;
import org.jspecify.annotations.Nullable;

/// What a store has from its start to its stop: the entries, and what Infinispan gives it to read
/// and write them.
///
/// @param store that the entries are in
/// @param listeners to call when it closes
/// @param segmented whether Infinispan names the segment of a key
record OpenCache<K, V>(
    CacheEntries entries,
    StoreSession session,
    OpenStore store,
    List<StoreListener> listeners,
    boolean segmented,
    KeyPartitioner partitioner,
    TimeService time,
    MarshallableEntryFactory<K, V> factory,
    BlockingManager blocking) {
  /// The key of an entry.
  ///
  /// @param reported the segment that Infinispan names, which means nothing if the store is not
  ///   segmented
  byte[] key(int reported, Object key) {
    int segment = segmented ? reported : partitioner.getSegment(key);
    return EntryKey.of(segment, factory.create(key).getKeyBytes());
  }

  /// The change that sets an entry. Unmarshals its key if the store is not segmented, to learn the
  /// segment, and nothing otherwise.
  ///
  /// @return null if the entry has no value. Infinispan hands over such an entry where another node
  ///   did the write: it shows nothing of what is stored, which may be newer, and stays as it is
  @Nullable Change put(int reported, MarshallableEntry<?, ?> entry) {
    if (entry.getValueBytes() == null) {
      return null;
    }
    int segment = segmented ? reported : partitioner.getSegment(entry.getKey());
    return new Change.Put(EntryKey.of(segment, entry.getKeyBytes()), EntryValue.of(entry));
  }

  /// Whether a value, null if there is none, is that of an entry that has not expired.
  boolean isLive(byte @Nullable [] value) {
    return value != null && !EntryValue.isExpired(EntryValue.expiry(value), now());
  }

  /// The ranges of keys of some segments, or of all if that is null.
  List<Range> ranges(@Nullable IntSet segments) {
    return segments == null ? List.of(Range.all()) : EntryKey.ranges(segments);
  }

  /// Milliseconds since 1970, by the clock that the cache expires entries by.
  long now() {
    return time.wallClockTime();
  }

  K unmarshalled(ByteBuffer key) {
    return unmarshalled(key, factory);
  }

  static <K> K unmarshalled(ByteBuffer key, MarshallableEntryFactory<K, ?> factory) {
    return factory.create(key, (ByteBuffer) null).getKey();
  }
}
