package io.varve.bench.engine;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;

/// The skip list of the JDK: what memory alone gives. It hands out references where stores copy.
final class SkipListEngine implements Engine {
  private final ConcurrentSkipListMap<byte[], byte[]> map =
      new ConcurrentSkipListMap<>(Arrays::compareUnsigned);

  @Override
  public EngineSession session() {
    return new Session(map);
  }

  @Override
  public void close() {
    map.clear();
  }

  private static final class Session extends NavigableMapSession
      implements Batch.Changes<RuntimeException> {
    private final ConcurrentSkipListMap<byte[], byte[]> map;

    Session(ConcurrentSkipListMap<byte[], byte[]> map) {
      super(map);
      this.map = map;
    }

    @Override
    public void put(byte[] key, byte[] value) {
      map.put(key.clone(), value.clone());
    }

    @Override
    public void delete(byte[] key) {
      map.remove(key);
    }

    @Override
    public void commit(Batch batch) {
      batch.forEach(this);
    }
  }

  static final class Type implements EngineType {
    @Override
    public String label() {
      return "skiplist";
    }

    @Override
    public String version() {
      return "java " + Runtime.version();
    }

    @Override
    public String describe(Promise promise) {
      return "ConcurrentSkipListMap; promises nothing, hands out references: a ceiling, no store";
    }

    @Override
    public Set<Feature> features() {
      return EnumSet.of(Feature.ORDERED);
    }

    @Override
    public Engine open(EngineSettings settings) {
      return new SkipListEngine();
    }
  }
}
