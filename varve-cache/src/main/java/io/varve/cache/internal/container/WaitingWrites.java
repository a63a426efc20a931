package io.varve.cache.internal.container;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.Durability;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Collection;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/// Changes of a cache in its store that wait for its writer. All caches of a store share a space.
/// Safe for threads.
///
/// | part of the key       | bytes | meaning                                     |
/// |-----------------------|------:|---------------------------------------------|
/// | length of cache name  |     4 | big-endian                                  |
/// | cache name            |       | UTF-8                                       |
/// | number                |     8 | big-endian, higher for later changes        |
///
/// | part of the value     | bytes | meaning                                     |
/// |-----------------------|------:|---------------------------------------------|
/// | kind                  |     1 | 0 a value was put, 1 the key was removed    |
/// | length of the key     |     4 | big-endian                                  |
/// | key                   |       | as the marshaller wrote it                  |
/// | value                 |       | as the marshaller wrote it, if one was put  |
///
/// @param space of all caches of the store
/// @param durability of a change that has returned
public record WaitingWrites(Space space, String cacheName, Durability durability) {
  private static final String SPACE = "varve.cache.writes";
  private static final byte PUT = 0;
  private static final byte REMOVED = 1;

  /// A change.
  ///
  /// @param number higher for later changes
  /// @param value null if the key was removed
  public record Change(long number, byte[] key, byte @Nullable [] value) {}

  /// Those of a cache; the space is made if it is not there.
  public static WaitingWrites of(Store store, String cacheName, Durability durability) {
    return new WaitingWrites(store.space(SPACE), cacheName, durability);
  }

  /// Adds a change. It survives what a change of the cache survives.
  ///
  /// @param replaced the numbers of changes that it replaces, which leave together with the arrival
  ///   of this one
  public void add(Change change, Collection<Long> replaced) {
    byte[] value = change.value();
    int valueBytes = value == null ? 0 : value.length;
    ByteBuffer stored = ByteBuffer.allocate(1 + Integer.BYTES + change.key().length + valueBytes);
    stored.put(value == null ? REMOVED : PUT).putInt(change.key().length).put(change.key());
    if (value != null) {
      stored.put(value);
    }
    byte[] key = key(cacheName, change.number());
    if (replaced.isEmpty()) {
      space.with(durability).put(key, stored.array());
      return;
    }
    space
        .store()
        .transact(
            durability,
            tx -> {
              tx.put(space, key, stored.array());
              replaced.forEach(number -> tx.delete(space, key(cacheName, number)));
            });
  }

  /// Removes changes that were written or dropped. A crash may undo it: then they are written
  /// again.
  public void remove(Collection<Long> numbers) {
    space
        .store()
        .transact(
            Durability.BACKGROUND,
            tx -> numbers.forEach(number -> tx.delete(space, key(cacheName, number))));
  }

  /// All changes in their order.
  public Iterable<Change> all() {
    Iterable<Entry> entries = space.scan(Range.prefix(prefix(cacheName)));
    return () -> new MappedIterator<>(entries.iterator(), this::changeOf);
  }

  private Change changeOf(Entry entry) {
    try {
      ByteBuffer stored = ByteBuffer.wrap(entry.value());
      byte kind = stored.get();
      byte[] key = new byte[stored.getInt()];
      stored.get(key);
      byte[] value = new byte[stored.remaining()];
      stored.get(value);
      long number = ByteBuffer.wrap(entry.key()).getLong(entry.key().length - Long.BYTES);
      return new Change(number, key, kind == REMOVED ? null : value);
    } catch (BufferUnderflowException | NegativeArraySizeException e) {
      throw new CacheException(
          "a change that waits for a writer cannot be read: cache="
              + cacheName
              + ", bytes="
              + entry.value().length
              + "; open the store with the version that wrote it",
          e);
    }
  }

  /// Whether changes of a cache wait in a store.
  public static boolean isAny(Store store, String cacheName) {
    Space space = store.findSpace(SPACE);
    return space != null && space.scan(Range.prefix(prefix(cacheName))).iterator().hasNext();
  }

  /// Removes all changes of a cache.
  static void drop(Store store, String cacheName) {
    Space space = store.findSpace(SPACE);
    if (space != null) {
      Clearing.clear(space, Range.prefix(prefix(cacheName)));
    }
  }

  private static byte[] prefix(String cacheName) {
    byte[] name = cacheName.getBytes(UTF_8);
    return ByteBuffer.allocate(Integer.BYTES + name.length).putInt(name.length).put(name).array();
  }

  private static byte[] key(String cacheName, long number) {
    byte[] prefix = prefix(cacheName);
    return ByteBuffer.allocate(prefix.length + Long.BYTES).put(prefix).putLong(number).array();
  }
}
