package io.varve.grid.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.grid.cluster.HistoryChecker.Fault;
import io.varve.grid.cluster.HistoryChecker.Verdict;
import io.varve.grid.cluster.HistoryChecker.Violation;
import io.varve.grid.cluster.Operation.Kind;
import io.varve.grid.cluster.Operation.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The checker finds each fault that is planted in a history, and none where there is none.
class HistoryCheckerTest {
  private static Operation put(long version, long start, long end) {
    return new Operation(Kind.PUT, "k", version, start, end, Outcome.ACKNOWLEDGED);
  }

  private static Operation unknownPut(long version, long start, long end) {
    return new Operation(Kind.PUT, "k", version, start, end, Outcome.UNKNOWN);
  }

  private static Operation remove(long version, long start, long end) {
    return new Operation(Kind.REMOVE, "k", version, start, end, Outcome.ACKNOWLEDGED);
  }

  private static Operation unknownRemove(long version, long start, long end) {
    return new Operation(Kind.REMOVE, "k", version, start, end, Outcome.UNKNOWN);
  }

  private static Operation read(long found, long start, long end) {
    return new Operation(Kind.READ, "k", found, start, end, Outcome.ACKNOWLEDGED);
  }

  private static Operation refused(Kind kind, long version, long start, long end) {
    return new Operation(kind, "k", version, start, end, Outcome.REFUSED);
  }

  @Test
  void findsAValueWhoseWriteWasRefused() {
    assertThat(faults(put(1, 0, 10), refused(Kind.PUT, 2, 11, 20), read(2, 21, 30)))
        .containsExactly(Fault.FOREIGN);
  }

  @Test
  void findsAnEntryThatIsGoneThoughItsRemovalWasRefused() {
    assertThat(
            faults(put(1, 0, 10), refused(Kind.REMOVE, 2, 11, 20), read(Operation.ABSENT, 12, 30)))
        .containsExactly(Fault.LOST);
    assertThat(faults(put(1, 0, 10), refused(Kind.REMOVE, 2, 11, 20), read(1, 21, 30))).isEmpty();
  }

  private static List<Fault> faults(Operation... history) {
    return check(history).violations().stream().map(Violation::fault).toList();
  }

  private static Verdict check(Operation... history) {
    return HistoryChecker.check(List.of(history));
  }

  @Test
  void findsAnAcknowledgedEntryThatIsGone() {
    assertThat(faults(put(1, 0, 10), read(Operation.ABSENT, 11, 20))).containsExactly(Fault.LOST);
  }

  @Test
  void findsAnEntryThatIsGoneThoughAFailedPutFollowed() {
    assertThat(faults(put(1, 0, 10), unknownPut(2, 11, 20), read(Operation.ABSENT, 21, 30)))
        .containsExactly(Fault.LOST);
  }

  @Test
  void findsAnEntryThatIsGoneBeforeItsRemovalBegan() {
    assertThat(faults(put(1, 0, 10), read(Operation.ABSENT, 11, 20), remove(2, 21, 30)))
        .containsExactly(Fault.LOST);
  }

  @Test
  void findsAValueThatWasOverwritten() {
    assertThat(faults(put(1, 0, 10), put(2, 11, 20), read(1, 21, 30)))
        .containsExactly(Fault.CAME_BACK);
  }

  @Test
  void findsAnEntryThatWasRemoved() {
    assertThat(faults(put(1, 0, 10), remove(2, 11, 20), read(1, 21, 30)))
        .containsExactly(Fault.CAME_BACK);
  }

  @Test
  void findsAnOverwrittenValueThoughAWriteOfUnknownOutcomeCameBetween() {
    assertThat(faults(put(1, 0, 10), unknownPut(2, 11, 20), put(3, 21, 30), read(1, 31, 40)))
        .containsExactly(Fault.CAME_BACK);
  }

