package io.varve.infinispan.query;

import java.nio.file.Path;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.commons.marshall.JavaSerializationMarshaller;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.cache.IndexStorage;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;

/// Caches of books to be queried: few entries are in memory, and the index is in files.
final class Books {
  private Books() {}

  /// Lets a manager keep books and their index in a directory.
  static GlobalConfigurationBuilder keptIn(Path directory, GlobalConfigurationBuilder global) {
    global.globalState().enable().persistentLocation(directory.toString());
    global
        .serialization()
        .marshaller(new JavaSerializationMarshaller())
        .allowList()
        .addClass(Book.class.getName());
    return global;
  }

  /// The configuration of a cache, to be added to.
  static ConfigurationBuilder indexed() {
    ConfigurationBuilder configuration = new ConfigurationBuilder();
    configuration.encoding().mediaType(MediaType.APPLICATION_OBJECT_TYPE);
    configuration.memory().maxCount(10); // so that reads go to the store
    configuration
        .indexing()
        .enable()
        .storage(IndexStorage.FILESYSTEM)
        .path("index")
        .addIndexedEntities(Book.class);
    return configuration;
  }
}
