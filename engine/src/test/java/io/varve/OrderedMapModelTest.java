package io.varve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Random operations on random views of a map do what the JDK's map does.
class OrderedMapModelTest {
  private final Store store = Store.inMemory();
  private final OrderedMap<Integer, String> map = store.map("map", Codec.int32(), Codec.string());

  @AfterEach
  void storeIsSound() {
    store.verify().requireSound();
    store.close();
  }

  @Test
  void randomOperationsOnRandomViewsDoWhatTheJdksMapDoes() {
    long seed = new Random().nextLong();
    var random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      map.clear();
      NavigableMap<Integer, String> expected = new ConcurrentSkipListMap<>();
      for (int step = 0; step < 60; step++) {
        Function<NavigableMap<Integer, String>, Object> operation = operation(random);
        Function<NavigableMap<Integer, String>, NavigableMap<Integer, String>> view =
            views(random, random.nextInt(4));
        assertThat(outcome(map, view, operation))
            .as("seed=%d, round=%d, step=%d", seed, round, step)
            .isEqualTo(outcome(expected, view, operation));
      }
      assertThat(map.entrySet()).as("seed=%d", seed).containsExactlyElementsOf(expected.entrySet());
    }
  }

  /// The result, or the class of the exception.
  private static Object outcome(
      NavigableMap<Integer, String> on,
      Function<NavigableMap<Integer, String>, NavigableMap<Integer, String>> view,
      Function<NavigableMap<Integer, String>, Object> operation) {
    try {
      Object result = operation.apply(view.apply(on));
      return result instanceof Collection<?> many ? new ArrayList<>(many) : result;
    } catch (IllegalArgumentException | NoSuchElementException e) {
      return e.getClass();
    }
  }

  private static Function<NavigableMap<Integer, String>, NavigableMap<Integer, String>> views(
      Random random, int depth) {
    if (depth == 0) {
      return Function.identity();
    }
    int from = random.nextInt(12);
    int to = random.nextInt(12);
    boolean fromInclusive = random.nextBoolean();
    boolean toInclusive = random.nextBoolean();
    Function<NavigableMap<Integer, String>, NavigableMap<Integer, String>> narrow =
        switch (random.nextInt(4)) {
          case 0 -> view -> view.headMap(to, toInclusive);
          case 1 -> view -> view.tailMap(from, fromInclusive);
          case 2 -> NavigableMap::descendingMap;
          default -> view -> view.subMap(from, fromInclusive, to, toInclusive);
        };
    return narrow.andThen(views(random, depth - 1));
  }

  private static Function<NavigableMap<Integer, String>, Object> operation(Random random) {
    int key = random.nextInt(12);
    String value = "v" + random.nextInt(3);
    String other = "v" + random.nextInt(3);
    BiFunction<Object, String, String> change = (_, old) -> value.equals(old) ? null : other;
    return switch (random.nextInt(34)) {
      case 0, 1, 2, 3, 4 -> view -> view.put(key, value);
      case 5 -> view -> view.putIfAbsent(key, value);
      case 6 -> view -> view.remove(key);
      case 7 -> view -> view.remove(key, value);
      case 8 -> view -> view.replace(key, value);
      case 9 -> view -> view.replace(key, value, other);
      case 10 -> view -> view.containsKey(key) ? view.compute(key, change) : null;
      case 11 -> view -> view.computeIfAbsent(key, _ -> value);
      case 12 -> view -> view.computeIfPresent(key, change);
      case 13 -> view -> view.merge(key, value, (old, _) -> old.equals(value) ? null : other);
      case 14 -> view -> view.get(key);
      case 15 -> view -> view.getOrDefault(key, value);
      case 16 -> NavigableMap::firstKey;
      case 17 -> NavigableMap::lastEntry;
      case 18 -> view -> view.lowerKey(key);
      case 19 -> view -> view.floorEntry(key);
      case 20 -> view -> view.ceilingKey(key);
      case 21 -> view -> view.higherEntry(key);
      case 22 -> NavigableMap::pollFirstEntry;
      case 23 -> NavigableMap::pollLastEntry;
      case 24 -> view -> view.size() + (view.isEmpty() ? 1000 : 0);
      case 25 -> view -> view.containsValue(value);
      case 26 -> view -> view.values();
      case 27 -> view -> view.descendingKeySet();
      case 28 -> view -> view.navigableKeySet().headSet(key, true);
      case 29 -> view -> view.entrySet().removeIf(e -> e.getKey() == key || key == 0);
      case 30 -> view -> view.keySet().retainAll(List.of(key, key + 1, key + 2, key + 3));
      case 31 -> view -> new HashMap<>(view).equals(view) ? view.hashCode() : -1;
      case 32 ->
          view -> {
            view.replaceAll((k, old) -> k < key ? old : value);
            return view.toString();
          };
      default -> view -> view.sequencedEntrySet().reversed();
    };
  }
}
