package io.varve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Maps, sets and all their views give what the JDK's concurrent skip lists give: each method, in
/// and out of the range of the view, with nulls, and the same failures.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
// What no program should call is compared as well.
@SuppressWarnings({"DoNotCall", "CollectionIncompatibleType"})
class MapLockStepTest {
  private static final int STEPS = 6000;

  /// What a step is called with: each may be null. Equal for both sides.
  private record Arguments(
      @Nullable String key,
      @Nullable String other,
      @Nullable String value,
      @Nullable String second,
      boolean flag,
      boolean flag2) {}

  private interface MapCall {
    @Nullable Object on(ConcurrentNavigableMap<String, String> map, Arguments a);
  }

  private interface SetCall {
    @Nullable Object on(NavigableSet<String> set, Arguments a);
  }

  private static final List<MapCall> MAP_VIEWS =
      List.of(
          (m, a) -> m.headMap(a.key),
          (m, a) -> m.headMap(a.key, a.flag),
          (m, a) -> m.tailMap(a.key),
          (m, a) -> m.tailMap(a.key, a.flag),
          (m, a) -> m.subMap(a.key, a.other),
          (m, a) -> m.subMap(a.key, a.flag, a.other, a.flag2),
          (m, a) -> m.descendingMap());

  private static final List<MapCall> MAP_CALLS =
      List.of(
          (m, a) -> m.get(a.key),
          (m, a) -> m.getOrDefault(a.key, a.value),
          (m, a) -> m.containsKey(a.key),
          (m, a) -> m.containsValue(a.value),
          (m, a) -> m.put(a.key, a.value),
          (m, a) -> m.put(a.key, a.value),
          (m, a) -> m.putIfAbsent(a.key, a.value),
          (m, a) -> m.remove(a.key),
          (m, a) -> m.remove(a.key, a.value),
          (m, a) -> m.replace(a.key, a.value),
          (m, a) -> m.replace(a.key, a.value, a.second),
          (m, a) -> m.compute(a.key, (k, v) -> a.value),
          (m, a) -> m.compute(a.key, (k, v) -> v == null ? k : null),
          (m, a) -> m.compute(a.key, null),
          (m, a) -> m.computeIfAbsent(a.key, k -> a.value),
          (m, a) -> m.computeIfPresent(a.key, (k, v) -> a.value),
          (m, a) -> m.merge(a.key, a.value, (v, w) -> a.second),
          (m, a) -> m.merge(a.key, a.value, null),
          (m, a) -> m.firstKey(),
          (m, a) -> m.lastKey(),
          (m, a) -> m.firstEntry(),
          (m, a) -> m.lastEntry(),
          (m, a) -> m.lowerKey(a.key),
          (m, a) -> m.floorEntry(a.key),
          (m, a) -> m.floorKey(a.key),
          (m, a) -> m.lowerEntry(a.key),
          (m, a) -> m.ceilingKey(a.key),
          (m, a) -> m.ceilingEntry(a.key),
          (m, a) -> m.higherKey(a.key),
          (m, a) -> m.higherEntry(a.key),
          (m, a) -> m.pollFirstEntry(),
          (m, a) -> m.pollLastEntry(),
          (m, a) -> m.size() + " " + m.isEmpty() + " " + m + " " + m.hashCode(),
          (m, a) -> m.equals(Map.of("k3", "v1")),
          (m, a) -> changed(() -> m.replaceAll((k, v) -> a.flag ? k + v.length() : a.value)),
          (m, a) -> changed(() -> m.replaceAll(null)),
          (m, a) -> changed(() -> m.forEach(null)),
          (m, a) -> a.key != null && a.key.compareTo("k2") < 0 ? changed(m::clear) : null,
          (m, a) -> compare(m.comparator()),
          (m, a) -> m.putFirst(a.key, a.value),
          (m, a) -> m.reversed(),
          (m, a) -> m.descendingKeySet(),
          (m, a) -> m.values().contains(a.value),
          (m, a) -> m.values().remove(a.value),
          (m, a) -> m.values().removeIf(v -> v.equals(a.value)),
          (m, a) -> m.values().removeIf(null),
          (m, a) -> m.values().removeAll(Arrays.asList(a.value, a.second)),
          (m, a) -> m.values().add(a.value),
          (m, a) -> m.entrySet().contains(entry(a)),
          (m, a) -> m.entrySet().contains(a.key),
          (m, a) -> m.entrySet().remove(entry(a)),
          (m, a) -> m.entrySet().remove(null),
          (m, a) -> m.entrySet().removeIf(e -> e.getKey().equals(a.key)),
          (m, a) -> m.entrySet().removeIf(null),
          (m, a) -> m.entrySet().add(entry(a)),
          (m, a) -> m.entrySet().iterator().next().setValue("v1"),
          (m, a) -> m.keySet().add(a.key),
          (m, a) -> iterate(m.entrySet(), a),
          (m, a) -> iterate(m.values(), a),
          (m, a) -> iterate(m.keySet(), a));

