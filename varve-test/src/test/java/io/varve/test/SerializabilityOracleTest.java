package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The oracle knows each anomaly when it sees one, and takes none for one that is not.
class SerializabilityOracleTest {
  private final SerializabilityOracle oracle = new SerializabilityOracle();
  private long lsn;

  /// A transaction that read lists as the test defines them.
  private ListTransaction reading(Map<String, List<Long>> found) {
    ListTransaction transaction = oracle.begin();
    found.forEach(transaction::read);
    return transaction;
  }

  private void commit(ListTransaction... transactions) {
    for (ListTransaction transaction : transactions) {
      transaction.committed(++lsn);
    }
  }

  @Test
  void oneAfterTheOtherIsSerializable() {
    ListTransaction first = reading(Map.of("x", List.of()));
    long one = first.append("x");
    long two = first.append("x");
    first.read("x", List.of(one, two));
    commit(first);
    ListTransaction second = reading(Map.of("x", List.of(one, two), "y", List.of()));
    long three = second.append("y");
    commit(second);
    oracle.requireSerializable(Map.of("x", List.of(one, two), "y", List.of(three)));
    assertThat(oracle.committed()).isEqualTo(2);
  }

  @Test
  void whatWasRefusedAndIsNotThereIsNoAnomaly() {
    ListTransaction first = reading(Map.of("x", List.of()));
    first.append("x");
    first.refused();
    oracle.requireSerializable(Map.of());
  }

  @Test
  void lostUpdateIsFound() {
    ListTransaction first = reading(Map.of("x", List.of()));
    ListTransaction second = reading(Map.of("x", List.of()));
    first.append("x");
    long kept = second.append("x");
    commit(first, second);
    assertThat(oracle.anomalies(Map.of("x", List.of(kept))))
        .singleElement()
        .asString()
        .startsWith("lost update");
  }

  @Test
  void writeSkewIsFound() {
    ListTransaction first = reading(Map.of("x", List.of(), "y", List.of()));
    ListTransaction second = reading(Map.of("x", List.of(), "y", List.of()));
    long one = first.append("x");
    long two = second.append("y");
    commit(first, second);
    assertThat(oracle.anomalies(Map.of("x", List.of(one), "y", List.of(two))))
        .anyMatch(anomaly -> anomaly.startsWith("write skew"));
  }

  /// One reader sees the first of two writes alone, another the second alone.
  @Test
  void readersThatSeeWritesInDifferentOrdersAreFound() {
    ListTransaction left = reading(Map.of("x", List.of()));
    ListTransaction right = reading(Map.of("y", List.of()));
    ListTransaction seesLeft = oracle.begin();
    ListTransaction seesRight = oracle.begin();
    long one = left.append("x");
    long two = right.append("y");
    seesLeft.read("x", List.of(one));
    seesLeft.read("y", List.of());
    seesRight.read("x", List.of());
    seesRight.read("y", List.of(two));
    commit(left, right, seesLeft, seesRight);
    assertThat(oracle.anomalies(Map.of("x", List.of(one), "y", List.of(two))))
        .anyMatch(anomaly -> anomaly.startsWith("write skew (G2)"));
  }

  @Test
  void circularInformationFlowIsFound() {
    ListTransaction first = oracle.begin();
    ListTransaction second = oracle.begin();
    first.read("x", List.of());
    long one = first.append("x");
    second.read("y", List.of());
    long two = second.append("y");
    first.read("y", List.of(two));
    second.read("x", List.of(one));
    commit(first, second);
    assertThat(oracle.anomalies(Map.of("x", List.of(one), "y", List.of(two))))
        .anyMatch(anomaly -> anomaly.startsWith("cycle of what was written and read"));
  }

  @Test
  void staleReadIsFound() {
    ListTransaction writer = reading(Map.of("x", List.of()));
    long one = writer.append("x");
    commit(writer);
    ListTransaction late = reading(Map.of("x", List.of()));
    commit(late);
    assertThat(oracle.anomalies(Map.of("x", List.of(one))))
        .anyMatch(anomaly -> anomaly.startsWith("read skew or stale read"));
  }

  @Test
  void readOfARefusedTransactionIsFound() {
    ListTransaction refused = reading(Map.of("x", List.of()));
    long never = refused.append("x");
    refused.refused();
    ListTransaction reader = reading(Map.of("x", List.of(never)));
    commit(reader);
    assertThat(oracle.anomalies(Map.of())).anyMatch(anomaly -> anomaly.startsWith("read of no"));
    assertThat(oracle.anomalies(Map.of("x", List.of(never))))
        .anyMatch(anomaly -> anomaly.contains("did not commit"));
  }

  @Test
  void readOfHalfATransactionIsFound() {
    ListTransaction writer = reading(Map.of("x", List.of()));
    ListTransaction reader = oracle.begin();
    long one = writer.append("x");
    long two = writer.append("x");
    reader.read("x", List.of(one));
    commit(writer, reader);
    assertThat(oracle.anomalies(Map.of("x", List.of(one, two)))).isNotEmpty();
  }

  @Test
  void twoStatesInOneTransactionAreFound() {
    ListTransaction reader = reading(Map.of("x", List.of()));
    assertThatThrownBy(() -> reader.read("x", List.of(7L))).isInstanceOf(AssertionError.class);
    ListTransaction writer = reading(Map.of("x", List.of()));
    writer.append("x");
    assertThatThrownBy(() -> writer.read("x", List.of())).isInstanceOf(AssertionError.class);
  }

  @Test
  void commitOrderThatContradictsWhatWasSeenIsFound() {
    ListTransaction first = reading(Map.of("x", List.of()));
    long one = first.append("x");
    ListTransaction second = oracle.begin();
    second.read("x", List.of(one));
    long two = second.append("x");
    first.committed(20);
    second.committed(10);
    assertThat(oracle.anomalies(Map.of("x", List.of(one, two))))
        .anyMatch(anomaly -> anomaly.startsWith("LSNs contradict"));
  }
}