  @Test
  void findsValuesThatNobodyWrote() {
    assertThat(faults(put(1, 0, 10), read(Operation.FOREIGN, 11, 20)))
        .containsExactly(Fault.FOREIGN);
    assertThat(faults(put(1, 0, 10), read(2, 11, 20))).containsExactly(Fault.FOREIGN);
    assertThat(faults(remove(1, 0, 10), read(1, 11, 20))).containsExactly(Fault.FOREIGN);
  }

  @Test
  void findsAValueBeforeItWasWritten() {
    assertThat(faults(put(1, 0, 10), read(2, 11, 20), put(2, 21, 30)))
        .containsExactly(Fault.FOREIGN);
  }

  @Test
  void takesWhatIsUnderWayEitherWay() {
    assertThat(faults(put(1, 0, 10), put(2, 15, 30), read(1, 16, 20))).isEmpty();
    assertThat(faults(put(1, 0, 10), put(2, 15, 30), read(2, 16, 20))).isEmpty();
    assertThat(faults(put(1, 0, 10), remove(2, 15, 30), read(Operation.ABSENT, 16, 20))).isEmpty();
    assertThat(faults(put(1, 0, 10), remove(2, 15, 30), read(1, 16, 20))).isEmpty();
    assertThat(faults(read(Operation.ABSENT, 0, 5), put(1, 3, 10), read(1, 4, 5))).isEmpty();
  }

  @Test
  void takesAnUnknownOutcomeEitherWay() {
    assertThat(faults(put(1, 0, 10), unknownPut(2, 11, 20), read(1, 21, 30))).isEmpty();
    assertThat(faults(put(1, 0, 10), unknownPut(2, 11, 20), read(2, 21, 30))).isEmpty();
    assertThat(faults(put(1, 0, 10), unknownRemove(2, 11, 20), read(1, 21, 30))).isEmpty();
    assertThat(faults(put(1, 0, 10), unknownRemove(2, 11, 20), read(Operation.ABSENT, 21, 30)))
        .isEmpty();
  }

  @Test
  void countsAnUnknownOutcomeThatShowsAfterALaterWrite() {
    Verdict put = check(unknownPut(1, 0, 10), put(2, 11, 20), read(1, 21, 30));
    assertThat(put).isEqualTo(new Verdict(1, 1, 1, 1, List.of()));
    Verdict removal =
        check(unknownRemove(1, 0, 10), put(2, 11, 20), read(Operation.ABSENT, 21, 30));
    assertThat(removal).isEqualTo(new Verdict(1, 1, 1, 1, List.of()));
  }

  @Test
  void refusesAHistoryThatLacksAWrite() {
    assertThatThrownBy(() -> check(put(2, 0, 10), read(2, 11, 20)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /// A register that is right, with reads concurrent with writes; then one of its answers is
  /// falsified.
  @Test
  void findsOneWrongAnswerAmongManyRightOnes() {
    for (long seed = 0; seed < 200; seed++) {
      var random = new Random(seed);
      List<Operation> history = new ArrayList<>();
      long time = 0;
      long value = Operation.ABSENT;
      for (long version = 1; version <= 100; version++) {
        long start = time + 1;
        long effect = start + 1 + random.nextInt(10);
        time = effect + 1 + random.nextInt(10);
        boolean removes = random.nextInt(4) == 0;
        long before = value;
        value = removes ? Operation.ABSENT : version;
        history.add(removes ? remove(version, start, time) : put(version, start, time));
        history.add(read(before, start - 1, effect));
        history.add(read(value, effect, time));
        history.add(read(value, effect, time + 1));
      }
      Collections.shuffle(history, random);
      assertThat(HistoryChecker.check(history).violations()).as("seed=%d", seed).isEmpty();

      List<Operation> puts =
          history.stream().filter(operation -> operation.kind() == Kind.PUT).toList();
      Operation victim = puts.get(random.nextInt(puts.size()));
      long last = time + 10;
      history.add(
          victim.version() == value
              ? read(Operation.ABSENT, last, last + 1)
              : read(victim.version(), last, last + 1));
      assertThat(HistoryChecker.check(history).violations()).as("seed=%d", seed).hasSize(1);
    }
  }
}
