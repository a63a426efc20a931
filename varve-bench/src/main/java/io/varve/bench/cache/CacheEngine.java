package io.varve.bench.cache;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.varve.bench.engine.Batch;
import io.varve.bench.engine.Engine;
import io.varve.bench.engine.EngineSession;
import io.varve.bench.engine.UnorderedSession;
import org.jspecify.annotations.Nullable;

/// A cache as a store: keys become strings of as many characters, a batch single puts.
final class CacheEngine implements Engine {
  private final ObjectCache cache;

  CacheEngine(ObjectCache cache) {
    this.cache = cache;
  }

  @Override
  public EngineSession session() {
    return new Session();
  }

  @Override
  public void close() {
    cache.close();
  }

  private final class Session implements UnorderedSession, Batch.Changes<RuntimeException> {
    private static String text(byte[] key) {
      return new String(key, ISO_8859_1);
    }

    @Override
    public boolean get(byte[] key, ValueSink sink) {
      byte @Nullable [] value = cache.get(text(key));
      if (value == null) {
        return false;
      }
      sink.value(value, value.length);
      return true;
    }

    @Override
    public void put(byte[] key, byte[] value) {
      cache.put(text(key), value.clone());
    }

    @Override
    public void delete(byte[] key) {
      cache.remove(text(key));
    }

    @Override
    public void commit(Batch batch) {
      batch.forEach(this);
    }
  }
}
