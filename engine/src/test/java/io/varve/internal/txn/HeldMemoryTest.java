package io.varve.internal.txn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Range;
import io.varve.StoreClosedException;
import io.varve.TransactionTooLargeException;
import io.varve.internal.disk.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The account of what transactions need of the heap: what is granted, refused and released.
class HeldMemoryTest {
  private static final long MEBIBYTE = 1 << 20;

  /// One transaction may need 6 MiB, all together 8, and 10 with what a commit loads.
  private final TransactionMemory account = new TransactionMemory(12 * MEBIBYTE, Clock.SYSTEM);

  private HeldMemory begin() {
    return new HeldMemory(account);
  }

  private static HeldMemory put(HeldMemory held, long mebibytes) {
    for (long i = 0; i < mebibytes; i++) {
      held.put(0, (int) MEBIBYTE / 2);
    }
    return held;
  }

  @Test
  void aSmallTransactionIsNotCounted() {
    HeldMemory small = begin();
    small.put(10, 20_000);
    small.delete(10);
    small.read(Range.exactly(new byte[10]));
    assertThat(account.grantedBytes()).isZero();
    small.end();
    assertThat(account.grantedBytes()).isZero();
  }

  /// None of them was counted, so that many of them filled the heap.
  @Test
  void manySmallTransactionsAreRefusedAtTheBoundOfAll() {
    List<HeldMemory> open = new ArrayList<>();
    assertThatExceptionOfType(TransactionTooLargeException.class)
        .isThrownBy(() -> {
          while (open.size() < 1_000) {
            open.add(begin());
            open.getLast().put(0, 15_000);
          }
        })
        .satisfies(e -> assertThat(open.getLast().isInUseByOthers(e)).isTrue());
    assertThat(open.size() * 30_000L).isBetween(6 * MEBIBYTE, 10 * MEBIBYTE);
    open.forEach(HeldMemory::end);
    open.forEach(HeldMemory::end);
    assertThat(account.grantedBytes()).isZero();
    HeldMemory next = begin();
    next.put(0, 15_000);
    assertThat(account.grantedBytes()).isZero();
  }

