package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.OrderedMap;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// The calls of a map, most of which a map of the JDK answers likewise.
final class MapCalls extends InterfaceCalls {
  MapCalls() {
    addMapReads();
    addMapChanges();
    addMapViews();
    add(
        "OrderedMap.with(Durability)",
        c ->
            c.onMaps((map, key) ->
                map instanceof OrderedMap<String, String> own
                    ? own.with(Durability.BACKGROUND).put(key, key)
                    : map.put(key, key)));
    add(
        "OrderedMap.async()",
        c ->
            c.onMaps((map, key) ->
                map instanceof OrderedMap<String, String> own
                    ? done(own.async().put(key, key))
                    : map.put(key, key)));
  }

  /// Adds a call that a map of the JDK answers likewise.
  private void addMap(
      String name,
      BiFunction<ConcurrentNavigableMap<String, String>, String, @Nullable Object> call) {
    add("OrderedMap." + name, c -> c.onMaps(call));
  }

  private void addMapReads() {
    addMap("ceilingEntry(Object)", (map, key) -> map.ceilingEntry(key));
    addMap("ceilingKey(Object)", (map, key) -> map.ceilingKey(key));
    add("OrderedMap.comparator()", c -> assertThat(c.map().comparator()).isNotNull());
    addMap("containsKey(Object)", (map, key) -> map.containsKey(key));
    addMap("containsValue(Object)", (map, key) -> map.containsValue(key + "!"));
    addMap("equals(Object)", (map, _) -> map.equals(Map.copyOf(map)));
    addMap("firstEntry()", (map, _) -> map.firstEntry());
    addMap("firstKey()", (map, _) -> map.firstKey());
    addMap("floorEntry(Object)", (map, key) -> map.floorEntry(key));
    addMap("floorKey(Object)", (map, key) -> map.floorKey(key));
    addMap(
        "forEach(BiConsumer)",
        (map, _) -> {
          StringBuilder all = new StringBuilder();
          map.forEach((key, value) -> all.append(key).append(value));
          return all.toString();
        });
    addMap("get(Object)", (map, key) -> map.get(key));
    addMap("getOrDefault(Object, Object)", (map, key) -> map.getOrDefault(key, "none"));
    addMap("hashCode()", (map, _) -> map.hashCode());
    addMap("higherEntry(Object)", (map, key) -> map.higherEntry(key));
    addMap("higherKey(Object)", (map, key) -> map.higherKey(key));
    addMap("isEmpty()", (map, _) -> map.isEmpty());
    addMap("lastEntry()", (map, _) -> map.lastEntry());
    addMap("lastKey()", (map, _) -> map.lastKey());
    addMap("lowerEntry(Object)", (map, key) -> map.lowerEntry(key));
    addMap("lowerKey(Object)", (map, key) -> map.lowerKey(key));
    addMap("size()", (map, _) -> map.size());
    add("OrderedMap.space()", c -> assertThat(c.map().space().store()).isSameAs(c.store));
  }

  @SuppressWarnings("DoNotCall") // putFirst and putLast, which must be refused
  private void addMapChanges() {
    addMap(
        "clear()",
        (map, key) -> {
          if (key.hashCode() % 8 == 0) { // or it would be empty most of the time
            map.clear();
          }
          return map.size();
        });
    addMap("compute(Object, BiFunction)", (map, key) -> map.compute(key, (_, old) -> old + "."));
    addMap(
        "computeIfAbsent(Object, Function)",
        (map, key) -> map.computeIfAbsent(key, absent -> absent + "!"));
    addMap(
        "computeIfPresent(Object, BiFunction)",
        (map, key) -> map.computeIfPresent(key, (_, old) -> old.length() > 20 ? null : old + "-"));
    addMap(
        "merge(Object, Object, BiFunction)",
        (map, key) -> map.merge(key, "+", (old, added) -> old.length() > 20 ? null : old + added));
    addMap("pollFirstEntry()", (map, _) -> map.pollFirstEntry());
    addMap("pollLastEntry()", (map, _) -> map.pollLastEntry());
    addMap("put(Object, Object)", (map, key) -> map.put(key, key));
    addMap(
        "putAll(Map)",
        (map, key) -> {
          map.putAll(Map.of(key, "all", key + "a", "all", key + "b", "all"));
          return map.size();
        });
    addMap("putFirst(Object, Object)", (map, key) -> map.putFirst(key, key));
    addMap("putIfAbsent(Object, Object)", (map, key) -> map.putIfAbsent(key, key));
    addMap("putLast(Object, Object)", (map, key) -> map.putLast(key, key));
    addMap("remove(Object)", (map, key) -> map.remove(key));
    addMap("remove(Object, Object)", (map, key) -> map.remove(key, key));
    addMap("replace(Object, Object)", (map, key) -> map.replace(key, key + "r"));
    addMap("replace(Object, Object, Object)", (map, key) -> map.replace(key, key, key + "s"));
    addMap(
        "replaceAll(BiFunction)",
        (map, _) -> {
          map.replaceAll((key, _) -> key);
          return map.size();
        });
  }

  private void addMapViews() {
    addMap("descendingKeySet()", (map, _) -> map.descendingKeySet());
    addMap("descendingMap()", (map, _) -> map.descendingMap());
    addMap("entrySet()", (map, _) -> map.entrySet());
    addMap("headMap(Object)", (map, key) -> map.headMap(key));
    addMap("headMap(Object, boolean)", (map, key) -> map.headMap(key, true));
    addMap("keySet()", (map, _) -> map.keySet());
    addMap("navigableKeySet()", (map, _) -> map.navigableKeySet());
    addMap("reversed()", (map, _) -> map.reversed());
    addMap("sequencedEntrySet()", (map, _) -> map.sequencedEntrySet());
    addMap("sequencedKeySet()", (map, _) -> map.sequencedKeySet());
    addMap("sequencedValues()", (map, _) -> map.sequencedValues());
    addMap("subMap(Object, Object)", (map, key) -> map.subMap(key, key + "~"));
    addMap(
        "subMap(Object, boolean, Object, boolean)",
        (map, key) -> map.subMap(key, false, key + "~", true));
    addMap("tailMap(Object)", (map, key) -> map.tailMap(key));
    addMap("tailMap(Object, boolean)", (map, key) -> map.tailMap(key, false));
    addMap("values()", (map, _) -> map.values());
  }
}
