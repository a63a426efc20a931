package io.varve.bench.table;

/// The JVM that started this one, and what it keeps from stage to stage.
public interface Parent {
  /// Notifies the parent that the store has acknowledged that many records.
  void acknowledged(long records);

  /// What an earlier stage has reported last.
  long acknowledged();

  /// Asks to be killed immediately, as by a crash. Returns before that.
  void kill();
}
