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
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Several indexes that are built by one pass over their space.
class IndexesBuiltTogetherTest {
  /// With the smallest cache, some runs of each index.
  private static final int ROWS = 5000;

  /// The value from an offset on, and which keys were asked for.
  private record Part(String name, boolean isUnique, int offset, List<String> asked)
      implements SpaceIndex {
    static final int BYTES = 4;

    static Part of(String name, int offset) {
      return new Part(name, false, offset, Collections.synchronizedList(new ArrayList<>()));
    }

    @Override
    public String id() {
      return "part/" + offset;
    }

    @Override
    public void prefixes(byte[] key, byte[] value, Consumer<byte[]> prefixes) {
      asked.add(new String(key, UTF_8));
      if (value.length < offset + BYTES) {
        throw new IllegalArgumentException("too short: index=" + name);
      }
      prefixes.accept(Arrays.copyOfRange(value, offset, offset + BYTES));
    }

    @Override
    public int prefixBytes(byte[] indexEntry) {
      return BYTES;
    }
  }

  private static byte[] key(int row) {
    return "%05d".formatted(row).getBytes(UTF_8);
  }

  private static IndexedSpace filled(Store store) {
    Space space = store.space("rows").with(Durability.BACKGROUND);
    for (int row = 0; row < ROWS; row++) {
      int number = (int) (row * 7919L % ROWS);
      space.put(key(row), "%04d%04d".formatted(number, ROWS - number).getBytes(UTF_8));
    }
    return store.indexed(space);
  }

  private static Store open() {
    return SimulatedStore.open(new SimulatedDisk(1), StoreOptions.defaults().cacheBytes(1 << 20));
  }

  private static void requireBuilt(IndexedSpace indexed, SpaceIndex... indexes) {
    for (SpaceIndex index : indexes) {
      assertThat(indexed.verify(index.name())).as(index.name()).isEmpty();
    }
    assertThat(indexed.list())
        .filteredOn(IndexStatus::isBuilt)
        .extracting(IndexStatus::name)
        .contains(Stream.of(indexes).map(SpaceIndex::name).toArray(String[]::new));
  }

  /// Each index read the space by a pass of its own.
  @Test
  void allIndexesAreGatheredByOnePass() {
    List<String> asked = new ArrayList<>();
    Part first = new Part("first", false, 0, asked);
    Part second = new Part("second", false, 4, asked);
    List<Long> done = new ArrayList<>(List.of(0L));
    try (Store store = open()) {
      IndexedSpace indexed = filled(store);
      indexed.keep(List.of(first, second), (bytes, _) -> done.add(bytes));
      assertThat(asked).hasSize(2 * ROWS);
      for (int row = 0; row < ROWS; row++) {
        String key = new String(key(row), UTF_8);
        assertThat(asked.subList(2 * row, 2 * row + 2)).containsOnly(key);
      }
      assertThat(done).isSorted().hasSizeGreaterThan(5);
      requireBuilt(indexed, first, second);
    }
  }

  /// (BUILD-5)
  @Test
  void anIndexThatIsContinuedWithNewOnesAsksForNoRowAgain() {
    Part first = Part.of("first", 0);
    Part second = Part.of("second", 4);
    try (Store store = open()) {
      IndexedSpace indexed = filled(store);
      assertThatThrownBy(() ->
              indexed.keep(
                  List.of(first),
                  (_, _) -> {
                    throw new IllegalStateException("by a test");
                  }))
          .hasMessage("by a test");
      int gathered = first.asked().size();
      assertThat(gathered).isBetween(1, ROWS - 1);
      indexed.keep(List.of(second, first), ProgressListener.none());
      assertThat(first.asked()).doesNotHaveDuplicates().hasSize(ROWS);
      assertThat(second.asked()).doesNotHaveDuplicates().hasSize(ROWS);
      requireBuilt(indexed, first, second);
    }
  }

