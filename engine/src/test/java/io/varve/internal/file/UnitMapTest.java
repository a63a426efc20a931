package io.varve.internal.file;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Runs of units at the ends of the map's words, and of the map.
class UnitMapTest {
  /// The units that a new map has words for.
  private static final long CAPACITY = 64 * 64;

  private final UnitMap map = new UnitMap();

  @Test
  void aRunIsAddedAndRemovedUnitByUnit() {
    assertThat(map.add(62, 4)).as("over the end of a word").isTrue();
    assertThat(map.contains(61)).isFalse();
    assertThat(map.contains(62)).isTrue();
    assertThat(map.contains(65)).isTrue();
    assertThat(map.contains(66)).isFalse();
    assertThat(map.add(65, 2)).as("one of them was there").isFalse();
    assertThat(map.size()).isEqualTo(5);
    assertThat(map.end()).isEqualTo(67);
    assertThat(map.remove(66, 2)).as("one of them was not there").isFalse();
    assertThat(map.remove(62, 4)).isTrue();
    assertThat(map.size()).isZero();
    assertThat(map.end()).isZero();
  }

  @Test
  void theFirstUnitThatIsAbsentIsFoundUpToTheEndOfTheMap() {
    map.add(0, CAPACITY);
    assertThat(map.nextAbsent(0)).isEqualTo(CAPACITY);
    assertThat(map.nextAbsent(CAPACITY - 1)).isEqualTo(CAPACITY);
    assertThat(map.nextAbsent(CAPACITY)).isEqualTo(CAPACITY);
    assertThat(map.nextAbsent(CAPACITY + 70)).isEqualTo(CAPACITY + 70);
    map.remove(CAPACITY - 1, 1);
    assertThat(map.nextAbsent(1)).isEqualTo(CAPACITY - 1);
    map.remove(64, 1);
    assertThat(map.nextAbsent(64)).isEqualTo(64);
    assertThat(map.nextAbsent(65)).isEqualTo(CAPACITY - 1);
  }

  @Test
  void theFirstUnitThatIsPresentIsFoundBelowTheLimitAlone() {
    map.add(130, 1);
    assertThat(map.nextPresent(0, 1000)).isEqualTo(130);
    assertThat(map.nextPresent(130, 1000)).isEqualTo(130);
    assertThat(map.nextPresent(0, 130)).as("the limit itself").isEqualTo(130);
    assertThat(map.nextPresent(0, 129)).isEqualTo(129);
    assertThat(map.nextPresent(131, 1000)).isEqualTo(1000);
    assertThat(map.nextPresent(CAPACITY, CAPACITY + 9)).isEqualTo(CAPACITY + 9);
  }

  @Test
  void aMapGrowsToTheLastUnitOfARun() {
    assertThat(map.add(CAPACITY * 5 - 1, 2)).isTrue();
    assertThat(map.end()).isEqualTo(CAPACITY * 5 + 1);
    assertThat(map.contains(CAPACITY * 5)).isTrue();
    assertThat(map.contains(CAPACITY * 50)).isFalse();
    assertThat(map.size()).isEqualTo(2);
  }
}
