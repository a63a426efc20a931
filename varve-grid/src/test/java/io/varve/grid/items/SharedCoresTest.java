package io.varve.grid.items;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Store;
import io.varve.item.Item;
import io.varve.item.ItemSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Requests run on virtual threads, of which as many run as there are cores until they wait. A few
/// that read large prefixes had all others wait for some tens of seconds.
@Timeout(120)
class SharedCoresTest {
  private static final int ITEMS = 200_000;

  private static <T> T byVirtualThread(FutureTask<T> task) throws Exception {
    Thread.ofVirtual().start(task);
    return task.get(60, TimeUnit.SECONDS);
  }

  @Test
  void readsOfLargePrefixesHaveOthersRun() throws Exception {
    try (Store store = Store.inMemory()) {
      ItemSpace items = store.items("large");
      for (long at = 0; at < ITEMS; at++) {
        items.insert(Item.of("all", at));
      }
      items.commit();
      assertThat(PrefixFigures.of(items, Item.of("all")).items()).isEqualTo(ITEMS); // loads classes
      var ended = new AtomicInteger();
      List<FutureTask<Long>> reads = new ArrayList<>();
      for (int at = 0; at < 4 * Runtime.getRuntime().availableProcessors(); at++) {
        reads.add(
            new FutureTask<>(() -> {
              long found = PrefixFigures.of(items, Item.of("all")).items();
              ended.incrementAndGet();
              return found;
            }));
      }
      reads.forEach(read -> Thread.ofVirtual().start(read));
      int endedBefore = byVirtualThread(new FutureTask<>(ended::get));
      for (FutureTask<Long> read : reads) {
        assertThat(read.get(60, TimeUnit.SECONDS)).isEqualTo(ITEMS);
      }
      assertThat(endedBefore)
          .as("it had a turn before most of those that began earlier ended")
          .isLessThan(reads.size() / 2);
    }
  }

  @Test
  void workThatTakesMuchMemoryIsNotThatOfAVirtualThread() throws Exception {
    var budget = new MemoryBudget(2 * MemoryBudget.LARGE_BYTES);
    assertThat(
            byVirtualThread(
                new FutureTask<>(() ->
                    budget.use(
                        MemoryBudget.LARGE_BYTES, () -> Thread.currentThread().isVirtual()))))
        .isFalse();
    assertThatThrownBy(() ->
            budget.use(
                MemoryBudget.LARGE_BYTES,
                () -> {
                  throw new IllegalArgumentException("no item");
                }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no item");
  }
}
