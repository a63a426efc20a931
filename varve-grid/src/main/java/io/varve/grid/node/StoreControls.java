package io.varve.grid.node;

import io.varve.Store;
import io.varve.control.ControlSocket;
import io.varve.grid.items.ItemStoreListener;
import io.varve.infinispan.OpenStore;
import io.varve.infinispan.StoreListener;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The control sockets of the stores of a node, below its caches and of its items: `varve stats`,
/// `top`, `get` and others look into them while the node runs.
final class StoreControls implements StoreListener, ItemStoreListener {
  private final Map<Store, ControlSocket> sockets = new ConcurrentHashMap<>();

  @Override
  public void opened(OpenStore opened) {
    opened(opened.store(), opened.directory());
  }

  @Override
  public void opened(Store store, @Nullable Path directory) {
    if (directory != null) {
      ControlSocket socket = ControlSocket.openIfPossible(store, directory);
      if (socket != null) {
        sockets.put(store, socket);
      }
    }
  }

  @Override
  public void closing(OpenStore closing) {
    closing(closing.store());
  }

  @Override
  public void closing(Store store) {
    ControlSocket socket = sockets.remove(store);
    if (socket != null) {
      socket.close();
    }
  }
}
