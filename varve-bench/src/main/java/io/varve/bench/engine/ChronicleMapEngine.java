package io.varve.bench.engine;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ChronicleMapBuilder;
import org.jspecify.annotations.Nullable;

/// Chronicle Map: a hash table in a mapped file. It has no order, no commits and no force.
final class ChronicleMapEngine implements Engine {
  private final ChronicleMap<byte[], byte[]> map;
  private final int valueBytes;

  private ChronicleMapEngine(EngineSettings settings) {
    valueBytes = settings.valueBytes();
    try {
      map =
          ChronicleMapBuilder.of(byte[].class, byte[].class)
              .entries(settings.entriesMax())
              .constantKeySizeBySample(new byte[EngineSettings.KEY_BYTES])
              .constantValueSizeBySample(new byte[valueBytes])
              .putReturnsNull(true)
              .removeReturnsNull(true)
              .createPersistedTo(settings.directory().resolve("chronicle.map").toFile());
    } catch (IOException e) {
      throw new EngineException(e);
    }
  }

  @Override
  public EngineSession session() {
    return new Session();
  }

  @Override
  public void close() {
    map.close();
  }

  private final class Session implements UnorderedSession, Batch.Changes<RuntimeException> {
    private final byte[] buffer = new byte[valueBytes];

    @Override
    public boolean get(byte[] key, ValueSink sink) {
      byte @Nullable [] value = map.getUsing(key, buffer);
      if (value == null) {
        return false;
      }
      sink.value(value, value.length);
      return true;
    }

    @Override
    public void put(byte[] key, byte[] value) {
      map.put(key, value);
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
      return "chronicle-map";
    }

    @Override
    public String version() {
      return JarVersion.of(ChronicleMap.class);
    }

    @Override
    public String describe(Promise promise) {
      return "persisted map, entries sized to the data; no order, no commit, no force";
    }

    @Override
    public Set<Feature> features() {
      return EnumSet.of(Feature.PERSISTENT, Feature.ONE_VALUE_LENGTH);
    }

    @Override
    public Engine open(EngineSettings settings) {
      return new ChronicleMapEngine(settings);
    }
  }
}
