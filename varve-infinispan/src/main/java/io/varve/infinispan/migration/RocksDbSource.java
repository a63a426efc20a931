package io.varve.infinispan.migration;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.persistence.rocksdb.configuration.RocksDBStoreConfigurationBuilder;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/// What is to be known of a store of RocksDB before Infinispan opens it. Apart from the other
/// kinds, whose users need not have RocksDB.
final class RocksDbSource {
  /// Families apart from those of segments: the default one, and Infinispan's version.
  private static final int OTHER_FAMILIES = 2;

  private RocksDbSource() {}

  /// Infinispan opens a store only with the number of segments that it was made with. Each has a
  /// column family.
  static void addTo(ConfigurationBuilder configuration, Path location, String cache) {
    int segments = families(location.resolve(cache).resolve("data")).size() - OTHER_FAMILIES;
    if (segments > 0) {
      configuration.clustering().hash().numSegments(segments);
    }
    configuration
        .persistence()
        .addStore(RocksDBStoreConfigurationBuilder.class)
        .location(location.toString())
        .expiredLocation(location.toString())
        .segmented(segments > 0);
  }

  private static List<byte[]> families(Path data) {
    try (Options options = new Options()) {
      return RocksDB.listColumnFamilies(options, data.toString());
    } catch (RocksDBException e) {
      throw unreadable(data, e);
    }
  }

  /// Reads all blocks: Infinispan takes one whose checksum is wrong for the end of its segment.
  static void requireSound(Path data) {
    List<ColumnFamilyDescriptor> descriptors =
        families(data).stream().map(ColumnFamilyDescriptor::new).toList();
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    try (DBOptions options = new DBOptions();
        RocksDB database = RocksDB.openReadOnly(options, data.toString(), descriptors, handles)) {
      database.verifyChecksum();
      handles.forEach(ColumnFamilyHandle::close);
    } catch (RocksDBException e) {
      throw unreadable(data, e);
    }
  }

  private static ImportException unreadable(Path data, RocksDBException e) {
    return new ImportException(
        "RocksDB finds the store damaged: found="
            + e.getMessage()
            + ", directory="
            + data
            + "; say that what is damaged is to be skipped, or restore the source from a backup",
        e);
  }
}
