package io.varve.test;

import io.varve.Entry;
import io.varve.Range;
import io.varve.ReadView;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The content of a store, held plainly: one sorted map on the heap per space. What a store answers
/// is right when the model answers the same.
///
/// A space without entries is as one that does not exist. Not safe for use by several threads.
/// Arrays are neither copied in nor out; do not change them.
public final class Model {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int DIFFERENCES_MAX = 10;
  private static final int KEY_BYTES_SHOWN_MAX = 48;

  private final NavigableMap<String, NavigableMap<byte[], byte[]>> spaces = new TreeMap<>();
  private long digest; // the sum of the hashes of all entries, so that it is cheap to keep

  /// Makes an empty model.
  public Model() {}

  /// The content of all spaces as one snapshot of `store` shows it.
  public static Model of(Store store) {
    try (Snapshot snapshot = store.snapshot()) {
      return of(store, snapshot);
    }
  }

  /// The content of all spaces of `store` as `view` shows it.
  public static Model of(Store store, ReadView view) {
    Model model = new Model();
    for (String name : store.spaceNames()) {
      Space space = store.findSpace(name);
      if (space != null) {
        for (Entry entry : view.scan(space, Range.all())) {
          model.put(name, entry.key(), entry.value());
        }
      }
    }
    return model;
  }

  /// A model of the same content, on its own from now on.
  public Model copy() {
    Model copy = new Model();
    spaces.forEach((name, entries) -> copy.spaces.put(name, new TreeMap<>(entries)));
    copy.digest = digest;
    return copy;
  }

  /// Makes each of the changes, in their order.
  public void applyAll(List<Change> changes) {
    changes.forEach(this::apply);
  }

  /// Makes one change.
  public void apply(Change change) {
    switch (change) {
      case Change.Put(var space, var key, var value) -> put(space, key, value);
      case Change.Delete(var space, var key) -> delete(space, key);
      case Change.DeleteRange(var space, var range) ->
          List.copyOf(entries(space, range).keySet()).forEach(key -> delete(space, key));
      case Change.DropSpace(var space) ->
          List.copyOf(entries(space).keySet()).forEach(key -> delete(space, key));
    }
  }

  /// Sets the value of a key.
  public void put(String space, byte[] key, byte[] value) {
    var entries = spaces.computeIfAbsent(space, _ -> new TreeMap<>(Arrays::compareUnsigned));
    byte[] old = entries.put(key, value);
    if (old != null) {
      digest -= hash(space, key, old);
    }
    digest += hash(space, key, value);
  }

  /// Removes a key, present or not.
  public void delete(String space, byte[] key) {
    var entries = spaces.get(space);
    byte[] old = entries == null ? null : entries.remove(key);
    if (old != null) {
      digest -= hash(space, key, old);
    }
  }

  /// The value of a key, or null when it is absent.
  @SuppressWarnings(
      "exports") // of Nullable: for the tools of a program that has it, no one needs it
  public byte @Nullable [] get(String space, byte[] key) {
    var entries = spaces.get(space);
    return entries == null ? null : entries.get(key);
  }

  /// The names of the spaces that have entries.
  public SortedSet<String> spaceNames() {
    SortedSet<String> names = new TreeSet<>();
    spaces.forEach((name, entries) -> {
      if (!entries.isEmpty()) {
        names.add(name);
      }
    });
    return names;
  }

  /// A read-only view of a space.
  public NavigableMap<byte[], byte[]> entries(String space) {
    var entries = spaces.get(space);
    return entries == null
        ? Collections.emptyNavigableMap()
        : Collections.unmodifiableNavigableMap(entries);
  }

  /// A read-only view of a range of a space.
  public NavigableMap<byte[], byte[]> entries(String space, Range range) {
    NavigableMap<byte[], byte[]> entries = entries(space);
    if (range.isEmpty() || entries.isEmpty()) {
      return Collections.emptyNavigableMap();
    }
    byte[] to = range.to();
    return to == null
        ? entries.tailMap(range.from(), true)
        : entries.subMap(range.from(), true, to, false);
  }

