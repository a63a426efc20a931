package io.varve.internal.index;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.IndexedSpace;
import io.varve.IndexedSpace.IndexStatus;
import io.varve.ProgressListener;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.UniqueIndexException;
import io.varve.spi.SpaceIndex;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Builds of indexes that several threads want, or that fail.
class IndexBuildTest {
  private static final int ROWS = 3000;

  /// The whole value is indexed.
  private record Whole(String name, boolean isUnique) implements SpaceIndex {
    @Override
    public String id() {
      return "whole";
    }

    @Override
    public void prefixes(byte[] key, byte[] value, Consumer<byte[]> prefixes) {
      prefixes.accept(value);
    }

    @Override
    public int prefixBytes(byte[] indexEntry) {
      return indexEntry.length - 5;
    }
  }

  /// Rows of which the last two have one value, so that a build fails in its last part.
  private static IndexedSpace filled(Store store) {
    Space space = store.space("texts");
    for (int i = 0; i < ROWS; i++) {
      byte[] value = "%05d".formatted(Math.min(i, ROWS - 2)).getBytes(UTF_8);
      space.put("%05d".formatted(i).getBytes(UTF_8), value);
    }
    return store.indexed(space);
  }

  private static void keep(IndexedSpace indexed, ProgressListener listener, SpaceIndex... indexes) {
    indexed.keep(List.of(indexes), listener);
  }

  @Test
  void eachThreadThatWaitsForABuildLearnsOfTheViolation() {
    try (Store store = Store.inMemory()) {
      IndexedSpace indexed = filled(store);
      Whole unique = new Whole("whole", true);
      CompletableFuture<Void> other = new CompletableFuture<>();
      AtomicBoolean isStarted = new AtomicBoolean();
      ProgressListener startingAnother =
          (_, _) -> {
            if (isStarted.compareAndSet(false, true)) {
              Thread waiting = Thread.startVirtualThread(() -> complete(other, indexed, unique));
              while (waiting.getState() != Thread.State.WAITING && !other.isDone()) {
                Thread.onSpinWait();
              }
            }
          };
      assertThatThrownBy(() -> keep(indexed, startingAnother, unique))
          .isInstanceOf(UniqueIndexException.class);
      assertThatThrownBy(other::join)
          .hasCauseInstanceOf(UniqueIndexException.class)
          .cause()
          .isInstanceOfSatisfying(
              UniqueIndexException.class,
              refused -> assertThat(refused.index()).isEqualTo("whole"));
      assertThat(indexed.list()).isEmpty();
    }
  }

  private static void complete(
      CompletableFuture<Void> done, IndexedSpace indexed, SpaceIndex index) {
    try {
      keep(indexed, ProgressListener.none(), index);
      done.complete(null);
    } catch (RuntimeException | Error e) {
      done.completeExceptionally(e);
    }
  }

  @Test
  void aBuildThatFailsDropsItsOwnIndexThoughAnotherHasTheName() {
    try (Store store = Store.inMemory()) {
      IndexedSpace indexed = filled(store);
      ProgressListener replacing =
          (_, _) -> {
            if (indexed.rename("whole", "before")) {
              keep(indexed, ProgressListener.none(), new Whole("whole", false));
            }
          };
      AtomicBoolean isReplaced = new AtomicBoolean();
      ProgressListener once =
          (done, all) -> {
            if (isReplaced.compareAndSet(false, true)) {
              replacing.progress(done, all);
            }
          };
      assertThatThrownBy(() -> keep(indexed, once, new Whole("whole", true)))
          .isInstanceOf(UniqueIndexException.class);
      assertThat(indexed.list()).extracting(IndexStatus::name).containsExactly("whole");
      assertThat(indexed.list().getFirst().isBuilt()).isTrue();
      assertThat(indexed.verify("whole")).isEmpty();
    }
  }

  @Test
  void aProgressListenerThatKeepsTheIndexIsRefused() {
    try (Store store = Store.inMemory()) {
      IndexedSpace indexed = filled(store);
      Whole index = new Whole("whole", false);
      assertThatThrownBy(
              () -> keep(indexed, (_, _) -> keep(indexed, ProgressListener.none(), index), index))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("would wait for itself")
          .hasMessageContaining("whole")
          .hasMessageContaining("outside of the progress listener");
      keep(indexed, ProgressListener.none(), index);
      assertThat(indexed.verify("whole")).isEmpty();
    }
  }

  /// Guards a small heap: leaves of a part stay in memory until it is applied, and a part of 16,384
  /// entries in no order had as many. Now those of a part are next to each other.
  @Test
  void anIndexMuchLargerThanTheCacheIsBuiltAndVerifiedInItsOrder(@TempDir Path directory) {
    StoreOptions options =
        StoreOptions.defaults().cacheBytes(1 << 20).durability(Durability.BACKGROUND);
    try (Store store = Store.open(directory, options)) {
      Space space = store.space("texts");
      SplittableRandom random = new SplittableRandom(1);
      for (int i = 0; i < 20 * ROWS; i++) {
        byte[] value = "%05d".formatted(random.nextInt(100_000)).getBytes(UTF_8);
        space.put("%05d".formatted(i).getBytes(UTF_8), Arrays.copyOf(value, 100));
      }
      IndexedSpace indexed = store.indexed(space);
      long loads = store.statistics().cache().loads();
      List<Long> done = new ArrayList<>(List.of(0L));
      keep(indexed, (bytes, _) -> done.add(bytes), new Whole("whole", false));
      assertThat(done).isSorted();
      assertThat(done.getLast()).isGreaterThanOrEqualTo(20 * ROWS * 105L);
      long pages = (space.statistics().bytes() + indexed.list().getFirst().bytes()) / 4096;
      long built = store.statistics().cache().loads();
      assertThat(built - loads).isLessThan(6 * pages);
      assertThat(indexed.verify("whole")).isEmpty();
      assertThat(store.statistics().cache().loads() - built).isLessThan(pages);
    }
  }
}
