package io.varve.bench.engine;

import java.util.EnumSet;
import java.util.Set;
import org.mapdb.BTreeMap;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.Serializer;

/// MapDB: a B-tree over a write-ahead log when commits must reach the disk, over a mapped file
/// otherwise.
final class MapDbEngine implements Engine {
  private final DB db;
  private final BTreeMap<byte[], byte[]> map;
  private final boolean transactional;
  private final WholeStoreCommit commit;

  private MapDbEngine(EngineSettings settings) {
    transactional = settings.promise() == Promise.DISK;
    DBMaker.Maker maker = DBMaker.fileDB(settings.directory().resolve("map.db").toFile());
    db = (transactional ? maker.transactionEnable() : maker.fileMmapEnable()).make();
    map =
        db.treeMap("bench")
            .keySerializer(Serializer.BYTE_ARRAY)
            .valueSerializer(Serializer.BYTE_ARRAY)
            .createOrOpen();
    commit = new WholeStoreCommit(db::commit);
  }

  @Override
  public EngineSession session() {
    return new Session();
  }

  @Override
  public void compact() {
    db.commit();
    db.getStore().compact();
  }

  @Override
  public void close() {
    db.close();
  }

  private void change(Runnable changes) {
    if (transactional) {
      commit.change(changes);
    } else {
      changes.run();
    }
  }

  private final class Session extends NavigableMapSession {
    private final Batch.Changes<RuntimeException> uncommitted =
        new Batch.Changes<>() {
          @Override
          public void put(byte[] key, byte[] value) {
            map.put(key, value);
          }

          @Override
          public void delete(byte[] key) {
            map.remove(key);
          }
        };

    Session() {
      super(map);
    }

    @Override
    public void put(byte[] key, byte[] value) {
      change(() -> uncommitted.put(key, value));
    }

    @Override
    public void delete(byte[] key) {
      change(() -> uncommitted.delete(key));
    }

    @Override
    public void commit(Batch batch) {
      change(() -> batch.forEach(uncommitted));
    }
  }

  static final class Type implements EngineType {
    @Override
    public String label() {
      return "mapdb";
    }

    @Override
    public String version() {
      return JarVersion.of(DB.class);
    }

    @Override
    public String describe(Promise promise) {
      return switch (promise) {
        case DISK -> "BTreeMap over StoreWAL, commit() each";
        case OS, FAST -> "BTreeMap over StoreDirect and mmap; promises nothing after a crash";
      };
    }

    @Override
    public Set<Feature> features() {
      return EnumSet.of(
          Feature.ORDERED, Feature.ATOMIC_BATCH, Feature.COMMIT_TO_DISK, Feature.PERSISTENT);
    }

    @Override
    public Engine open(EngineSettings settings) {
      return new MapDbEngine(settings);
    }
  }
}
