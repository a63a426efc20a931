package io.varve.internal.txn;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.internal.tree.StoredValue;
import java.util.Objects;
import org.assertj.core.api.AbstractBooleanAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How many bytes of changes a queue holds before it misses the rest.
class WatchQueueTest {
  /// What a commit, and each of its changes, counts in addition to its bytes.
  private static final int OBJECT_BYTES = 96;

  /// A put of 3 bytes under a key of 2, in place of 5.
  private static void addPut(WatchQueue queue) {
    queue.add(new byte[2], new StoredValue(new byte[5], false), true, new byte[3]);
  }

  private static final long PUT_BYTES = 2 * OBJECT_BYTES + 2 + 5 + 3;

  private static void commit(WatchQueue queue, long number) {
    queue.begin();
    addPut(queue);
    queue.end();
    queue.tell(number);
  }

  private static WatchQueue.Node next(WatchQueue queue) {
    return Objects.requireNonNull(queue.peek());
  }

  private static AbstractBooleanAssert<?> assertNextIsMissed(WatchQueue queue) {
    return assertThat(next(queue).changes().isEmpty());
  }

  @ParameterizedTest
  @CsvSource({"0, false", "-1, true"})
  void bytesOfAChangeAreThoseOfItsKeyAndBothValues(long more, boolean missed) {
    var queue = new WatchQueue(PUT_BYTES + more);
    commit(queue, 1);
    assertNextIsMissed(queue).isEqualTo(missed);
  }

  @ParameterizedTest
  @CsvSource({"0, false", "-1, true"})
  void commitsThatWereNotTakenCount(long more, boolean missed) {
    var queue = new WatchQueue(3 * PUT_BYTES + more);
    commit(queue, 1);
    commit(queue, 2);
    commit(queue, 3);
    queue.take(next(queue));
    queue.take(next(queue));
    assertNextIsMissed(queue).isEqualTo(missed);
  }

  @Test
  void whatIsTakenCountsNoMore() {
    var queue = new WatchQueue(PUT_BYTES);
    for (int i = 1; i <= 3; i++) {
      commit(queue, i);
      WatchQueue.Node node = next(queue);
      assertThat(node.commit()).isEqualTo(i);
      assertThat(node.changes()).hasSize(1);
      queue.take(node);
    }
    assertThat(queue.peek()).isNull();
  }

  @Test
  void aDeleteOfNothingIsNoChange() {
    var queue = new WatchQueue(PUT_BYTES);
    queue.begin();
    queue.add(new byte[2], null, false, null);
    queue.end();
    queue.tell(1);
    assertThat(queue.peek()).isNull();
  }

  @Test
  void afterAMissedCommitNothingIsAddedUntilTheRestart() {
    var queue = new WatchQueue(PUT_BYTES - 1);
    commit(queue, 1);
    assertNextIsMissed(queue).isTrue();
    queue.take(next(queue));
    queue.begin();
    queue.add(new byte[1], null, true, new byte[1]);
    queue.end();
    queue.tell(2);
    assertThat(queue.peek()).isNull();
    queue.restart();
    queue.begin();
    queue.add(new byte[1], null, true, new byte[1]);
    queue.end();
    queue.tell(3);
    assertNextIsMissed(queue).isFalse();
  }
}
