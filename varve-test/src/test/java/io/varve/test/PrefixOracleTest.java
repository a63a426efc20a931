package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Guards against an oracle that lets a wrong recovery pass, or fails a right one.
class PrefixOracleTest {
  private final PrefixOracle oracle = new PrefixOracle();
  private final TrackedWriter one = oracle.writer("1/");
  private final TrackedWriter two = oracle.writer("2/");

  @Test
  void takesAnyPrefixThatHoldsTheAcknowledged() {
    one.begin(put("1/a", "x")).acknowledged(10, Durability.POWER_LOSS);
    two.begin(put("2/a", "y")).acknowledged(20, Durability.BACKGROUND);
    one.begin(put("1/a", "z"));
    assertThat(oracle.settle(model("1/a", "x"), Crash.POWER)).isEqualTo(1);
  }

  @Test
  void takesCommitsUnderWay() {
    one.begin(put("1/a", "x")).acknowledged(10, Durability.POWER_LOSS);
    one.begin(put("1/a", "z"));
    assertThat(oracle.settle(model("1/a", "z"), Crash.POWER)).isEqualTo(2);
  }

  @Test
  void refusesTheLossOfAnAcknowledgedCommit() {
    one.begin(put("1/a", "x")).acknowledged(10, Durability.POWER_LOSS);
    assertThatThrownBy(() -> oracle.settle(new Model(), Crash.POWER))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("D3");
  }

  @Test
  void asksOfEachDurabilityWhatItPromises() {
    one.begin(put("1/a", "x")).acknowledged(10, Durability.PROCESS_CRASH);
    assertThatThrownBy(() -> oracle.settle(new Model(), Crash.PROCESS)).hasMessageContaining("D3");
    assertThat(oracle.settle(new Model(), Crash.POWER)).isZero();
    one.begin(put("1/a", "x")).acknowledged(10, Durability.BACKGROUND);
    assertThatThrownBy(() -> oracle.settle(new Model(), Crash.CLEAN_CLOSE))
        .hasMessageContaining("D3");
    assertThat(oracle.settle(new Model(), Crash.PROCESS)).isZero();
  }

  @Test
  void refusesAHoleInTheOrder() {
    one.begin(put("1/a", "x")).acknowledged(10, Durability.BACKGROUND);
    two.begin(put("2/a", "y")).acknowledged(20, Durability.BACKGROUND);
    assertThatThrownBy(() -> oracle.settle(model("2/a", "y"), Crash.POWER))
        .hasMessageContaining("D2");
  }

  @Test
  void refusesAHoleInTheOrderOfCallsWithoutLsn() {
    one.begin(put("1/a", "x")).acknowledged(Durability.BACKGROUND);
    two.begin(put("2/a", "y"));
    assertThatThrownBy(() -> oracle.settle(model("2/a", "y"), Crash.POWER))
        .hasMessageContaining("D2");
  }

  @Test
  void refusesHalfOfACommit() {
    one.begin(changes("1/a", "x", "1/b", "x"));
    assertThatThrownBy(() -> oracle.settle(model("1/a", "x"), Crash.POWER))
        .hasMessageContaining("D1");
  }

  @Test
  void refusesHalfOfACommitInSharedKeys() {
    one.begin(changes("1/a", "x", "shared", "x"));
    assertThatThrownBy(() -> oracle.settle(model("1/a", "x"), Crash.POWER))
        .hasMessageContaining("D1");
  }