  /// The number of entries of all spaces.
  public long entryCount() {
    return spaces.values().stream().mapToLong(NavigableMap::size).sum();
  }

  /// The length of the longest value.
  public int valueBytesMax() {
    return spaces.values().stream()
        .flatMap(entries -> entries.values().stream())
        .mapToInt(value -> value.length)
        .max()
        .orElse(0);
  }

  /// The entries whose keys `filter` takes, of all spaces, as a model of their own.
  Model filter(Predicate<byte[]> filter) {
    Model kept = new Model();
    spaces.forEach((space, entries) ->
        entries.forEach((key, value) -> {
          if (filter.test(key)) {
            kept.put(space, key, value);
          }
        }));
    return kept;
  }

  /// Equal for equal contents, and almost surely different for different ones.
  public long digest() {
    return digest;
  }

  /// What is different in `actual`, one sentence per key, the first few only; empty when both hold
  /// the same.
  public List<String> differences(Model actual) {
    List<String> found = new ArrayList<>();
    SortedSet<String> names = new TreeSet<>(spaces.keySet());
    names.addAll(actual.spaces.keySet());
    for (String space : names) {
      addDifferences(space, actual, found);
    }
    return found;
  }

  private void addDifferences(String space, Model actual, List<String> found) {
    SortedSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
    keys.addAll(entries(space).keySet());
    keys.addAll(actual.entries(space).keySet());
    for (byte[] key : keys) {
      if (found.size() >= DIFFERENCES_MAX) {
        return;
      }
      byte[] wanted = get(space, key);
      byte[] there = actual.get(space, key);
      if (!Arrays.equals(wanted, there)) {
        found.add(
            "space=%s, key=%s, expected=%s, found=%s"
                .formatted(space, show(key), describe(wanted), describe(there)));
      }
    }
  }

  /// Throws what is different in `actual`, if anything is.
  ///
  /// @param context put in front of the differences: what was compared, and the seed
  /// @throws AssertionError if the contents differ
  public void requireEqual(Model actual, String context) {
    if (digest != actual.digest) {
      throw new AssertionError(context + ": " + String.join("; ", differences(actual)));
    }
  }

  private static String describe(byte @Nullable [] value) {
    return value == null ? "absent" : "%d bytes %s".formatted(value.length, show(value));
  }

  static String show(byte[] bytes) {
    int length = Math.min(bytes.length, KEY_BYTES_SHOWN_MAX);
    for (int i = 0; i < length; i++) {
      if (bytes[i] < ' ' || bytes[i] > '~') {
        return "0x" + HexFormat.of().formatHex(bytes, 0, length);
      }
    }
    return "'" + new String(bytes, 0, length, StandardCharsets.US_ASCII) + "'";
  }

  private static long hash(String space, byte[] key, byte[] value) {
    long hash = mix(space.hashCode());
    hash = hashBytes(hash, key);
    return hashBytes(hash, value);
  }

  private static long hashBytes(long seed, byte[] bytes) {
    long hash = mix(seed + bytes.length);
    int i = 0;
    for (; i + Long.BYTES <= bytes.length; i += Long.BYTES) {
      hash = mix(hash ^ (long) LONG.get(bytes, i));
    }
    for (; i < bytes.length; i++) {
      hash = mix(hash ^ bytes[i]);
    }
    return hash;
  }

  /// The finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
  /// generators, 2014).
  private static long mix(long value) {
    long z = value + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Model that && digest == that.digest && differences(that).isEmpty();
  }

  @Override
  public int hashCode() {
    return Objects.hash(digest);
  }

  @Override
  public String toString() {
    return "Model[spaces=" + spaceNames().size() + ", entries=" + entryCount() + "]";
  }
}
