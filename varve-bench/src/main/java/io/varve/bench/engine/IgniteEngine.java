package io.varve.bench.engine;

import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cluster.ClusterState;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.DataRegionConfiguration;
import org.apache.ignite.configuration.DataStorageConfiguration;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.configuration.WALMode;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;
import org.apache.ignite.spi.discovery.tcp.ipfinder.vm.TcpDiscoveryVmIpFinder;
import org.jspecify.annotations.Nullable;

/// A node of Apache Ignite that is a cluster of one, with native persistence: an atomic cache over
/// its write-ahead log, which is mapped by default.
final class IgniteEngine implements Engine {
  private static final String NAME = "bench";

  /// The least that Ignite takes for a region of pages.
  private static final long REGION_BYTES_MIN = 64L << 20;

  private final Ignite ignite;
  private final IgniteCache<UUID, byte[]> cache;

  private IgniteEngine(EngineSettings settings) {
    long regionBytes = Math.max(REGION_BYTES_MIN, settings.cacheBytes());
    String directory = settings.directory().toAbsolutePath().toString();
    var region =
        new DataRegionConfiguration()
            .setPersistenceEnabled(true)
            .setInitialSize(REGION_BYTES_MIN)
            .setMaxSize(regionBytes);
    var storage =
        new DataStorageConfiguration()
            .setDefaultDataRegionConfiguration(region)
            .setStoragePath(directory + "/data")
            // No archive: the log is not copied.
            .setWalPath(directory + "/log")
            .setWalArchivePath(directory + "/log")
            .setWalMode(mode(settings.promise()));
    var addresses = new TcpDiscoveryVmIpFinder(true);
    addresses.setAddresses(List.of("127.0.0.1"));
    var configuration =
        new IgniteConfiguration()
            .setIgniteInstanceName(NAME)
            .setConsistentId(NAME)
            .setWorkDirectory(directory)
            .setLocalHost("127.0.0.1")
            .setMetricsLogFrequency(0)
            .setDiscoverySpi(new TcpDiscoverySpi().setIpFinder(addresses))
            .setDataStorageConfiguration(storage);
    ignite = Ignition.start(configuration);
    ignite.cluster().state(ClusterState.ACTIVE);
    cache =
        ignite.getOrCreateCache(
            new CacheConfiguration<UUID, byte[]>(NAME).setAtomicityMode(CacheAtomicityMode.ATOMIC));
  }

  private static WALMode mode(Promise promise) {
    return switch (promise) {
      case DISK -> WALMode.FSYNC;
      case OS -> WALMode.LOG_ONLY;
      case FAST -> WALMode.BACKGROUND;
    };
  }

  @Override
  public EngineSession session() {
    return new Session();
  }

  @Override
  public void close() {
    ignite.close();
  }

  private final class Session implements UnorderedSession {
    @Override
    public boolean get(byte[] key, ValueSink sink) {
      byte @Nullable [] value = cache.get(id(key));
      if (value == null) {
        return false;
      }
      sink.value(value, value.length);
      return true;
    }

    @Override
    public void put(byte[] key, byte[] value) {
      cache.put(id(key), value);
    }

    @Override
    public void delete(byte[] key) {
      cache.remove(id(key));
    }

    @Override
    public void commit(Batch batch) {
      Map<UUID, byte[]> puts = new TreeMap<>(); // ordered, or two threads could lock each other out
      batch.forEach(
          new Batch.Changes<RuntimeException>() {
            @Override
            public void put(byte[] key, byte[] value) {
              puts.put(id(key), value.clone());
            }

            @Override
            public void delete(byte[] key) {
              writeOut(puts); // in the batch's order
              cache.remove(id(key));
            }
          });
      writeOut(puts);
    }

    private void writeOut(Map<UUID, byte[]> puts) {
      cache.putAll(puts);
      puts.clear();
    }

    /// A key of 16 bytes, as the object of that size that Ignite knows.
    private static UUID id(byte[] key) {
      ByteBuffer bytes = ByteBuffer.wrap(key);
      return new UUID(bytes.getLong(), bytes.getLong());
    }
  }

  static final class Type implements EngineType {
    @Override
    public String label() {
      return "ignite";
    }

    @Override
    public String version() {
      return JarVersion.of(Ignite.class);
    }

    @Override
    public String describe(Promise promise) {
      return "one node, atomic cache, native persistence, no archive of the log, WAL mode "
          + mode(promise);
    }

    @Override
    public Set<Feature> features() {
      return EnumSet.of(
          Feature.COMMIT_TO_DISK,
          Feature.COMMIT_TO_OS,
          Feature.COMMIT_IN_BACKGROUND,
          Feature.WRITE_AHEAD_LOG,
          Feature.PERSISTENT);
    }

    @Override
    public Engine open(EngineSettings settings) {
      return new IgniteEngine(settings);
    }
  }
}