  @Test
  void refusesWhatNobodyWrote() {
    assertThatThrownBy(() -> oracle.settle(model("shared", "x"), Crash.POWER))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void refusesAResurrectedValue() {
    one.begin(put("1/a", "x")).acknowledged(10, Durability.POWER_LOSS);
    one.begin(changes("1/a", "y", "1/b", "y")).acknowledged(20, Durability.POWER_LOSS);
    assertThatThrownBy(() -> oracle.settle(model("1/a", "x", "1/b", "y"), Crash.POWER))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void ordersSharedKeysByLsn() {
    TrackedCommit first = one.begin(changes("1/a", "x", "shared", "1"));
    TrackedCommit second = two.begin(changes("2/a", "x", "shared", "2"));
    second.acknowledged(10, Durability.POWER_LOSS);
    first.acknowledged(20, Durability.POWER_LOSS);
    assertThatThrownBy(
            () -> oracle.settle(model("1/a", "x", "2/a", "x", "shared", "2"), Crash.POWER))
        .isInstanceOf(AssertionError.class);
    assertThat(oracle.settle(model("1/a", "x", "2/a", "x", "shared", "1"), Crash.POWER))
        .isEqualTo(2);
  }

  @Test
  void placesCommitsUnderWayWhereCallsAllow() {
    TrackedCommit first = one.begin(changes("1/a", "x", "shared", "1"));
    two.begin(changes("2/a", "x", "shared", "2")).acknowledged(10, Durability.POWER_LOSS);
    // The commit of writer 1 never returned: it may come before that of writer 2, or after.
    assertThat(oracle.settle(model("1/a", "x", "2/a", "x", "shared", "2"), Crash.POWER))
        .isEqualTo(2);
    assertThat(first)
        .hasToString("commit[writer='1/', number=0, lsn=unknown, acknowledged=no, changes=2]");
  }

  @Test
  void placesNoCommitBeforeOneThatHadReturned() {
    two.begin(changes("2/a", "x", "shared", "2")).acknowledged(10, Durability.POWER_LOSS);
    one.begin(changes("1/a", "x", "shared", "1"));
    assertThatThrownBy(
            () -> oracle.settle(model("1/a", "x", "2/a", "x", "shared", "2"), Crash.POWER))
        .hasMessageContaining("no order");
  }

  @Test
  void refusesLsnsThatContradictTheOrderOfCalls() {
    one.begin(put("1/a", "x")).acknowledged(20, Durability.POWER_LOSS);
    two.begin(put("2/a", "x")).acknowledged(10, Durability.POWER_LOSS);
    assertThatThrownBy(() -> oracle.settle(model("1/a", "x", "2/a", "x"), Crash.POWER))
        .hasMessageContaining("order of calls");
  }

  @Test
  void keepsWhatWasRecoveredOnce() {
    one.begin(put("1/a", "x")).acknowledged(10, Durability.BACKGROUND);
    oracle.settle(model("1/a", "x"), Crash.PROCESS);
    assertThatThrownBy(() -> oracle.settle(new Model(), Crash.POWER))
        .isInstanceOf(AssertionError.class);
    one.begin(put("1/b", "y")).acknowledged(10, Durability.POWER_LOSS);
    assertThatThrownBy(() -> oracle.settle(model("1/a", "x", "1/b", "y"), Crash.POWER))
        .hasMessageContaining("in use before");
  }

  @Test
  void forgetsRefusedCommits() {
    one.begin(put("1/a", "x")).refused();
    one.begin(put("1/b", "y")).acknowledged(10, Durability.POWER_LOSS);
    assertThat(oracle.settle(model("1/b", "y"), Crash.POWER)).isEqualTo(1);
  }

  @Test
  void oneWriterMayOwnEverything() {
    var alone = new PrefixOracle();
    TrackedWriter writer = alone.writer("");
    writer.begin(put("a", "x")).acknowledged(10, Durability.POWER_LOSS);
    writer.begin(List.of(new Change.DropSpace("s"))).acknowledged(Durability.BACKGROUND);
    writer.begin(put("b", "y"));
    assertThatThrownBy(() -> alone.writer("x")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> alone.settle(model("a", "x", "b", "y"), Crash.POWER))
        .isInstanceOf(AssertionError.class);
    assertThat(alone.settle(model("b", "y"), Crash.POWER)).isEqualTo(3);
  }

  private static List<Change> put(String key, String value) {
    return changes(key, value);
  }

  private static List<Change> changes(String... keysAndValues) {
    var changes = new java.util.ArrayList<Change>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      changes.add(new Change.Put("s", bytes(keysAndValues[i]), bytes(keysAndValues[i + 1])));
    }
    return changes;
  }

  private static Model model(String... keysAndValues) {
    Model model = new Model();
    model.applyAll(changes(keysAndValues));
    return model;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
