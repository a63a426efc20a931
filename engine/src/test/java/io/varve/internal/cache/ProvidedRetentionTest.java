package io.varve.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.PageRetention;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.lock.StoreLocks;
import io.varve.internal.page.Extent;
import io.varve.internal.page.Leaf;
import io.varve.spi.RetainedPage;
import io.varve.spi.RetentionPolicy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A policy of a program: it receives all that happens and is obeyed, and whatever it does,
/// accounts, budget and pages are right.
class ProvidedRetentionTest {
  private static final int PAGE_BYTES = 1000;
  private static final int WEIGHT = PAGE_BYTES + 96;
  private static final int PAGES_MAX = 50;

  /// What a policy can do wrong.
  private enum Fault {
    NONE,
    THROWS_IN_BUDGET,
    THROWS_IN_ADDED,
    THROWS_IN_USED,
    THROWS_IN_REMOVED,
    THROWS_IN_NEXT,
    ENDS_WITH_AN_ERROR,
    NAMES_NONE,
    NAMES_ONE_THAT_LEFT,
    NAMES_ONE_OF_ITS_OWN,
    NAMES_ONE_OF_ANOTHER_CACHE
  }

  /// The page that came last leaves first, until the fault.
  private static final class Faulty implements RetentionPolicy {
    final Fault fault;

    /// After so many calls the fault happens.
    final int good;

    final Deque<RetainedPage> pages = new ArrayDeque<>();
    final List<Boolean> passing = new ArrayList<>();
    final List<RetainedPage> uses = new ArrayList<>();
    long budget;
    int calls;
    int callsAtFault = Integer.MAX_VALUE;
    @Nullable RetainedPage left;

    Faulty(Fault fault, int good) {
      this.fault = fault;
      this.good = good;
    }

    private void call(Fault inThis) {
      calls++;
      if (fails(inThis)) {
        throw new IllegalStateException("a fault: " + inThis);
      }
    }

    private boolean fails(Fault inThis) {
      if (fault != inThis || calls <= good) {
        return false;
      }
      callsAtFault = Math.min(callsAtFault, calls);
      return true;
    }

    @Override
    public void budget(long bytesMax) {
      call(Fault.THROWS_IN_BUDGET);
      budget = bytesMax;
    }

    @Override
    public void added(RetainedPage page, boolean isPassing) {
      call(Fault.THROWS_IN_ADDED);
      assertThat(pages).doesNotContain(page);
      pages.addLast(page);
      passing.add(isPassing);
    }

    @Override
    public void used(RetainedPage page) {
      call(Fault.THROWS_IN_USED);
      uses.add(page);
    }

    @Override
    public void removed(RetainedPage page) {
      call(Fault.THROWS_IN_REMOVED);
      assertThat(pages.remove(page)).as("was added and not removed").isTrue();
      left = page;
    }

    @Override
    public @Nullable RetainedPage next() {
      call(Fault.THROWS_IN_NEXT);
      if (fails(Fault.ENDS_WITH_AN_ERROR)) {
        throw new StackOverflowError("a fault");
      } else if (fails(Fault.NAMES_NONE)) {
        return null;
      } else if (left != null && fails(Fault.NAMES_ONE_THAT_LEFT)) {
        return left;
      } else if (fails(Fault.NAMES_ONE_OF_ITS_OWN)) {
        return new OwnPage();
      } else if (fails(Fault.NAMES_ONE_OF_ANOTHER_CACHE)) {
        return ofAnotherCache();
      }
      return pages.getLast();
    }

    private static RetainedPage ofAnotherCache() {
      Faulty other = new Faulty(Fault.NONE, 0);
      with(other).read(new Leaf(Extent.of(64, 100), 1, 1), false);
      return other.pages.getLast();
    }
  }

  /// A page that fails every caller that asks it.
  private static final class OwnPage implements RetainedPage {
    @Override
    public long id() {
      throw new IllegalStateException("asked");
    }

    @Override
    public int bytes() {
      throw new IllegalStateException("asked");
    }

    @Override
    public int hashCode() {
      throw new IllegalStateException("asked");
    }

    @Override
    public boolean equals(@Nullable Object other) {
      throw new IllegalStateException("asked");
    }
  }

  /// Notes which threads are made, which do nothing.
  private static final class CountedThreads implements StoreThreads {
    final List<String> made = new ArrayList<>();

    @Override
    public Thread newThread(String name, Runnable work) {
      made.add(name);
      return new Thread(() -> {}, name);
    }

    @Override
    public boolean callerMayServe() {
      return true;
    }
  }

  private PageCache cache = cacheOf(new Faulty(Fault.NONE, 0));
  private int made;

  private static PageCache cacheOf(RetentionPolicy policy) {
    return new PageCache(
        new StoreLocks(), PageRetention.of("faulty", () -> policy), (long) PAGES_MAX * WEIGHT, 1);
  }

  private static ProvidedRetentionTest with(RetentionPolicy policy) {
    ProvidedRetentionTest test = new ProvidedRetentionTest();
    test.cache = cacheOf(policy);
    return test;
  }

  private void read(Leaf leaf, boolean passing) {
    if (leaf.page() == null) {
      leaf.page(new byte[PAGE_BYTES]);
      cache.admit(leaf, passing);
    } else {
      cache.used(leaf);
    }
  }

