package io.varve.cache.internal.marshal;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/// What it takes to hash the collections of an object that is read: a part counts for each path
/// that leads to it. Bytes that refer to the same parts again and again can make a set of a few
/// dozen collections that takes years to hash. For one object and thread.
///
/// Only hash tables hash what is read, so bytes without any are within the limits, unless they are
/// those of a key. A table is looked at when all of it was read. So it may hash parts of which each
/// is within [#PART_MAX], but none that is not.
final class HashingCosts {
  /// The most for the keys of a hash table: far more than a program shares on purpose. It takes
  /// less than a second to hash.
  static final long COST_MAX = 1 << 26;

  /// The most for any part where there are hash tables: it may be a value, which is not hashed.
  private static final long PART_MAX = 1L << 32;

  /// What holds so few scalars, and nothing else, need not be noted.
  private static final int SMALL_MAX = 16;

  /// Classes of lists that hold nothing but another list or an array.
  private static final List<String> WRAPPERS =
      List.of(
          "java.util.Collections$UnmodifiableList",
          "java.util.Collections$UnmodifiableRandomAccessList",
          "java.util.Collections$SynchronizedList",
          "java.util.Collections$SynchronizedRandomAccessList",
          "java.util.Collections$CheckedList",
          "java.util.Collections$CheckedRandomAccessList",
          "java.util.Arrays$ArrayList");

  /// Some collections count their parts when they are asked for their size, which is quicker than
  /// to look at as many.
  private static final int COUNTED_PER_LOOK = 16;

  /// Of what was read, except scalars and small collections of them, which count as 1.
  private final IdentityHashMap<Object, Long> costs = new IdentityHashMap<>();

  /// The highest cost of those noted of a size. What a wrapper holds is one of its own size.
  private final Map<Long, Long> costsBySize = new HashMap<>();

  /// How many parts may be looked at in all: each that is in the bytes, and those of views.
  private final long looksMax;

  private long looks;

  /// Whether there are hash tables, or the whole is a key of one.
  private boolean isHashed;

  /// Whether a part exceeds its limit, or is too large to be looked at.
  private boolean isPartTooCostly;

  private boolean areKeysTooCostly;

  /// @param isKey whether what is read will be hashed
  HashingCosts(int byteCount, boolean isKey) {
    this.isHashed = isKey;
    this.looksMax = COST_MAX + byteCount;
  }

  /// Notes a class of which an object may be read.
  ///
  /// @return whether all is within the limits
  boolean add(Class<?> type) {
    // The last one stands for immutable lists and sets alike.
    isHashed |= isTable(type) || type.getName().equals("java.util.CollSer");
    return isWithin();
  }

  private static boolean isTable(Class<?> type) {
    return (Map.class.isAssignableFrom(type) && !SortedMap.class.isAssignableFrom(type))
        || (Set.class.isAssignableFrom(type) && !SortedSet.class.isAssignableFrom(type));
  }

  /// Notes a collection, a map or an array of objects that was read.
  ///
  /// @return whether all is within the limits
  boolean add(Object object) {
    return switch (object) {
      case Object[] array -> add(array, Arrays.asList(array), List.of());
      case Collection<?> collection when AllowedClasses.isOfJdk(object.getClass()) ->
          add(collection, collection, List.of());
      case Map<?, ?> map when AllowedClasses.isOfJdk(object.getClass()) ->
          add(map, map.keySet(), map.values());
      default -> true;
    };
  }

  /// Notes an object that was made of its parts.
  ///
  /// @param keys the parts that a hash table hashes when it is read, and those of what is no table
  /// @param values the further parts of a map
  /// @return whether all is within the limits
  boolean add(
      Object object,
      Collection<? extends @Nullable Object> keys,
      Collection<? extends @Nullable Object> values) {
    if (isPartTooCostly) {
      return isWithin(); // to know more would not change that
    }
    Long known = costOfWrapped(object, keys);
    long looksBefore = looks;
    long costOfKeys = known == null ? cost(keys) : known;
    long size = looks - looksBefore;
    long cost = 1 + costOfKeys + (known == null ? cost(values) : 0);
    areKeysTooCostly |= costOfKeys > COST_MAX && known == null && isTable(object.getClass());
    isPartTooCostly |= cost > PART_MAX;
    if (cost > SMALL_MAX || !areScalars(keys) || !areScalars(values)) {
      costs.put(object, cost);
      if (size > SMALL_MAX) {
        costsBySize.merge(size, cost, Math::max);
      }
    }
    return isWithin();
  }

  private boolean isWithin() {
    return !isHashed || !(isPartTooCostly || areKeysTooCostly);
  }

  private @Nullable Long costOfWrapped(
      Object object, Collection<? extends @Nullable Object> parts) {
    if (!WRAPPERS.contains(object.getClass().getName())) {
      return null;
    }
    long size = parts.size();
    looks += size / COUNTED_PER_LOOK;
    isPartTooCostly |= looks > looksMax;
    return costsBySize.get(size);
  }

  private static boolean areScalars(Collection<? extends @Nullable Object> parts) {
    return parts.stream().allMatch(HashingCosts::isScalar);
  }

  private static boolean isScalar(@Nullable Object part) {
    return part == null || ScalarMarshaller.isImmutable(part);
  }

  private long cost(Collection<? extends @Nullable Object> parts) {
    long cost = 0;
    for (Object part : parts) {
      looks++;
      if (looks > looksMax || cost > PART_MAX) {
        isPartTooCostly = true;
        break;
      }
      cost += isScalar(part) ? 1 : costs.getOrDefault(part, 1L);
    }
    return cost;
  }
}
