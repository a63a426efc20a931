package io.varve.cache.internal.mapreduce;

import io.varve.cache.Marshaller;
import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/// What the mappers of one thread have emitted, combined as it came. It measures the bytes that it
/// takes. For one thread at a time.
///
/// A hash table with open addresses: every pair that is emitted is looked up here. A search by hash
/// looks into an array of numbers, with key and value in arrays next to it. It takes fewer cache
/// misses than a search in a table of nodes. Values of plain classes are held as they are where
/// there is a combiner, any others in a [Slot].
///
/// Keys whose hash codes collide would take a search along all of them. A table that meets more
/// than a few hundred in a row changes to hashes of the marshalled keys, by a seed of its own:
/// slower for each pair, but not for each pair and key.
///
/// @param <K> the keys
/// @param <V> the values
public final class WorkerTable<K, V> {
  private static final int CAPACITY_MIN = 64;
  private static final int[] NO_HASHES = {};
  private static final @Nullable Object[] NOTHING = {};

  /// What an entry takes in addition to its key and value: three numbers of 4 bytes, at most half
  /// of which are used, and mostly more than a quarter.
  private static final int ENTRY_BYTES = 36;

  private static final int SLOT_BYTES = 32;

  /// Keys that are looked at before it is certain that hash codes collide: far more than at a load
  /// of a half with codes that are spread.
  private static final int PROBES_MAX = 256;

  /// What [#find] gives when it has looked at [#PROBES_MAX] keys; the complement of no index.
  private static final int TOO_FAR = Integer.MIN_VALUE;

  /// The golden ratio: spreads hash codes over the upper bits (Knuth, volume 3, section 6.4).
  private static final int SPREAD = 0x9e3779b9;

  private final @Nullable BinaryOperator<V> combiner;
  private final Measure<K> keyMeasure;
  private final Measure<V> valueMeasure;
  private final Marshaller<K> marshaller;

  /// Odd; 0 while keys are found by their hash codes.
  private int seed;

  private int[] hashes; // 0 where there is no entry
  private @Nullable Object[] keys;
  private @Nullable Object[] values;
  private int size;
  private long bytes;
  private long combined;

  public WorkerTable(Plan<?, K, V, ?> plan) {
    this.combiner = plan.combiner();
    this.keyMeasure = new Measure<>(plan.keys());
    this.valueMeasure = new Measure<>(plan.values());
    this.marshaller = plan.keys();
    this.hashes = new int[CAPACITY_MIN];
    this.keys = new Object[CAPACITY_MIN];
    this.values = new Object[CAPACITY_MIN];
  }

  public void add(K key, V value) {
    int index = find(key);
    if (index < 0) {
      bytes += ENTRY_BYTES + keyMeasure.bytes(key);
      insert(~index, key, held(value));
    } else if (combiner == null) {
      bytes += slot(index).add(value, valueMeasure);
    } else {
      combine(index, value, combiner);
      combined++;
    }
  }

  /// The form in which a value is held; counts its bytes.
  private Object held(V value) {
    long plainBytes = combiner == null ? -1 : Measure.plainBytes(value);
    if (plainBytes >= 0) {
      bytes += plainBytes;
      return value;
    }
    long valueBytes = valueMeasure.bytes(value);
    bytes += SLOT_BYTES + valueBytes;
    return new Slot<>(value, valueBytes);
  }

  private void combine(int index, V value, BinaryOperator<V> by) {
    Object present = Objects.requireNonNull(values[index]);
    if (present instanceof Slot) {
      bytes += slot(index).combine(value, by, valueMeasure);
      return;
    }
    V result = Slot.combined(by, plain(present), value);
    bytes -= Measure.plainBytes(present);
    values[index] = held(result);
  }

  @SuppressWarnings("unchecked") // what is no slot is a value
  private V plain(Object held) {
    return (V) held;
  }

  @SuppressWarnings("unchecked") // made here
  private Slot<V> slot(int index) {
    return (Slot<V>) Objects.requireNonNull(values[index]);
  }

  private int hash(K key) {
    int spread = (seed == 0 ? key.hashCode() : seededHash(key)) * SPREAD;
    return spread == 0 ? 1 : spread;
  }

