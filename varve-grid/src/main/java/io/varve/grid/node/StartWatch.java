package io.varve.grid.node;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.infinispan.manager.EmbeddedCacheManager;

/// Follows the start of a node.
public interface StartWatch {
  /// The node holds its directory, and the server has not begun.
  ///
  /// @param data where the server keeps its state and its caches
  /// @return properties of the configuration that this start has instead of, or in addition to,
  ///   those given
  Map<String, String> opened(Path data) throws IOException;

  /// The server starts. Comes every few milliseconds until it runs or has failed.
  void starting(EmbeddedCacheManager caches);

  /// The server runs, and no client is let in before this returns.
  ///
  /// @throws NodeException if the node cannot continue
  default void started(Node node) throws InterruptedException {}

  /// Asks for nothing.
  StartWatch NONE =
      new StartWatch() {
        @Override
        public Map<String, String> opened(Path data) {
          return Map.of();
        }

        @Override
        public void starting(EmbeddedCacheManager caches) {}
      };
}
