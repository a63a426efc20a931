package io.varve.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.PageRetention;
import io.varve.internal.lock.StoreLocks;
import io.varve.internal.page.Branches;
import io.varve.internal.page.Extent;
import io.varve.internal.page.Inner;
import io.varve.internal.page.Leaf;
import io.varve.internal.page.Node;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What the cache promises: its budget, and that what is used often outlives what is used once.
class PageCacheTest {
  private static final int PAGE_BYTES = 1000;
  private static final int WEIGHT = PAGE_BYTES + 96;
  private static final int PAGES_MAX = 200;

  private PageCache cache = cacheOf(PageRetention.S3_FIFO);
  private int made;

  private static PageCache cacheOf(PageRetention retention) {
    return new PageCache(new StoreLocks(), retention, (long) PAGES_MAX * WEIGHT, 1);
  }

  private static PageCacheTest with(PageRetention retention) {
    PageCacheTest test = new PageCacheTest();
    test.cache = cacheOf(retention);
    return test;
  }

  private Leaf reference() {
    made++;
    return new Leaf(Extent.of(64 + made, 100), made, 1);
  }

  /// As `Pages.load` does it.
  private void read(Leaf leaf) {
    if (leaf.page() == null) {
      leaf.page(new byte[PAGE_BYTES]);
      cache.admit(leaf);
    }
  }

  /// As `Pages.use` does it.
  private void use(Leaf leaf) {
    if (leaf.page() == null) {
      read(leaf);
    } else {
      cache.used(leaf);
    }
  }

