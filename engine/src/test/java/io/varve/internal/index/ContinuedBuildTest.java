package io.varve.internal.index;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.CorruptStoreException;
import io.varve.IndexedSpace.IndexStatus;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.internal.index.IndexedTexts.Words;
import io.varve.internal.txn.IndexWorkspace;
import io.varve.internal.txn.LiveSpace;
import io.varve.internal.txn.StoreTransaction;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// A build of an index that continues what another one has left.
class ContinuedBuildTest {
  /// More than one run of the smallest cache holds.
  private static final int ROWS = 4000;

  /// With a block of each, more than an eighth of the smallest cache.
  private static final int RUNS = 40;

  private static final Words WORDS = Words.of("words");

  private static SpaceIndexes filled(Store store) {
    Space space = store.space("texts");
    for (int i = 0; i < ROWS; i++) {
      space.put("%05d".formatted(i).getBytes(UTF_8), "word%d".formatted(i).getBytes(UTF_8));
    }
    return (SpaceIndexes) store.indexed(space);
  }

  private static void gatherOneRun(SpaceIndexes indexed) {
    assertThatThrownBy(() ->
            indexed.keep(
                List.of(WORDS),
                (_, _) -> {
                  throw new IllegalStateException("by a test");
                }))
        .hasMessage("by a test");
  }

  private static LiveSpace workspace(SpaceIndexes indexed) {
    LiveSpace entries =
        Objects.requireNonNull(indexed.registry().entries(indexed.space(), WORDS.name()));
    return indexed.registry().workspace(entries);
  }

  /// Has the workspace look as a build with a larger cache leaves it.
  private static void addRuns(LiveSpace workspace, int runs) {
    byte[] noted = Objects.requireNonNull(workspace.get(IndexWorkspace.progress()));
    BuildProgress progress = BuildProgress.of(noted);
    byte[] block = Objects.requireNonNull(workspace.get(IndexWorkspace.block(0, 0)));
    try (var transaction = (StoreTransaction) workspace.store().begin()) {
      for (int run = progress.runs(); run < runs; run++) {
        transaction.write(workspace, IndexWorkspace.block(run, 0), block);
      }
      byte[] more = new BuildProgress(runs, progress.next(), null).bytes();
      transaction.write(workspace, IndexWorkspace.progress(), more);
      transaction.commit();
    }
  }

  /// The id of the workspace that a build uses which continues one of so many runs.
  private static int idOfContinued(SpaceIndexes indexed) {
    AtomicInteger id = new AtomicInteger();
    indexed.keep(
        List.of(WORDS),
        (done, all) -> {
          if (done < all) {
            id.set(workspace(indexed).core().id());
          }
        });
    assertThat(indexed.list()).extracting(IndexStatus::entries).containsExactly((long) ROWS);
    assertThat(indexed.verify(WORDS.name())).isEmpty();
    return id.get();
  }

  private static Store open() {
    return SimulatedStore.open(new SimulatedDisk(1), StoreOptions.defaults().cacheBytes(1 << 20));
  }

  @Test
  void aBuildContinuesWithRunsThatFitItsCache() {
    try (Store store = open()) {
      SpaceIndexes indexed = filled(store);
      gatherOneRun(indexed);
      int id = workspace(indexed).core().id();
      assertThat(idOfContinued(indexed)).isEqualTo(id);
    }
  }

  /// A block of each run was held in memory, whatever the cache was by then.
  @Test
  void aBuildBeginsAgainWhereItsCacheIsTooSmallForTheRuns() {
    try (Store store = open()) {
      SpaceIndexes indexed = filled(store);
      gatherOneRun(indexed);
      LiveSpace workspace = workspace(indexed);
      addRuns(workspace, RUNS);
      assertThat(idOfContinued(indexed)).isNotEqualTo(workspace.core().id());
    }
  }

  private static void set(LiveSpace workspace, byte[] key, byte[] value) {
    try (var transaction = (StoreTransaction) workspace.store().begin()) {
      transaction.write(workspace, key, value);
      transaction.commit();
    }
  }

  private static byte[] bytes(int... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * numbers.length);
    for (int number : numbers) {
      bytes.putInt(number);
    }
    return bytes.array();
  }

  /// Lengths were trusted: they ended builds with no memory, out of bounds, or never.
  @Test
  void workspacesThatMakeNoSenseAreRefused() {
    List<byte[]> progresses =
        List.of(
            new byte[0],
            bytes(1, -1),
            bytes(-1, -1, -1),
            bytes(Integer.MAX_VALUE, -1, -1),
            bytes(1, -2, -1),
            bytes(1, Integer.MAX_VALUE, -1),
            bytes(1, -1, Integer.MIN_VALUE),
            bytes(1, -1, 5),
            bytes(1, -1, -1, 0));
    List<byte[]> blocks =
        List.of(
            new byte[0],
            new byte[3],
            bytes(0x0001_fffc),
            bytes(0x0001_0005, 0),
            bytes(0x0005_0004, 0),
            bytes(0xffff_0004, 0));
    try (Store store = open()) {
      SpaceIndexes indexed = filled(store);
      for (byte[] progress : progresses) {
        refused(indexed, IndexWorkspace.progress(), progress);
      }
      for (byte[] block : blocks) {
        refused(indexed, IndexWorkspace.block(0, 0), block);
      }
      indexed.keep(List.of(WORDS), (_, _) -> {});
      assertThat(indexed.verify(WORDS.name())).isEmpty();
    }
  }

  private static void refused(SpaceIndexes indexed, byte[] key, byte[] value) {
    gatherOneRun(indexed);
    set(workspace(indexed), key, value);
    assertThatThrownBy(() -> indexed.keep(List.of(WORDS), (_, _) -> {}))
        .as(Arrays.toString(value))
        .isInstanceOf(CorruptStoreException.class)
        .hasMessageContaining("space=texts, index=words");
    indexed.drop(WORDS.name());
  }
}
