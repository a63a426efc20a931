package io.varve.cache.internal.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HeapEndsTest {
  private final HeapEnds<Integer> ends = new HeapEnds<>(this::endOf);
  private final Map<Integer, Long> entries = new HashMap<>();
  private final AtomicInteger looks = new AtomicInteger();

  private void put(int key, long end) {
    Long before = entries.put(key, end);
    ends.moved(key, before == null ? Held.NEVER : before, end);
  }

  private void remove(int key) {
    Long before = entries.remove(key);
    ends.removed(key, before == null ? Held.NEVER : before);
  }

  private long endOf(int key) {
    looks.incrementAndGet();
    return entries.getOrDefault(key, HeapEnds.NONE);
  }

  private Set<Integer> due(long now) {
    return new HashSet<>(ends.due(now));
  }

  /// Guards against a purge that looks through all entries.
  @Test
  void whoAsksLooksAtWhatIsDueAlone() {
    for (int key = 0; key < 10_000; key++) {
      put(key, key < 3 ? 5_000 : 3_600_000 + key);
    }
    assertThat(due(6_000)).containsExactlyInAnyOrder(0, 1, 2);
    assertThat(looks).hasValue(3);
  }

  /// Guards against notes that stay forever, and entries that no thread finds any more.
  @Test
  void anEntryIsFoundWhenItsNewestEndHasCome() {
    put(1, 5_000);
    put(1, 90_000);
    assertThat(due(60_000)).isEmpty();
    assertThat(due(60_000)).isEmpty();
    assertThat(looks).hasValue(1);
    put(1, 70_000);
    assertThat(due(75_000)).containsExactly(1);
    remove(1);
    assertThat(due(100_000)).isEmpty();
    assertThat(due(100_000)).isEmpty();
    assertThat(looks).hasValueLessThanOrEqualTo(3);
  }

  /// Guards against notes that stay when entries go that were used, and so lived longer.
  @Test
  void notesAreBoundedByEntries() {
    for (int key = 0; key < 300_000; key++) {
      put(key, 86_400_000L + key);
      put(key, 90_000_000L + key);
      if (key >= 1_000) {
        remove(key - 1_000);
      }
    }
    assertThat(ends.notes()).isLessThan(2 * entries.size() + 16 * 130);
    assertThat(due(100_000_000L)).isEqualTo(entries.keySet());
  }

  /// Guards against a note for each time that an entry was given an earlier end.
  @Test
  void anEntryThatIsPutWithOtherEndsHasFewNotes() {
    for (long time = 0; time < 40_000_000; time += 1_000) {
      put(1, time + 86_400_000);
      put(1, time + 40_000_000);
    }
    assertThat(ends.notes()).isLessThan(200);
    assertThat(due(200_000_000)).containsExactly(1);
  }

  @Test
  void agreesWithALookThroughAll() {
    long seed = 39;
    var random = new SplittableRandom(seed);
    long now = 0;
    for (int step = 0; step < 20_000; step++) {
      now += random.nextInt(100);
      int key = random.nextInt(200);
      switch (random.nextInt(4)) {
        case 0, 1 -> put(key, random.nextInt(8) == 0 ? Held.NEVER : now + random.nextInt(9_000));
        case 2 -> remove(key);
        default -> {
          Set<Integer> expected = new HashSet<>();
          for (Map.Entry<Integer, Long> entry : entries.entrySet()) {
            if (entry.getValue() <= now) {
              expected.add(entry.getKey());
            }
          }
          Set<Integer> found = due(now);
          assertThat(found).as("seed=%d, step=%d", seed, step).isEqualTo(expected);
          found.forEach(this::remove);
        }
      }
    }
  }
}
