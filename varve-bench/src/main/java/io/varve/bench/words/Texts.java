package io.varve.bench.words;

import io.varve.bench.engine.Engine;
import io.varve.bench.engine.EngineSession;
import io.varve.bench.measure.ProcessUse;
import java.util.Map;

/// Texts by their numbers, whose words can be counted.
public interface Texts extends Engine {
  /// Adds a text.
  void put(int number, byte[] text);

  /// How often each word is in all texts.
  Map<String, Long> countWords();

  /// The same with as little memory for what is between as the library permits.
  ///
  /// @return the number of different words
  default long countWordsSparingly() {
    return countWords().size();
  }

  /// CPU time so far of all threads of all processes that count.
  default long cpuNanos() {
    return ProcessUse.cpuNanos();
  }

  @Override
  default EngineSession session() {
    throw new UnsupportedOperationException("texts are counted, not looked up");
  }
}