  @Test
  void aDefinitionThatRefusesAnEntryKeepsNoOtherIndexFromBeingBuilt() {
    Part first = Part.of("first", 0);
    Part second = Part.of("second", 4);
    Part third = Part.of("third", 1);
    try (Store store = open()) {
      IndexedSpace indexed = filled(store);
      indexed.space().put(key(ROWS / 2), "1234".getBytes(UTF_8));
      Part shorter = Part.of("third", 0);
      assertThatThrownBy(
              () -> indexed.keep(List.of(first, second, shorter), ProgressListener.none()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("too short: index=second");
      requireBuilt(indexed, first, shorter);
      assertThat(indexed.list())
          .filteredOn(index -> !index.isBuilt())
          .extracting(IndexStatus::name)
          .containsExactly("second");
      indexed.drop("second");
      indexed.space().delete(key(ROWS / 2));
      indexed.keep(List.of(first, second, third), ProgressListener.none());
      requireBuilt(indexed, first, second, third);
    }
  }

  @Test
  void aUniqueIndexOfEqualValuesIsDroppedAloneAndTheOthersAreBuilt() {
    Part first = Part.of("first", 0);
    Part unique = new Part("unique", true, 4, Collections.synchronizedList(new ArrayList<>()));
    Part last = Part.of("last", 2);
    try (Store store = open()) {
      IndexedSpace indexed = filled(store);
      indexed.space().put(key(1), indexed.space().get(key(2)));
      assertThatThrownBy(() -> indexed.keep(List.of(first, unique, last), ProgressListener.none()))
          .isInstanceOf(UniqueIndexException.class);
      assertThat(indexed.list()).extracting(IndexStatus::name).containsExactly("first", "last");
      assertThat(last.asked()).doesNotHaveDuplicates();
      requireBuilt(indexed, first, last);
    }
  }

  /// The others stayed unfinished, and the message had the name of a space that no user knows.
  @Test
  void anIndexThatIsDroppedWhileItIsBuiltKeepsNoOtherFromBeingBuilt() {
    Part first = Part.of("first", 0);
    Part second = Part.of("second", 4);
    try (Store store = open()) {
      IndexedSpace indexed = filled(store);
      assertThatThrownBy(
              () -> indexed.keep(List.of(first, second), (_, _) -> indexed.drop("first")))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("the index was dropped while it was built");
      assertThat(indexed.list()).extracting(IndexStatus::name).containsExactly("second");
      requireBuilt(indexed, second);
    }
  }

  /// With a small cache and many entries each index has a pass of its own.
  @Test
  void aDefinitionThatRefusesAnEntryKeepsNoLaterPassFromBeginning() {
    Part first = Part.of("first", 0);
    Part second = Part.of("second", 4);
    try (Store store = open()) {
      IndexedSpace indexed = filled(store);
      store.transact(transaction -> {
        for (int row = ROWS; row < 8 * ROWS; row++) {
          transaction.put(indexed.space(), key(row), "12345678".getBytes(UTF_8));
        }
        transaction.put(indexed.space(), key(1), "1234567".getBytes(UTF_8));
      });
      assertThatThrownBy(() -> indexed.keep(List.of(second, first), ProgressListener.none()))
          .hasMessage("too short: index=second");
      requireBuilt(indexed, first);
    }
  }

  /// Each builds what the other does not, and then waits for it.
  @Test
  void threadsThatBuildSomeOfTheSameIndexesEnd() throws Exception {
    Part first = Part.of("first", 0);
    Part second = Part.of("second", 4);
    Part third = Part.of("third", 2);
    try (Store store = open()) {
      IndexedSpace indexed = filled(store);
      CompletableFuture<Void> other = new CompletableFuture<>();
      ProgressListener starting =
          (_, _) -> {
            if (third.asked().isEmpty()) {
              Thread.startVirtualThread(() -> {
                indexed.keep(List.of(second, third), ProgressListener.none());
                other.complete(null);
              });
              while (third.asked().isEmpty()) {
                Thread.onSpinWait();
              }
            }
          };
      indexed.keep(List.of(first, second), starting);
      other.get(1, TimeUnit.MINUTES);
      assertThat(second.asked()).doesNotHaveDuplicates();
      requireBuilt(indexed, first, second, third);
    }
  }

  @Test
  void whatEndsTheBuildsOfOtherIndexesIsSuppressedByTheFirst() {
    try (Store store = open()) {
      IndexedSpace indexed = filled(store);
      List<SpaceIndex> refusing = List.of(Part.of("one", 100), Part.of("two", 200));
      assertThatThrownBy(() -> indexed.keep(refusing, ProgressListener.none()))
          .hasMessageContaining("index=one")
          .satisfies(first ->
              assertThat(first.getSuppressed())
                  .singleElement()
                  .satisfies(other -> assertThat(other).hasMessageContaining("index=two")));
    }
  }

  /// Each row has the values of four others, some twice, so entries of all runs alternate.
  private record Several() implements SpaceIndex {
    @Override
    public String name() {
      return "several";
    }

    @Override
    public String id() {
      return "several";
    }

    @Override
    public boolean isUnique() {
      return false;
    }

    @Override
    public void prefixes(byte[] key, byte[] value, Consumer<byte[]> prefixes) {
      int number = Integer.parseInt(new String(value, 0, 4, UTF_8));
      for (int i = 0; i < 6; i++) {
        String text = "a long beginning of all " + (number + i % 4) % 50 + '.';
        prefixes.accept(text.getBytes(UTF_8));
      }
    }

    @Override
    public int prefixBytes(byte[] indexEntry) {
      return new String(indexEntry, UTF_8).indexOf('.') + 1;
    }
  }

  @Test
  void entriesThatManyRunsShareBeginningsOfAreMergedEachOnce() {
    try (Store store = open()) {
      IndexedSpace indexed = filled(store);
      indexed.keep(List.of(new Several()), ProgressListener.none());
      assertThat(indexed.list().getFirst().entries()).isEqualTo(4 * ROWS);
      assertThat(indexed.verify("several")).isEmpty();
    }
  }
}
