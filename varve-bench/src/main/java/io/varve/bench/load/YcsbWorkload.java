package io.varve.bench.load;

import java.util.List;
import java.util.random.RandomGenerator;

/// The core workloads of YCSB (Cooper et al., "Benchmarking Cloud Serving Systems with YCSB", SoCC
/// 2010, table 2), with records of one field; its files `workloada` to `workloadf` have the same.
public enum YcsbWorkload {
  /// Update heavy.
  A(50, Action.UPDATE, false),
  /// Read mostly.
  B(95, Action.UPDATE, false),
  /// Read only.
  C(100, Action.UPDATE, false),
  /// Read the latest.
  D(95, Action.INSERT, true),
  /// Short ranges: scans in place of reads.
  E(95, Action.INSERT, false),
  /// Read, modify, write.
  F(50, Action.READ_MODIFY_WRITE, false);

  /// The longest scan of workload E; its lengths are uniform.
  public static final int SCAN_LENGTH_MAX = 100;

  private final int readPercent;
  private final Action otherAction;
  private final boolean latest;

  YcsbWorkload(int readPercent, Action otherAction, boolean latest) {
    this.readPercent = readPercent;
    this.otherAction = otherAction;
    this.latest = latest;
  }

  /// What an operation does.
  public enum Action {
    READ,
    UPDATE,
    INSERT,
    SCAN,
    READ_MODIFY_WRITE
  }

  /// All workloads, those that change the data least first.
  public static List<YcsbWorkload> inOrderOfDisturbance() {
    return List.of(C, B, A, F, D, E);
  }

  /// Whether scans are part of it.
  public boolean needsOrder() {
    return this == E;
  }

  /// Draws what the next operation does.
  public Action nextAction(RandomGenerator random) {
    if (random.nextInt(100) >= readPercent) {
      return otherAction;
    }
    return needsOrder() ? Action.SCAN : Action.READ;
  }

  /// Chooses the records that operations work on.
  public RecordChooser chooser(Records records, RandomGenerator random) {
    return latest ? RecordChooser.latest(records, random) : RecordChooser.zipfian(records, random);
  }
}