  private List<Leaf> references(int count) {
    List<Leaf> leaves = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      leaves.add(reference());
    }
    return leaves;
  }

  private static long inMemory(List<Leaf> leaves) {
    return leaves.stream().filter(leaf -> leaf.page() != null).count();
  }

  @Test
  void budgetIsHeldAndUsed() {
    List<Leaf> leaves = references(3 * PAGES_MAX);
    for (Leaf leaf : leaves) {
      read(leaf);
      assertThat(cache.bytes()).isLessThanOrEqualTo(cache.bytesMax());
    }
    assertThat(inMemory(leaves)).isEqualTo(PAGES_MAX);
    assertThat(cache.bytes()).isEqualTo(PAGES_MAX * WEIGHT);
    assertThat(cache.evictions()).isEqualTo(2 * PAGES_MAX);
  }

  /// A thread that made no page leave gives the lock back while another makes one leave.
  @Test
  void pagesLeaveTheHeapWhileOtherThreadsMakeNoneLeave() throws Exception {
    List<Leaf> leaves = references(2 * PAGES_MAX);
    long budget = (long) PAGES_MAX * WEIGHT;
    try (PageCache small =
            new PageCache(new StoreLocks(), PageRetention.S3_FIFO, budget, 1, 1 << 20);
        ExecutorService threads = Executors.newSingleThreadExecutor()) {
      cache = small;
      Future<?> evicting =
          threads.submit(() -> {
            for (int round = 0; round < 500; round++) {
              leaves.forEach(this::read);
            }
          });
      while (!evicting.isDone()) {
        small.withhold(0);
      }
      evicting.get();
    }
    assertThat(cache.evictions()).isGreaterThan(PAGES_MAX);
  }

  /// Scans over a quarter more pages than fit, again and again: a policy that lets all newcomers in
  /// would have dropped each page before the scan comes back to it.
  @Test
  void scansThatComeAgainFindMostOfWhatFits() {
    List<Leaf> leaves = references(PAGES_MAX * 5 / 4);
    for (int scan = 0; scan < 20; scan++) {
      scan(leaves);
    }
    assertThat(scan(leaves)).isGreaterThan(PAGES_MAX * 3 / 4);
  }

  /// Also while dirty pages take a part of the budget, so that the small queue's share is of less.
  @Test
  void aScanPassesByWhatIsHotNextToDirtyPages() {
    cache.dirty((long) PAGES_MAX * WEIGHT * 2 / 5);
    List<Leaf> hot = references(PAGES_MAX / 2);
    for (int round = 0; round < 3; round++) {
      hot.forEach(this::use);
    }
    scan(references(20 * PAGES_MAX));
    assertThat(inMemory(hot)).isGreaterThan(hot.size() * 9 / 10);
  }

  /// As `Pages.use` does it for a cursor that comes by.
  ///
  /// @return how many leaves were in memory
  private int scan(List<Leaf> leaves) {
    int found = 0;
    for (Leaf leaf : leaves) {
      if (leaf.page() == null) {
        leaf.page(new byte[PAGE_BYTES]);
        cache.admit(leaf, true);
      } else {
        cache.used(leaf);
        found++;
      }
    }
    return found;
  }

  @Provide
  static Arbitrary<PageRetention> anyRetention() {
    return Arbitraries.of(PageRetention.builtIn());
  }

  /// Whatever is read, made dirty, written and retired, in any order, under every policy: the
  /// accounts are those of what is in memory, which is within the budget unless dirty pages alone
  /// pass it.
  @Property(tries = 100)
  void accountsHoldUnderAnyUse(@ForAll long seed, @ForAll("anyRetention") PageRetention retention) {
    PageCacheTest test = with(retention);
    SplittableRandom random = new SplittableRandom(seed);
    List<Leaf> leaves = test.references(3 * PAGES_MAX);
    long dirty = 0;
    for (int i = 0; i < 5000; i++) {
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
        default -> test.use(leaves.get(random.nextBoolean() ? at : at / 10));
      }
      assertThat(test.cache.dirtyBytes()).isEqualTo(dirty);
      assertThat(test.cache.bytes()).isEqualTo(dirty + inMemory(leaves) * WEIGHT);
      assertThat(test.cache.bytes()).isLessThanOrEqualTo(Math.max(dirty, test.cache.bytesMax()));
    }
  }

  /// Each policy by what distinguishes it from the others: what is left of the pages used often, of
  /// those used last, and of those used once. As many pages as the budget holds were read once
  /// since.
  @ParameterizedTest
  @MethodSource("io.varve.PageRetention#builtIn")
  void policyKeepsWhatItPromises(PageRetention retention) {
    PageCacheTest test = with(retention);
    List<Leaf> hot = test.references(PAGES_MAX / 4);
    for (int round = 0; round < 3; round++) {
      hot.forEach(test::use);
    }
    test.references(PAGES_MAX).forEach(test::use);
    List<Leaf> last = test.references(PAGES_MAX / 20);
    last.forEach(test::use);
    long hotKept = inMemory(hot);
    long lastKept = inMemory(last);
    switch (retention.name()) {
      case "none" -> assertThat(hotKept + lastKept).isZero();
      case "hashed" -> {
        assertThat(hotKept).isBetween(1L, hot.size() - 1L);
        assertThat(lastKept).isPositive();
      }
      case "lru" -> {
        assertThat(hotKept).isZero();
        assertThat(lastKept).isEqualTo(last.size());
      }
      case "s3_fifo" -> {
        assertThat(hotKept).isEqualTo(hot.size());
        assertThat(lastKept).isEqualTo(last.size());
      }
      default -> throw new AssertionError("nothing is known of " + retention);
    }
  }

  /// Where a page is loaded between any two uses, no two uses are equally recent. Then those pages
  /// stay that a list in the order of uses would keep.
  @Property(tries = 20)
  void lruFollowsTheOrderOfUses(@ForAll long seed) {
    PageCacheTest test = with(PageRetention.LRU);
    List<Leaf> leaves = test.references(2 * PAGES_MAX);
    Set<Leaf> model = new LinkedHashSet<>();
    new SplittableRandom(seed)
        .ints(2000, 0, leaves.size())
        .mapToObj(leaves::get)
        .flatMap(leaf -> Stream.of(leaf, test.reference()))
        .forEach(leaf -> {
          test.use(leaf);
          model.remove(leaf);
          model.add(leaf);
          if (model.size() > PAGES_MAX) {
            model.remove(model.iterator().next());
          }
          assertThat(model).allMatch(Node::isInMemory);
        });
    assertThat(inMemory(leaves)).isEqualTo(leaves.stream().filter(model::contains).count());
  }

  @Test
  void budgetFollowsTheStore() {
    PageCache shared = new PageCache(new StoreLocks(), PageRetention.S3_FIFO, 10 << 20, 0.1);
    assertThat(shared.bytesMax()).isEqualTo(1 << 20);
    shared.pagesTake(50 << 20);
    assertThat(shared.bytesMax()).isEqualTo(5 << 20);
    shared.dirty(4 << 20);
    Leaf leaf = reference();
    leaf.page(new byte[PAGE_BYTES]);
    shared.admit(leaf);
    assertThat(leaf.isInMemory()).isTrue();
    shared.pagesTake(30 << 20);
    assertThat(leaf.isInMemory()).as("while the budget is %d", shared.bytesMax()).isFalse();
    shared.pagesTake(1L << 40);
    assertThat(shared.bytesMax()).isEqualTo(10 << 20);
  }

  @Test
  void dirtyPagesTakeTheirShareOfTheBudget() {
    List<Leaf> leaves = references(PAGES_MAX);
    leaves.forEach(this::read);
    cache.dirty(50 * WEIGHT);
    assertThat(cache.bytes()).isLessThanOrEqualTo(cache.bytesMax());
    assertThat(inMemory(leaves)).isEqualTo(PAGES_MAX - 50);
    cache.dirty(-50 * WEIGHT);
    assertThat(cache.dirtyBytes()).isZero();
  }

  /// Pages that are used again and again stay while ten times the budget is read once.
  @Test
  void scanDoesNotPushOutHotPages() {
    List<Leaf> hot = references(PAGES_MAX / 2);
    for (int round = 0; round < 4; round++) {
      for (Leaf leaf : hot) {
        read(leaf);
        cache.used(leaf);
      }
    }
    for (int i = 0; i < 10 * PAGES_MAX; i++) {
      read(reference());
      Leaf used = hot.get(i % hot.size());
      read(used);
      cache.used(used);
    }
    assertThat(inMemory(hot)).isEqualTo(hot.size());
  }

  /// What comes back soon after it was dropped was dropped too early: it goes where it stays
  /// longer.
  @Test
  void pageThatComesBackSoonStaysLonger() {
    references(PAGES_MAX).forEach(this::read);
    Leaf again = reference();
    read(again);
    List<Leaf> others = references(PAGES_MAX);
    others.forEach(this::read);
    assertThat(again.page()).as("dropped").isNull();
    read(again);
    references(PAGES_MAX).forEach(this::read);
    assertThat(again.page()).as("kept the second time").isNotNull();
  }

  /// One that is searched stays as well, however many leaves come; others leave with time.
  @Test
  void innerPagesThatAreUsedStay() {
    Inner used = inner();
    Inner unused = inner();
    cache.admit(used);
    cache.admit(unused);
    for (int i = 0; i < 20 * PAGES_MAX; i++) {
      read(reference());
      InnerQueue.used(used);
    }
    assertThat(used.branches()).isNotNull();
    assertThat(unused.branches()).isNull();
  }

  /// Inner pages alone keep the budget, too.
  @Test
  void innerPagesKeepTheBudget() {
    for (int i = 0; i < 50 * PAGES_MAX; i++) {
      Inner inner = inner();
      cache.admit(inner);
      InnerQueue.used(inner);
      assertThat(cache.bytes()).isLessThanOrEqualTo(cache.bytesMax());
    }
  }

  private Inner inner() {
    made++;
    Inner inner = new Inner(Extent.of(64 + made, 100), made, 1, 1);
    inner.branches(new Branches(new Node[] {reference(), reference()}, new byte[][] {{1}}));
    return inner;
  }

  /// Without its inner page a leaf in memory cannot be found.
  @Test
  void innerPagesStayWhileAChildIsInMemory() {
    Inner parent = inner();
    cache.admit(parent);
    Leaf child = (Leaf) branches(parent).child(0);
    read(child);
    cache.used(child);
    for (int i = 0; i < 20 * PAGES_MAX; i++) {
      read(reference());
      cache.used(child);
    }
    assertThat(child.page()).isNotNull();
    assertThat(branches(parent).child(0)).isSameAs(child);
  }

  private static Branches branches(Inner inner) {
    return Objects.requireNonNull(inner.branches(), "branches");
  }

  /// What a recovery withholds may be more than the budget is when the store shrinks concurrently:
  /// the bound was negative then, and every commit would have waited.
  @Test
  void aBudgetThatShrinksWhileAPartIsWithheldStaysPositive() {
    PageCache shared = new PageCache(new StoreLocks(), PageRetention.S3_FIFO, 64 << 20, 0.5);
    shared.pagesTake(128 << 20);
    shared.withhold(16 << 20);
    assertThat(shared.bytesMax()).isEqualTo(48 << 20);
    shared.pagesTake(0);
    assertThat(shared.bytesMax()).isEqualTo(1 << 19);
    shared.endWithholding(16 << 20);
    assertThat(shared.bytesMax()).isEqualTo(1 << 20);
  }
}
