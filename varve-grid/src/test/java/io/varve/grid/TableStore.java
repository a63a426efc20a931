package io.varve.grid;

import io.varve.grid.node.CacheContainer;
import io.varve.grid.node.ConfigurationLayer;
import java.util.Locale;
import java.util.Map;

/// What keeps the entries of a node that is measured. None forces what it writes: each survives the
/// death of the process.
enum TableStore {
  VARVE,
  SOFT_INDEX,
  ROCKSDB,
  NONE;

  CacheContainer container() {
    if (this == VARVE) {
      return CacheContainer.local();
    }
    String name = "table-" + name().toLowerCase(Locale.ROOT).replace('_', '-') + ".xml";
    return new CacheContainer(ConfigurationLayer.resource(TableStore.class, name), Map.of());
  }
}
