package io.varve.cache;

import io.varve.Durability;
import java.io.Serial;
import java.util.Objects;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.MutableConfiguration;
import org.jspecify.annotations.Nullable;

/// How a cache is made: all that JCache knows, and where its entries live.
///
/// Not for several threads concurrently; a cache takes a copy.
///
/// @param <K> the keys
/// @param <V> the values
/// @since 1.0
public final class CacheOptions<K, V> extends MutableConfiguration<K, V> {
  /// Segments unless said otherwise.
  public static final int SEGMENTS = 256;

  /// The most segments.
  public static final int SEGMENTS_MAX = 1 << 15;

  @Serial private static final long serialVersionUID = 1;

  private @Nullable StorageMode mode = Defaults.mode();
  private Durability durability = Durability.POWER_LOSS;
  private int segments = SEGMENTS;
  private long heapEntriesMax;
  private long heapBytesMax;
  private HeapFull heapFull = HeapFull.EVICT;
  private @Nullable WriteBehind writeBehind;
  private transient @Nullable Marshaller<K> keyMarshaller;
  private transient @Nullable Marshaller<V> valueMarshaller;

  /// The options that a cache has unless set otherwise.
  public CacheOptions() {}

  /// A copy of another configuration; what that does not know has its default.
  public CacheOptions(CompleteConfiguration<K, V> other) {
    super(other);
    if (other instanceof CacheOptions<K, V> options) {
      mode = options.mode;
      durability = options.durability;
      segments = options.segments;
      heapEntriesMax = options.heapEntriesMax;
      heapBytesMax = options.heapBytesMax;
      heapFull = options.heapFull;
      writeBehind = options.writeBehind;
      keyMarshaller = options.keyMarshaller;
      valueMarshaller = options.valueMarshaller;
    }
  }

  /// Adds a listener that the cache is to have from its beginning.
  ///
  /// @throws IllegalArgumentException if there is an equal one. Both are asked: a configuration of
  ///   JCache takes [CacheListenerOptions] that want more than it knows for its equal
  @Override
  public CacheOptions<K, V> addCacheEntryListenerConfiguration(
      CacheEntryListenerConfiguration<K, V> configuration) {
    Objects.requireNonNull(configuration, "configuration");
    for (CacheEntryListenerConfiguration<K, V> each : listenerConfigurations) {
      if (each.equals(configuration) && configuration.equals(each)) {
        throw new IllegalArgumentException("the listener is there: configuration=" + configuration);
      }
    }
    listenerConfigurations.add(configuration);
    return this;
  }

  /// Where entries live.
  public StorageMode mode() {
    return mode == null ? StorageMode.HEAP : mode;
  }

  /// Whether it was said where entries live, by [#mode(StorageMode)] or the system property
  /// `io.varve.cache.mode`.
  public boolean hasMode() {
    return mode != null;
  }

  /// Sets where entries live. Default: the system property `io.varve.cache.mode`. Without either it
  /// is [StorageMode#TIERED] if the manager has a directory, and [StorageMode#HEAP] if not.
  public CacheOptions<K, V> mode(StorageMode chosen) {
    mode = Objects.requireNonNull(chosen, "mode");
    return this;
  }

  /// What a change survives that has returned.
  public Durability durability() {
    return durability;
  }

  /// Sets what a change survives that has returned. Default: [Durability#POWER_LOSS]. Of no effect
  /// where entries are on the heap or in a store without a directory.
  public CacheOptions<K, V> durability(Durability chosen) {
    durability = Objects.requireNonNull(chosen, "durability");
    return this;
  }

  /// Over how many segments entries are spread.
  public int segments() {
    return segments;
  }

  /// Sets over how many segments entries are spread, 1 to [#SEGMENTS_MAX]. Default: [#SEGMENTS]. It
  /// may differ from that of the data that is there, which is spread again when the cache opens.
  public CacheOptions<K, V> segments(int count) {
    if (count < 1 || count > SEGMENTS_MAX) {
      throw new IllegalArgumentException("segments=" + count + ": must be 1 to " + SEGMENTS_MAX);
    }
    segments = count;
    return this;
  }

  /// The most entries on the heap; 0 for no bound.
  public long heapEntriesMax() {
    return heapEntriesMax;
  }

  /// Bounds the heap by a number of entries, instead of bytes. Default: no bound, or 10,000 with
  /// pages.
  public CacheOptions<K, V> heapEntriesMax(long count) {
    heapEntriesMax = requirePositive("heapEntriesMax", count);
    heapBytesMax = 0;
    return this;
  }

  /// The most bytes of marshalled keys and values on the heap; 0 for no bound.
  public long heapBytesMax() {
    return heapBytesMax;
  }

  /// Bounds the heap by the bytes that keys and values have when they are marshalled, and what an
  /// entry takes in addition; instead of a number of entries. It stores values by value.
  public CacheOptions<K, V> heapBytesMax(long bytes) {
    heapBytesMax = requirePositive("heapBytesMax", bytes);
    heapEntriesMax = 0;
    return this;
  }

  private static long requirePositive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + "=" + value + ": must be above 0");
    }
    return value;
  }

  /// What a put does when the heap is full.
  public HeapFull heapFull() {
    return heapFull;
  }

  /// Sets what a put does when the heap is full. Default: [HeapFull#EVICT]. For mode
  /// [StorageMode#HEAP] with a bound: a cache that is made with another mode or without a bound
  /// refuses [HeapFull#REFUSE].
  public CacheOptions<K, V> heapFull(HeapFull chosen) {
    heapFull = Objects.requireNonNull(chosen, "heapFull");
    return this;
  }

  /// How changes reach the writer later; null if they do in the calls that make them.
  public @Nullable WriteBehind writeBehind() {
    return writeBehind;
  }

  /// Sets that changes reach the writer later, in batches; null for in the calls that make them,
  /// which is the default. Of no effect unless there is a writer and changes are written through.
  public CacheOptions<K, V> writeBehind(@Nullable WriteBehind chosen) {
    writeBehind = chosen;
    return this;
  }

  /// How keys are turned into bytes, or null for the default.
  public @Nullable Marshaller<K> keyMarshaller() {
    return keyMarshaller;
  }

  /// Sets how keys are turned into bytes. Default: as [Marshallers#ofKeys], and classes of keys
  /// that were put are allowed.
  public CacheOptions<K, V> keyMarshaller(Marshaller<K> marshaller) {
    keyMarshaller = Objects.requireNonNull(marshaller, "marshaller");
    return this;
  }

  /// How values are turned into bytes, or null for the default.
  public @Nullable Marshaller<V> valueMarshaller() {
    return valueMarshaller;
  }

  /// Sets how values are turned into bytes. Default: as [Marshallers#ofType], and classes of values
  /// that were put are allowed.
  public CacheOptions<K, V> valueMarshaller(Marshaller<V> marshaller) {
    valueMarshaller = Objects.requireNonNull(marshaller, "marshaller");
    return this;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CacheOptions<?, ?> options
        && super.equals(other)
        && mode() == options.mode()
        && durability == options.durability
        && segments == options.segments
        && heapEntriesMax == options.heapEntriesMax
        && heapBytesMax == options.heapBytesMax
        && heapFull == options.heapFull
        && Objects.equals(writeBehind, options.writeBehind);
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        super.hashCode(),
        mode(),
        durability,
        segments,
        heapEntriesMax,
        heapBytesMax,
        heapFull,
        writeBehind);
  }
}
