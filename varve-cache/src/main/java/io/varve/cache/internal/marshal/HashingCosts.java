package io.varve.cache.internal.marshal;

import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What it takes to hash the collections of an object that is read: a part counts for each path
/// that leads to it. Bytes that refer to the same parts again and again can make a set of a few
/// dozen collections that takes years to hash. For one object and thread.
///
/// A collection is looked at when all of it was read. So a set may hash parts of which each is
/// within the limit, but none that is not.
final class HashingCosts {
  /// Far more than a program shares on purpose; it takes less than a second to hash.
  static final long COST_MAX = 1 << 26;

  /// What holds so few scalars, and nothing else, need not be noted.
  private static final int SMALL_MAX = 16;

  /// Of what was read, except scalars and small collections of them, which count as 1.
  private final IdentityHashMap<Object, Long> costs = new IdentityHashMap<>();

  /// Notes a collection, a map or an array of objects that was read.
  ///
  /// @return whether it is within the limit
  boolean add(Object object) {
    return switch (object) {
      case Object[] array -> add(array, Arrays.asList(array), 0);
      case Collection<?> collection when AllowedClasses.isOfJdk(object.getClass()) ->
          add(collection, collection, 0);
      case Map<?, ?> map when AllowedClasses.isOfJdk(object.getClass()) ->
          add(map, map.keySet(), cost(map.values()));
      default -> true;
    };
  }

  /// Notes an object that was made of its parts.
  ///
  /// @param others the cost of further parts
  /// @return whether it is within the limit
  boolean add(Object object, Collection<? extends @Nullable Object> parts, long others) {
    long cost = 1 + others + cost(parts);
    if (cost > SMALL_MAX || !parts.stream().allMatch(HashingCosts::isScalar)) {
      costs.put(object, cost);
    }
    return cost <= COST_MAX;
  }

  private static boolean isScalar(@Nullable Object part) {
    return part == null || ScalarMarshaller.isImmutable(part);
  }

  private long cost(Collection<? extends @Nullable Object> parts) {
    long cost = 0;
    for (Object part : parts) {
      cost += isScalar(part) ? 1 : costs.getOrDefault(part, 1L);
    }
    return cost;
  }
}
