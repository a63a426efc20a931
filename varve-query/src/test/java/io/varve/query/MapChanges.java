package io.varve.query;

import java.util.Iterator;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentMap;

/// Random changes of a map of samples, by all its calls.
final class MapChanges {
  private static final int KEYS = 200;

  private final ConcurrentMap<Long, Sample> map;
  private final Random random;
  private final boolean hasWritableEntries;

  MapChanges(ConcurrentMap<Long, Sample> map, Random random, boolean hasWritableEntries) {
    this.map = map;
    this.random = random;
    this.hasWritableEntries = hasWritableEntries;
  }

  private long key() {
    return random.nextInt(KEYS);
  }

  private Sample sample() {
    return Sample.of(random.nextInt(300));
  }

  void one() {
    long key = key();
    switch (random.nextInt(24)) {
      case 0, 1, 2, 3, 4 -> map.put(key, sample());
      case 5 -> map.putAll(Map.of(key, sample(), KEYS + key, sample()));
      case 6, 7 -> map.putIfAbsent(key, sample());
      case 8 -> map.compute(key, (_, before) -> random.nextBoolean() ? sample() : before);
      case 9 -> map.compute(key, (_, before) -> before == null ? sample() : null);
      case 10 -> map.computeIfAbsent(key, _ -> random.nextBoolean() ? sample() : null);
      case 11 -> map.computeIfPresent(key, (_, _) -> random.nextBoolean() ? sample() : null);
      case 12 -> map.merge(key, sample(), (_, after) -> random.nextBoolean() ? after : null);
      case 13 -> map.replace(key, sample());
      case 14 -> map.replace(key, map.getOrDefault(key, Sample.of(0)), sample());
      case 15 -> map.remove(KEYS + key);
      case 16 -> map.remove(key, map.getOrDefault(key, sample()));
      case 17 -> map.keySet().remove(key);
      case 18 -> map.values().remove(map.getOrDefault(key, sample()));
      case 19 -> map.entrySet().remove(Map.entry(key, map.getOrDefault(key, sample())));
      default -> rare(key);
    }
  }

  private void rare(long key) {
    switch (random.nextInt(40)) {
      case 0 -> map.clear();
      case 1 -> map.keySet().removeIf(each -> each % 3 == key % 3);
      case 2 -> map.values().removeIf(each -> each.number() % 3 == key % 3);
      case 3 -> map.keySet().retainAll(map.keySet().stream().filter(it -> it > 30).toList());
      case 4 -> map.replaceAll((_, before) -> Sample.of((before.number() + 1) % 300));
      case 5, 6, 7, 8 -> iterate();
      default -> map.remove(key);
    }
  }

  private void iterate() {
    Iterator<Map.Entry<Long, Sample>> entries = map.entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<Long, Sample> entry = entries.next();
      switch (random.nextInt(40)) {
        case 0 -> entries.remove();
        case 1 -> {
          if (hasWritableEntries) {
            entry.setValue(sample());
          }
        }
        default -> {}
      }
    }
  }
}