  private static final List<SetCall> SET_VIEWS =
      List.of(
          (s, a) -> s.headSet(a.key),
          (s, a) -> s.headSet(a.key, a.flag),
          (s, a) -> s.tailSet(a.key),
          (s, a) -> s.tailSet(a.key, a.flag),
          (s, a) -> s.subSet(a.key, a.other),
          (s, a) -> s.subSet(a.key, a.flag, a.other, a.flag2),
          (s, a) -> s.descendingSet());

  /// Calls of sets, and of key sets.
  private static final List<SetCall> SET_CALLS =
      List.of(
          (s, a) -> s.contains(a.key),
          (s, a) -> s.remove(a.key),
          (s, a) -> s.first(),
          (s, a) -> s.last(),
          (s, a) -> s.lower(a.key),
          (s, a) -> s.floor(a.key),
          (s, a) -> s.ceiling(a.key),
          (s, a) -> s.higher(a.key),
          (s, a) -> s.pollFirst(),
          (s, a) -> s.pollLast(),
          (s, a) -> s.size() + " " + s.isEmpty() + " " + s + " " + s.hashCode(),
          (s, a) -> s.containsAll(Arrays.asList(a.key, a.other)),
          (s, a) -> s.removeAll(Arrays.asList(a.key, a.other)),
          (s, a) -> s.removeAll(null),
          (s, a) -> a.flag ? s.retainAll(Arrays.asList("k0", "k1", "k2", "k3", "k4", "k5")) : null,
          (s, a) -> s.removeIf(k -> k.equals(a.key)),
          (s, a) -> s.removeIf(null),
          (s, a) -> s.equals(java.util.Set.of("k3")),
          (s, a) -> compare(s.comparator()),
          (s, a) -> List.of(s.toArray()),
          (s, a) -> s.removeFirst(),
          (s, a) -> changed(() -> s.addFirst(a.key)),
          (s, a) -> s.reversed(),
          (s, a) -> drain(s.descendingIterator()),
          (s, a) -> iterate(s, a));

  private static final List<SetCall> SET_ADDS =
      List.of(
          (s, a) -> s.add(a.key),
          (s, a) -> s.add(a.key),
          (s, a) -> s.addAll(List.of()),
          (s, a) -> a.key == null ? null : s.addAll(List.of(a.key)),
          (s, a) -> s.addAll(null));

  private static Object changed(Runnable change) {
    change.run();
    return "done";
  }

  /// Ours may be named where theirs is the natural one.
  private static int compare(@Nullable Comparator<? super String> order) {
    return Integer.signum(order == null ? "a".compareTo("b") : order.compare("a", "b"));
  }

  private static Map.Entry<String, String> entry(Arguments a) {
    return new java.util.AbstractMap.SimpleEntry<>(a.key, a.value);
  }

  private static <T> List<T> drain(Iterator<T> all) {
    List<T> drained = new ArrayList<>();
    all.forEachRemaining(drained::add);
    return drained;
  }

  /// Removes an element as the iterator comes by, and goes one beyond the end.
  private static Object iterate(Collection<?> view, Arguments a) {
    List<Object> seen = new ArrayList<>();
    Iterator<?> iterator = view.iterator();
    seen.add(outcome(() -> changed(iterator::remove)));
    while (iterator.hasNext()) {
      Object next = iterator.next();
      seen.add(next);
      if (next.equals(a.key) || next.equals(a.value)) {
        iterator.remove();
        seen.add(outcome(() -> changed(iterator::remove)));
      }
    }
    seen.add(outcome(iterator::next));
    return seen;
  }

  private interface Call {
    @Nullable Object run();
  }

