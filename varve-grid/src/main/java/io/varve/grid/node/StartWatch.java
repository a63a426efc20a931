package io.varve.grid.node;

import java.io.IOException;
import java.nio.file.Path;
import org.infinispan.manager.EmbeddedCacheManager;

/// Follows the start of a node.
public interface StartWatch {
  /// The node holds its directory, and the server has not begun.
  ///
  /// @param data where the server keeps its state and its caches
  void opened(Path data) throws IOException;

  /// The server starts. Comes every few milliseconds until it runs or has failed.
  void starting(EmbeddedCacheManager caches);

  /// Asks for nothing.
  StartWatch NONE =
      new StartWatch() {
        @Override
        public void opened(Path data) {}

        @Override
        public void starting(EmbeddedCacheManager caches) {}
      };
}