  /// FNV-1a (Fowler, Noll, Vo, 1991) from a seed, with its upper bits folded in.
  private int seededHash(K key) {
    int hash = seed;
    for (byte b : marshaller.toBytes(key)) {
      hash = (hash ^ b) * 0x01000193;
      hash ^= hash >>> 15;
    }
    return hash;
  }

  /// Changes to hashes by a seed where hash codes collide.
  ///
  /// @return the index of a key, or the complement of where it belongs
  private int find(K key) {
    int index = find(key, hash(key));
    if (index == TOO_FAR) {
      seed = ThreadLocalRandom.current().nextInt() | 1;
      rehash(hashes.length);
      index = find(key, hash(key));
    }
    return index;
  }

  /// @return the index of a key, or the complement of where it belongs, or [#TOO_FAR]
  private int find(K key, int hash) {
    int mask = hashes.length - 1;
    int index = hash >>> Integer.numberOfLeadingZeros(mask);
    int probesLeft = seed == 0 ? PROBES_MAX : Integer.MAX_VALUE;
    for (int at = hashes[index]; at != 0; at = hashes[index]) {
      if (at == hash && key.equals(keys[index])) {
        return index;
      }
      if (--probesLeft == 0) {
        return TOO_FAR;
      }
      index = (index + 1) & mask;
    }
    return ~index;
  }

  /// Puts a key that [#find] has just not found.
  private void insert(int index, K key, Object value) {
    hashes[index] = hash(key);
    keys[index] = key;
    values[index] = value;
    if (++size > hashes.length / 2) {
      rehash(Math.multiplyExact(2, hashes.length));
    }
  }

  private void rehash(int capacity) {
    int[] oldHashes = hashes;
    @Nullable Object[] oldKeys = keys;
    @Nullable Object[] oldValues = values;
    hashes = new int[capacity];
    keys = new Object[capacity];
    values = new Object[capacity];
    int mask = capacity - 1;
    for (int i = 0; i < oldHashes.length; i++) {
      if (oldHashes[i] != 0) {
        int hash = seed == 0 ? oldHashes[i] : hash(keyOf(oldKeys[i]));
        int index = hash >>> Integer.numberOfLeadingZeros(mask);
        while (hashes[index] != 0) {
          index = (index + 1) & mask;
        }
        hashes[index] = hash;
        keys[index] = oldKeys[i];
        values[index] = oldValues[i];
      }
    }
  }

  /// Takes over what another table holds.
  public void absorb(WorkerTable<K, V> other) {
    for (int i = other.next(-1); i >= 0; i = other.next(i)) {
      K key = other.key(i);
      int index = find(key);
      Object value = Objects.requireNonNull(other.values[i]);
      if (index < 0) {
        insert(~index, key, value);
      } else if (combiner == null) {
        slot(index).absorb(other.slot(i));
      } else {
        values[index] = held(Slot.combined(combiner, values(index).next(), other.values(i).next()));
      }
    }
    other.clear();
  }

  /// The index of the next entry.
  ///
  /// @param index of an entry; -1 before the first
  /// @return -1 if there is none
  public int next(int index) {
    for (int i = index + 1; i < hashes.length; i++) {
      if (hashes[i] != 0) {
        return i;
      }
    }
    return -1;
  }

  public K key(int index) {
    return keyOf(keys[index]);
  }

  @SuppressWarnings("unchecked") // put by add
  private K keyOf(@Nullable Object held) {
    return (K) Objects.requireNonNull(held);
  }

  /// The values of an entry: one, where there is a combiner.
  public Iterator<V> values(int index) {
    Object held = Objects.requireNonNull(values[index]);
    return held instanceof Slot
        ? slot(index).values()
        : Collections.singleton(plain(held)).iterator();
  }

  /// About the bytes that it takes.
  public long bytes() {
    return bytes;
  }

  /// Pairs that were combined with others, ever.
  public long combined() {
    return combined;
  }

  public int size() {
    return size;
  }

  public void clear() {
    hashes = new int[CAPACITY_MIN];
    keys = new Object[CAPACITY_MIN];
    values = new Object[CAPACITY_MIN];
    size = 0;
    bytes = 0;
  }

  /// Releases all entries without taking memory. The table is at its end.
  public void drop() {
    hashes = NO_HASHES;
    keys = NOTHING;
    values = NOTHING;
    size = 0;
    bytes = 0;
  }
}
