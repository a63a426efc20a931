package io.varve.bench.words;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Byte arrays in a map of the JDK: what memory alone gives.
final class MapTexts implements Texts {
  private final Map<Integer, byte[]> texts = new ConcurrentHashMap<>();

  @Override
  public void put(int number, byte[] text) {
    texts.put(number, text);
  }

  @Override
  public Map<String, Long> countWords() {
    return StreamedCount.count(texts.values().parallelStream());
  }

  @Override
  public void close() {
    texts.clear();
  }
}
