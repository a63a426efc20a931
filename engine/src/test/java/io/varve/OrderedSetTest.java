package io.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.testing.NavigableSetTestSuiteBuilder;
import com.google.common.collect.testing.SpliteratorTester;
import com.google.common.collect.testing.TestStringSortedSetGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.SetFeature;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.SortedSet;
import java.util.Spliterator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import junit.framework.TestSuite;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Spaces as sets: what the JDK promises of them, by Guava's suite, and what is particular to them.
class OrderedSetTest {
  /// The suite has 1,700 tests; far fewer would mean that it was not put together right.
  private static final int TEST_COUNT_MIN = 1500;

  /// More sets than any test of the suite has at a time; each new one takes the space of the
  /// oldest.
  private static final int SPACE_COUNT = 16;

  private final Store store = Store.inMemory();
  private int setCount;

  @AfterEach
  void storeIsSound() {
    store.verify().requireSound();
    store.close();
  }

  @Test
  void setAndViewsDoWhatTheirInterfacesPromise() {
    assertThat(GuavaSuite.requirePasses(suite("set", Codec.string())))
        .isGreaterThan(TEST_COUNT_MIN);
  }

  /// A codec whose order is not the natural one: views and spliterators must return it.
  @Test
  void setInAnotherOrderThanTheNaturalOne() {
    assertThat(GuavaSuite.requirePasses(suite("backwards set", backwards())))
        .isGreaterThan(TEST_COUNT_MIN);
  }

  /// Strings backwards, for strings of ASCII that end in no 0xff.
  private static Codec<String> backwards() {
    return Codec.of(
        text -> complement(Codec.string().encode(text + "\u0000")),
        bytes -> Codec.string().decode(complement(Arrays.copyOf(bytes, bytes.length - 1))));
  }

  private static byte[] complement(byte[] bytes) {
    byte[] complement = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      complement[i] = (byte) ~bytes[i];
    }
    return complement;
  }

  private TestSuite suite(String name, Codec<String> elements) {
    return NavigableSetTestSuiteBuilder.using(new Generator(elements))
        .named(name)
        .withFeatures(
            SetFeature.GENERAL_PURPOSE,
            CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
            CollectionFeature.KNOWN_ORDER,
            CollectionSize.ANY)
        .createTestSuite();
  }

  private final class Generator extends TestStringSortedSetGenerator {
    private final Codec<String> codec;
    private final Comparator<? super String> order;

    Generator(Codec<String> codec) {
      this.codec = codec;
      this.order = Objects.requireNonNull(codec.comparator());
    }

    @Override
    protected SortedSet<String> create(String[] elements) {
      OrderedSet<String> set = store.set("set" + setCount++ % SPACE_COUNT, codec);
      set.clear();
      set.addAll(Arrays.asList(elements));
      return set;
    }

    @Override
    public List<String> order(List<String> inserted) {
      inserted.sort(order);
      return inserted;
    }

    @Override
    public String belowSamplesLesser() {
      return isBackwards() ? super.aboveSamplesGreater() : super.belowSamplesLesser();
    }

    @Override
    public String belowSamplesGreater() {
      return isBackwards() ? super.aboveSamplesLesser() : super.belowSamplesGreater();
    }

    @Override
    public String aboveSamplesLesser() {
      return isBackwards() ? super.belowSamplesGreater() : super.aboveSamplesLesser();
    }

    @Override
    public String aboveSamplesGreater() {
      return isBackwards() ? super.belowSamplesLesser() : super.aboveSamplesGreater();
    }

    private boolean isBackwards() {
      return order.compare("a", "b") > 0;
    }
  }

  private OrderedSet<Integer> numbers(int count) {
    OrderedSet<Integer> set = store.set("numbers", Codec.int32());
    set.addAll(IntStream.range(0, count).boxed().toList());
    return set;
  }

  @Test
  void spliteratorsSplitInOrderAndMeetEachElementOnce() {
    OrderedSet<Integer> set = numbers(5000);
    requireSplits(set, Comparator.naturalOrder());
    requireSplits(set.descendingSet(), Comparator.reverseOrder());
    requireSplits(set.subSet(100, false, 4000, true), Comparator.naturalOrder());
    assertThat(set.parallelStream().mapToInt(i -> i).sum()).isEqualTo(4999 * 2500);
  }

  private static void requireSplits(NavigableSet<Integer> set, Comparator<Integer> order) {
    Deque<Spliterator<Integer>> parts = new ArrayDeque<>();
    List<Integer> met = new ArrayList<>();
    int splits = 0;
    parts.push(set.spliterator());
    while (!parts.isEmpty()) {
      Spliterator<Integer> part = parts.pop();
      assertThat(part.hasCharacteristics(Spliterator.SORTED | Spliterator.DISTINCT)).isTrue();
      Spliterator<Integer> before = part.trySplit();
      if (before == null) {
        part.forEachRemaining(met::add);
      } else {
        splits++;
        parts.push(part);
        parts.push(before);
      }
    }
    assertThat(splits).isPositive();
    assertThat(met).containsExactlyElementsOf(set).isSortedAccordingTo(order);
  }

  @Test
  void spliteratorsKeepTheirContract() {
    OrderedSet<Integer> set = numbers(1000);
    SpliteratorTester.of(set::spliterator)
        .expect(IntStream.range(0, 1000).boxed().toList())
        .inOrder();
  }

  @Test
  void manyElementsAreAddedByOneCommit() {
    OrderedSet<Integer> set = numbers(10);
    long before = store.statistics().commits().applied();
    assertThat(set.addAll(List.of(9, 10, 11))).isTrue();
    assertThat(store.statistics().commits().applied()).isEqualTo(before + 1);
    assertThat(set.addAll(List.of(9, 10, 11))).isFalse();
    assertThat(set.addAll(List.of())).isFalse();
    assertThat(store.statistics().commits().applied()).isEqualTo(before + 1);
    assertThat(set).hasSize(12);
  }

  @Test
  void nothingIsAddedIfOneElementIsOutsideOfTheView() {
    OrderedSet<Integer> set = numbers(10);
    assertThatThrownBy(() -> set.headSet(20).addAll(List.of(15, 25)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(set).hasSize(10);
  }

  /// The keys of a map are a set, whatever their values are.
  @Test
  void valuesThatAreThereAreLeftAlone() {
    OrderedMap<String, Long> stock = store.map("stock", Codec.string(), Codec.int64());
    stock.put("apples", 7L);
    OrderedSet<String> names = store.set("stock", Codec.string());
    assertThat(names).containsExactly("apples");
    assertThat(names.add("apples")).isFalse();
    assertThat(names.addAll(List.of("apples"))).isFalse();
    assertThat(stock.get("apples")).isEqualTo(7L);
    assertThat(names.pollFirst()).isEqualTo("apples");
    assertThat(stock).isEmpty();
  }

  @Test
  void anElementIsAddedByOneThreadAlone() throws InterruptedException {
    OrderedSet<Integer> set = store.set("numbers", Codec.int32());
    AtomicInteger added = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          Thread.startVirtualThread(() -> {
            for (int element = 0; element < 500; element++) {
              if (set.add(element)) {
                added.incrementAndGet();
              }
            }
          }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(added).hasValue(500);
    assertThat(set).hasSize(500);
  }
}
