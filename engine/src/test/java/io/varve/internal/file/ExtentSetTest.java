package io.varve.internal.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.internal.lock.StoreLocks;
import io.varve.internal.page.Extent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a walk through the trees met, and how it differs from what the accounts hold taken.
class ExtentSetTest {
  private static final int UNIT = Extent.UNIT_BYTES;

  private final ExtentSet set = new ExtentSet();

  @Test
  void anExtentIsContainedUpToItsLastUnit() {
    ExtentSet runs = ExtentSet.ofRuns(new long[] {64, 4, 200, 1});
    assertThat(runs.contains(Extent.of(64, 4 * UNIT))).isTrue();
    assertThat(runs.contains(Extent.of(64, 4 * UNIT + 1))).as("one unit more").isFalse();
    assertThat(runs.contains(Extent.of(63, 2 * UNIT))).as("from the unit before").isFalse();
    assertThat(runs.contains(Extent.of(67, 1))).isTrue();
    assertThat(runs.contains(Extent.of(68, 1))).isFalse();
    assertThat(runs.contains(Extent.of(200, UNIT))).isTrue();
    assertThat(runs.bytes()).isEqualTo(5L * UNIT);
  }

  @Test
  void anExtentThatOverlapsIsNoticedAndCountsOnce() {
    assertThat(set.add(Extent.of(10, 3 * UNIT))).isTrue();
    assertThat(set.add(Extent.of(13, UNIT))).as("next to it").isTrue();
    assertThat(set.add(Extent.of(9, 2 * UNIT))).as("over its first unit").isFalse();
    assertThat(set.add(Extent.of(13, 2 * UNIT))).as("over its last unit").isFalse();
    assertThat(set.bytes()).isEqualTo(6L * UNIT);
  }

  @Test
  void eachRunThatDiffersFromTheAccountsIsReportedOnceWithItsFirstUnit() {
    Extents accounts = new Extents(new StoreLocks(), 64);
    accounts.born(accounts.allocate(3 * UNIT), 1);
    accounts.born(accounts.allocate(2 * UNIT), 1);
    accounts.advanceLive(0, 1, LiveEpochs.NONE);
    assertThat(accounts.liveRuns()).containsExactly(64, 5);

    set.add(Extent.of(64, 5 * UNIT));
    assertThat(differences(accounts)).as("the same").isEmpty();

    set.add(Extent.of(70, 2 * UNIT));
    assertThat(differences(accounts))
        .as("past the end of the accounts")
        .containsExactly("space in use that the accounts hold free 70");

    assertThat(differences(accounts, ExtentSet.ofRuns(new long[] {64, 1, 67, 1})))
        .containsExactly("space leaked 65", "space leaked 68");
  }

  private List<String> differences(Extents accounts) {
    return differences(accounts, set);
  }

  private static List<String> differences(Extents accounts, ExtentSet met) {
    List<String> found = new ArrayList<>();
    met.compareWith(accounts, (what, unit) -> found.add(what + " " + unit));
    return found;
  }
}