  /// A thousand that write little take little of the account each.
  @Test
  void whatIsGrantedToASmallTransactionIsAboutWhatItNeeds() {
    List<HeldMemory> open = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      open.add(begin());
      open.getLast().put(0, 1_000);
    }
    assertThat(account.grantedBytes()).isBetween(MEBIBYTE, 3 * MEBIBYTE);
    open.forEach(HeldMemory::end);
    assertThat(account.grantedBytes()).isZero();
  }

  /// Steps may come to twice what is needed. A transaction that had waited for what it needs was
  /// refused the step, and so was run again without a pause for ten seconds.
  @Test
  void aTransactionIsGrantedWhatItHasWaitedFor() {
    for (int i = 0; i < 40; i++) {
      begin();
    }
    begin().put(0, (int) (2 * MEBIBYTE));
    begin().put(0, (int) (2 * MEBIBYTE) - (16 << 10));
    assertThat(account.grantedBytes()).isEqualTo(8 * MEBIBYTE - (32 << 10));
    HeldMemory small = begin();
    small.put(0, 9 << 10);
    small.put(0, 1 << 10);
    assertThat(account.grantedBytes()).isLessThan(8 * MEBIBYTE);
    assertThatExceptionOfType(TransactionTooLargeException.class)
        .isThrownBy(() -> small.put(0, 8 << 10));
  }

  @Test
  void whatIsGrantedIsReleasedOnceAtTheEnd() {
    HeldMemory one = put(begin(), 2);
    HeldMemory two = put(begin(), 3);
    assertThat(account.grantedBytes()).isBetween(5 * MEBIBYTE - 200_000, 5 * MEBIBYTE + 200_000);
    one.end();
    one.end();
    assertThat(account.grantedBytes()).isBetween(3 * MEBIBYTE - 200_000, 3 * MEBIBYTE + 200_000);
    two.end();
    assertThat(account.grantedBytes()).isZero();
  }

  @Test
  void oneTransactionIsRefusedAtItsOwnBoundAndStaysRefused() {
    HeldMemory held = put(begin(), 5);
    assertThatExceptionOfType(TransactionTooLargeException.class)
        .isThrownBy(() -> put(held, 2))
        .withMessageContaining("bytesMax=" + 6 * MEBIBYTE)
        .withMessageContaining("nothing was written")
        .satisfies(e -> assertThat(held.isInUseByOthers(e)).isFalse());
    assertThatExceptionOfType(TransactionTooLargeException.class)
        .isThrownBy(held::requireGranted)
        .satisfies(e -> assertThat(begin().isInUseByOthers(e)).isFalse());
    assertThatThrownBy(() -> held.delete(1)).isInstanceOf(TransactionTooLargeException.class);
    held.end();
    assertThat(account.grantedBytes()).isZero();
  }

  @Test
  void severalTogetherAreRefusedAtTheBoundOfAll() {
    HeldMemory one = put(begin(), 5);
    HeldMemory two = put(begin(), 2);
    assertThatExceptionOfType(TransactionTooLargeException.class)
        .isThrownBy(() -> put(two, 2))
        .withMessageContaining("bytesOfAllMax=" + 8 * MEBIBYTE)
        .satisfies(e -> assertThat(two.isInUseByOthers(e)).isTrue());
    assertThat(account.grantedBytes()).isLessThanOrEqualTo(8 * MEBIBYTE);
    two.end();
    one.end();
    assertThat(account.grantedBytes()).isZero();
    put(begin(), 5).end();
  }

  @Test
  void whatACommitLoadsIsRefusedAtABoundOfItsOwn() {
    HeldMemory held = put(begin(), 5);
    held.load(4 * MEBIBYTE);
    assertThatThrownBy(() -> held.load(2 * MEBIBYTE))
        .isInstanceOf(TransactionTooLargeException.class)
        .hasMessageContaining("bytesMax=" + 10 * MEBIBYTE);
    held.end();
    assertThat(account.grantedBytes()).isZero();
  }

  /// What a transaction has that nobody closed was missing to all others for as long as the store
  /// was open.
  @Test
  void whatAForgottenTransactionHasIsReleasedWhenItIsNeeded() {
    TransactionMemory.Grant forgotten = account.grant(new Object());
    assertThat(account.tryGrant(forgotten, 7 * MEBIBYTE, 8 * MEBIBYTE)).isEqualTo(7 * MEBIBYTE);
    HeldMemory held = begin();
    assertThatThrownBy(() -> put(held, 3)).isInstanceOf(TransactionTooLargeException.class);
    held.end();
    assertThat(forgotten.enqueue()).isTrue(); // as the collector does
    HeldMemory next = put(begin(), 5);
    next.end();
    assertThat(account.grantedBytes()).isZero();
  }

  private boolean await(long mebibytes, long sinceNanos, Lifecycle lifecycle) {
    return account.await(mebibytes * MEBIBYTE, account.withCommitBytesMax(), sinceNanos, lifecycle);
  }

  /// It ended for the bound that commits have, so that the body ran again and again for the whole
  /// time.
  @Test
  void aWaitIsForTheBoundThatRefusedTheTransaction() {
    var lifecycle = new Lifecycle();
    HeldMemory one = put(begin(), 5);
    HeldMemory two = begin();
    assertThatThrownBy(() -> put(two, 4)).isInstanceOf(TransactionTooLargeException.class);
    two.end();
    long soonOver = account.nanoTime() - TransactionMemory.WAIT_NANOS_MAX + 50_000_000;
    assertThat(two.awaitOthers(soonOver, lifecycle)).isFalse();
    one.end();
    assertThat(two.awaitOthers(account.nanoTime(), lifecycle)).isTrue();
  }

  @Test
  void aWaitForOthersEndsWithThemOrWithItsTimeOrTheStore() {
    var lifecycle = new Lifecycle();
    HeldMemory one = put(begin(), 5);
    long now = account.nanoTime();
    assertThat(await(6, now - TransactionMemory.WAIT_NANOS_MAX, lifecycle)).isFalse();
    assertThat(await(4, now, lifecycle)).isTrue();
    Thread.ofPlatform().start(one::end);
    assertThat(await(6, now, lifecycle)).isTrue();
    HeldMemory two = put(begin(), 5);
    lifecycle.close();
    assertThatThrownBy(() -> await(6, now, lifecycle)).isInstanceOf(StoreClosedException.class);
    two.end();
  }
}
