package io.varve.bench.table;

/// The JVM that started this one, and what it keeps from stage to stage.
public interface Parent {
  /// Tells the parent that the store has acknowledged that many records.
  void acknowledged(long records);

  /// What an earlier stage has told last.
  long acknowledged();

  /// Asks to be killed immediately, as by a crash. Returns before that.
  void kill();
}
