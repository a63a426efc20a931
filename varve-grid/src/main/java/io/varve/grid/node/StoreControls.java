package io.varve.grid.node;

import io.varve.Store;
import io.varve.control.ControlSocket;
import io.varve.infinispan.OpenStore;
import io.varve.infinispan.StoreListener;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The control sockets of the stores below the caches of a node: `varve stats`, `top`, `get` and
/// others look into them while the node runs.
final class StoreControls implements StoreListener {
  private final Map<Store, ControlSocket> sockets = new ConcurrentHashMap<>();

  @Override
  public void opened(OpenStore opened) {
    Path directory = opened.directory();
    if (directory != null) {
      ControlSocket socket = ControlSocket.openIfPossible(opened.store(), directory);
      if (socket != null) {
        sockets.put(opened.store(), socket);
      }
    }
  }

  @Override
  public void closing(OpenStore closing) {
    ControlSocket socket = sockets.remove(closing.store());
    if (socket != null) {
      socket.close();
    }
  }
}