  private List<Leaf> references(int count) {
    List<Leaf> leaves = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      made++;
      leaves.add(new Leaf(Extent.of(64 + made, 100), made, 1));
    }
    return leaves;
  }

  private static List<Leaf> inMemory(List<Leaf> leaves) {
    return leaves.stream().filter(Leaf::isInMemory).toList();
  }

  @Test
  void thePolicyIsAskedForAllAndObeyed() {
    Faulty policy = new Faulty(Fault.NONE, 0);
    ProvidedRetentionTest test = with(policy);
    List<Leaf> leaves = test.references(PAGES_MAX + 10);
    leaves.forEach(leaf -> test.read(leaf, true));
    // The page that came last leaves first, itself included.
    assertThat(inMemory(leaves)).isEqualTo(leaves.subList(0, PAGES_MAX));
    assertThat(policy.budget).isEqualTo(PAGES_MAX * WEIGHT);
    assertThat(policy.passing).hasSize(PAGES_MAX + 10).doesNotContain(false);
    assertThat(policy.pages).hasSize(PAGES_MAX).allMatch(page -> page.bytes() == WEIGHT);

    Leaf first = leaves.getFirst();
    RetainedPage page = policy.pages.getFirst();
    test.read(first, false);
    assertThat(policy.uses).containsExactly(page);
    test.cache.forget(first);
    assertThat(policy.pages).doesNotContain(page).hasSize(PAGES_MAX - 1);

    test.read(first, false);
    RetainedPage again = policy.pages.getLast();
    assertThat(again).as("another stay").isNotEqualTo(page);
    assertThat(again.id()).as("of the same page").isEqualTo(page.id());
  }

  /// A policy that returns that any leaf may leave has not failed.
  @Test
  void wherePolicyNamesNoneTheFirstThatCameLeaves() {
    Faulty policy = new Faulty(Fault.NAMES_NONE, 0);
    ProvidedRetentionTest test = with(policy);
    List<Leaf> leaves = test.references(PAGES_MAX + 10);
    leaves.forEach(leaf -> test.read(leaf, false));
    assertThat(inMemory(leaves)).isEqualTo(leaves.subList(10, PAGES_MAX + 10));
    assertThat(policy.pages).hasSize(PAGES_MAX);
  }

  /// Whatever is read, made dirty, written and retired, in any order, whatever the policy does, and
  /// whenever.
  @Property(tries = 200)
  void accountsHoldWhateverThePolicyDoes(@ForAll long seed, @ForAll Fault fault) {
    SplittableRandom random = new SplittableRandom(seed);
    Faulty policy = new Faulty(fault, random.nextInt(500));
    ProvidedRetentionTest test = with(policy);
    List<Leaf> leaves = test.references(3 * PAGES_MAX);
    long dirty = 0;
    long withheld = 0;
    for (int i = 0; i < 2000; i++) {
      int at = random.nextInt(leaves.size());
      switch (random.nextInt(20)) {
        case 0, 1 -> {
          long bytes = random.nextInt(PAGES_MAX * WEIGHT / 20);
          test.cache.dirty(bytes);
          dirty += bytes;
        }
        case 2, 3 -> {
          test.cache.dirty(-dirty);
          dirty = 0;
        }
        case 4 -> test.cache.forget(leaves.get(at));
        case 5 -> {
          test.cache.endWithholding(withheld);
          withheld = random.nextInt(PAGES_MAX * WEIGHT);
          test.cache.withhold(withheld);
        }
        default -> test.read(leaves.get(random.nextBoolean() ? at : at / 10), at % 7 == 0);
      }
      int here = inMemory(leaves).size();
      assertThat(test.cache.bytes()).isEqualTo(dirty + here * (long) WEIGHT);
      assertThat(test.cache.bytes()).isLessThanOrEqualTo(Math.max(dirty, test.cache.bytesMax()));
    }
    if (fault == Fault.NONE) {
      assertThat(policy.pages).hasSameSizeAs(inMemory(leaves));
    } else if (fault != Fault.NAMES_NONE) {
      assertThat(policy.calls).as("no calls after the fault").isEqualTo(policy.callsAtFault);
    }
  }

  /// It is reported once, and not in the thread that was reading.
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"NONE", "NAMES_NONE"})
  void aFaultIsReportedOnceAndPagesLeaveInTheOrderInWhichTheyCame(Fault fault) {
    CountedThreads threads = new CountedThreads();
    // Before the fault one has left, so that it can be named again.
    int good = fault == Fault.NAMES_ONE_THAT_LEFT ? 5 : 0;
    var retention = new ProvidedRetention("faulty", new Faulty(fault, good), threads);
    List<Leaf> leaves = references(10);
    for (Leaf leaf : leaves) {
      leaf.page(new byte[PAGE_BYTES]);
      retention.add(leaf, 10 * WEIGHT, false);
      retention.used(leaf);
    }
    Leaf gone = leaves.getLast();
    retention.remove(gone);
    List<Leaf> order = new ArrayList<>();
    Leaf next;
    while ((next = retention.evict(10 * WEIGHT)) != null) {
      order.add(next);
    }
    assertThat(order).isEqualTo(leaves.subList(0, 9));
    assertThat(leaves).allMatch(leaf -> leaf.place == null);
    assertThat(retention.bytes()).isZero();
    assertThat(threads.made).containsExactly("varve-retention-report");
  }
}
