package io.varve.cache.internal.container;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/// Which spaces of a store belong to which cache. The spaces of a cache bear a number.
///
/// | key           | value                   | meaning                        |
/// |---------------|-------------------------|--------------------------------|
/// | 0, number     |                         | the number was given out       |
/// | 1, cache name | number, segments: 4 + 4 | the cache has the number       |
/// | 2, length of the cache name: 4, cache name, class name | | the cache was given objects of the class |
///
/// (C1) A number is given out before its first space is made, and taken back after its last is
/// dropped. So spaces of a process that died half-way are found, and no space of anybody else is
/// taken for one.
///
/// @param store of the caches
/// @param space of the catalog
record Catalog(Store store, Space space) {
  /// Spaces that a cache has. Each is a tree with a writer of its own.
  static final int STRIPES = 8;

  private static final String NAME = "varve.cache";
  private static final byte GIVEN_OUT = 0;
  private static final byte NAMED = 1;
  private static final byte RECORDED = 2;

  /// What the catalog records of a cache.
  record Known(int number, int segments) {}

  /// The catalog of a store that has one; null if it has none.
  static @Nullable Catalog find(Store store) {
    Space space = store.findSpace(NAME);
    return space == null ? null : new Catalog(store, space);
  }

  /// The catalog of a store, which is made if it has none.
  static Catalog of(Store store) {
    return new Catalog(store, store.space(NAME));
  }

  static String spaceName(int number, int stripe) {
    return NAME + "-" + number + "-" + stripe;
  }

  private static byte[] nameKey(String cacheName) {
    byte[] name = cacheName.getBytes(UTF_8);
    return ByteBuffer.allocate(1 + name.length).put(NAMED).put(name).array();
  }

  private static byte[] numberKey(int number) {
    return ByteBuffer.allocate(1 + Integer.BYTES).put(GIVEN_OUT).putInt(number).array();
  }

  /// What is known of a cache; null for nothing.
  @Nullable Known find(String cacheName) {
    byte[] value = space.get(nameKey(cacheName));
    return value == null ? null : known(value);
  }

  private static Known known(byte[] value) {
    if (value.length != 2 * Integer.BYTES) {
      throw new CacheException(
          "the catalog of caches is of another version: bytes="
              + value.length
              + "; open the store with the version that wrote it");
    }
    ByteBuffer buffer = ByteBuffer.wrap(value);
    return new Known(buffer.getInt(), buffer.getInt());
  }

  /// Gives out a number of which there is no space.
  int giveOut() {
    int number = 0;
    while (isGivenOut(number) || hasSpace(number)) {
      number++;
    }
    space.with(Durability.POWER_LOSS).put(numberKey(number), new byte[0]);
    return number;
  }

  private boolean isGivenOut(int number) {
    return space.contains(numberKey(number));
  }

  private boolean hasSpace(int number) {
    return IntStream.range(0, STRIPES)
        .anyMatch(stripe -> store.findSpace(spaceName(number, stripe)) != null);
  }

  /// Notes the number of a cache; another one that it had is left to [#dropUnnamed].
  void name(String cacheName, Known known) {
    byte[] value =
        ByteBuffer.allocate(2 * Integer.BYTES)
            .putInt(known.number())
            .putInt(known.segments())
            .array();
    space.with(Durability.POWER_LOSS).put(nameKey(cacheName), value);
  }

  /// Forgets a cache; its number is left to [#dropUnnamed].
  void forget(String cacheName) {
    space.with(Durability.POWER_LOSS).delete(nameKey(cacheName));
    forgetClasses(cacheName);
  }

  /// The names of classes of which a cache was given objects.
  Set<String> classes(String cacheName) {
    byte[] prefix = classPrefix(cacheName);
    Set<String> names = new HashSet<>();
    space
        .scan(Range.prefix(prefix))
        .forEach(entry ->
            names.add(
                new String(entry.key(), prefix.length, entry.key().length - prefix.length, UTF_8)));
    return names;
  }

  /// Notes classes of which a cache is given objects. They survive what any entry survives.
  void record(String cacheName, Set<String> classNames) {
    byte[] prefix = classPrefix(cacheName);
    store.transact(
        Durability.POWER_LOSS,
        tx -> {
          for (String className : classNames) {
            byte[] name = className.getBytes(UTF_8);
            byte[] key =
                ByteBuffer.allocate(prefix.length + name.length).put(prefix).put(name).array();
            tx.put(space, key, new byte[0]);
          }
        });
  }

  void forgetClasses(String cacheName) {
    space.with(Durability.POWER_LOSS).deleteRange(Range.prefix(classPrefix(cacheName)));
  }

  private static byte[] classPrefix(String cacheName) {
    byte[] name = cacheName.getBytes(UTF_8);
    return ByteBuffer.allocate(1 + Integer.BYTES + name.length)
        .put(RECORDED)
        .putInt(name.length)
        .put(name)
        .array();
  }

  /// Drops the spaces of numbers that no cache has.
  void dropUnnamed() {
    Set<Integer> named = new HashSet<>();
    space
        .scan(Range.prefix(new byte[] {NAMED}))
        .forEach(entry -> named.add(known(entry.value()).number()));
    for (int number : givenOut()) {
      if (!named.contains(number)) {
        IntStream.range(0, STRIPES).forEach(stripe -> store.dropSpace(spaceName(number, stripe)));
        space.with(Durability.POWER_LOSS).delete(numberKey(number));
      }
    }
  }

  private List<Integer> givenOut() {
    Set<Integer> numbers = new HashSet<>();
    space
        .scan(Range.prefix(new byte[] {GIVEN_OUT}))
        .forEach(entry -> numbers.add(ByteBuffer.wrap(entry.key()).getInt(1)));
    return List.copyOf(numbers);
  }
}
