package io.varve.grid.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// The tally finds each fault that is planted, and none where there is none.
class TallyTest {
  private final Tally tally = new Tally();

  @Test
  void whatCountsOnceIsRight() {
    tally.add(0, 10, 1);
    tally.add(5, 30, 3);
    tally.add(11, 20, 2);
    tally.addFailed(21, 40);
    assertThat(tally.faults(3)).isEmpty();
    assertThat(tally.faults(4)).isEmpty();
  }

  @Test
  void findsAnIncrementThatIsLost() {
    tally.add(0, 10, 1);
    tally.add(11, 20, 2);
    assertThat(tally.faults(1)).hasSize(1);
  }

  @Test
  void findsAnIncrementThatCountsTwice() {
    tally.add(0, 10, 1);
    assertThat(tally.faults(2)).hasSize(1);
  }

  @Test
  void findsANumberThatIsAnsweredTwice() {
    tally.add(0, 10, 1);
    tally.add(5, 20, 1);
    tally.addFailed(6, 20);
    assertThat(tally.faults(2)).singleElement().asString().startsWith("answered twice");
  }

  @Test
  void findsANumberThatGoesBack() {
    tally.add(0, 10, 2);
    tally.add(11, 20, 1);
    assertThat(tally.faults(2)).singleElement().asString().startsWith("less was answered");
  }
}