  /// The result, or the class of the failure; views by what they show.
  private static Object outcome(Call call) {
    try {
      return switch (call.run()) {
        case null -> "null";
        case Map<?, ?> map -> new ArrayList<>(map.entrySet()).toString();
        case Collection<?> all -> new ArrayList<>(all).toString();
        case Object other -> other;
      };
    } catch (RuntimeException e) {
      return e.getClass();
    }
  }

  private static Arguments arguments(SplittableRandom random) {
    return new Arguments(
        random.nextInt(15) == 0 ? null : "k" + random.nextInt(10),
        random.nextInt(15) == 0 ? null : "k" + random.nextInt(10),
        random.nextInt(6) == 0 ? null : "v" + random.nextInt(3),
        random.nextInt(6) == 0 ? null : "v" + random.nextInt(3),
        random.nextBoolean(),
        random.nextBoolean());
  }

  /// The same view of both sides, or null if both refuse it.
  private static <T> @Nullable List<T> views(
      T ours, T theirs, SplittableRandom random, Function<Arguments, Function<T, Call>> viewing) {
    List<T> both = List.of(ours, theirs);
    for (int depth = random.nextInt(4); depth > 0; depth--) {
      Arguments a = arguments(random);
      Function<T, Call> view = viewing.apply(a);
      Object shown = outcome(view.apply(both.get(0)));
      assertThat(shown).as("view with %s", a).isEqualTo(outcome(view.apply(both.get(1))));
      if (shown instanceof Class<?>) {
        return null;
      }
      @SuppressWarnings("unchecked")
      List<T> next = List.of((T) view.apply(both.get(0)).run(), (T) view.apply(both.get(1)).run());
      both = next;
    }
    return both;
  }

  @Test
  void mapsGiveWhatSkipListMapsGive() {
    try (Store store = Store.inMemory()) {
      ConcurrentNavigableMap<String, String> ours = store.map("m", Codec.string(), Codec.string());
      MapLockStepTest.<ConcurrentNavigableMap<String, String>>requireLockStep(
          ours,
          new ConcurrentSkipListMap<>(),
          (view, map, a) -> MAP_VIEWS.get(view % MAP_VIEWS.size()).on(map, a),
          (call, map, a) -> {
            int chosen = call % (MAP_CALLS.size() + SET_CALLS.size());
            return chosen < MAP_CALLS.size()
                ? MAP_CALLS.get(chosen).on(map, a)
                : SET_CALLS.get(chosen - MAP_CALLS.size()).on(map.navigableKeySet(), a);
          });
    }
  }

  @Test
  void setsGiveWhatSkipListSetsGive() {
    try (Store store = Store.inMemory()) {
      NavigableSet<String> ours = store.set("s", Codec.string());
      List<SetCall> calls = new ArrayList<>(SET_CALLS);
      calls.addAll(SET_ADDS);
      calls.addAll(SET_ADDS);
      MapLockStepTest.<NavigableSet<String>>requireLockStep(
          ours,
          new ConcurrentSkipListSet<>(),
          (view, set, a) -> SET_VIEWS.get(view % SET_VIEWS.size()).on(set, a),
          (call, set, a) -> calls.get(call % calls.size()).on(set, a));
    }
  }

  /// A call or a view that is chosen by a number, whatever its size.
  @FunctionalInterface
  private interface Chosen<T> {
    @Nullable Object on(int choice, T target, Arguments arguments);
  }

  /// Makes the same calls on views of both, and asks for the same outcomes.
  private static <T> void requireLockStep(T ours, T theirs, Chosen<T> views, Chosen<T> calls) {
    long seed = Long.getLong("varve.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    for (int step = 0; step < STEPS; step++) {
      var both =
          views(
              ours,
              theirs,
              random,
              a -> {
                int view = random.nextInt(Integer.MAX_VALUE);
                return target -> () -> views.on(view, target, a);
              });
      if (both == null) {
        continue;
      }
      Arguments a = arguments(random);
      int call = random.nextInt(Integer.MAX_VALUE);
      Object theirOutcome = outcome(() -> calls.on(call, both.get(1), a));
      assertThat(outcome(() -> calls.on(call, both.get(0), a)))
          .as("seed=%d step=%d call=%d %s on a view of %s", seed, step, call, a, both.get(1))
          .isEqualTo(theirOutcome);
      assertThat(ours.toString())
          .as("seed=%d step=%d call=%d", seed, step, call)
          .isEqualTo(theirs.toString());
    }
  }
}
