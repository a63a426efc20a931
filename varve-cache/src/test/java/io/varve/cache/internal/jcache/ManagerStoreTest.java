package io.varve.cache.internal.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.KeySource;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.cache.CacheOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Stores that managers share, while others are opened and closed.
@Timeout(60)
class ManagerStoreTest {
  @TempDir private Path directory;

  private static void use(ManagerStore store) {
    store.<String, String>join(
        "none",
        OpenCache.Settings.of(new CacheOptions<>()),
        (opened, onEnd) -> {
          assertThat(opened.spaceNames()).isEmpty();
          onEnd.run();
          return null;
        });
  }

  /// One lock for all directories was held while a store was opened, which asks for its key: a
  /// vault that was slow, or used a cache, kept all managers of the process waiting.
  @Test
  void aSourceOfKeysMayWaitForAManagerOfAnotherDirectory() {
    KeySource waiting =
        new KeySource() {
          @Override
          public String currentId() {
            CompletableFuture.runAsync(
                    () -> {
                      try (ManagerStore other =
                          new ManagerStore(directory.resolve("b"), StoreOptions.defaults())) {
                        use(other);
                      }
                    })
                .join();
            return "id";
          }

          @Override
          public byte[] key(String keyId) {
            return new byte[KEY_BYTES];
          }
        };
    try (ManagerStore store =
        new ManagerStore(directory.resolve("a"), StoreOptions.defaults().encryption(waiting))) {
      use(store);
    }
  }

  @Test
  void threadsThatOpenAndCloseADirectoryShareItsStore() throws Exception {
    try (var threads = Executors.newFixedThreadPool(6)) {
      List<Future<?>> ends = new ArrayList<>();
      for (int thread = 0; thread < 6; thread++) {
        ends.add(
            threads.submit(() -> {
              for (int i = 0; i < 20; i++) {
                try (ManagerStore store = new ManagerStore(directory, StoreOptions.defaults())) {
                  use(store);
                }
              }
            }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    }
  }

  @Test
  void aStoreThatWasNotOpenedIsLeft() {
    KeySource key = KeySource.of(new byte[KeySource.KEY_BYTES]);
    try (ManagerStore clear = new ManagerStore(directory, StoreOptions.defaults())) {
      use(clear);
      try (ManagerStore other =
          new ManagerStore(directory, StoreOptions.defaults().encryption(key))) {
        assertThatThrownBy(() -> use(other))
            .hasMessageContaining("has the directory open in clear");
      }
      use(clear);
    }
    try (ManagerStore other =
        new ManagerStore(directory, StoreOptions.defaults().encryption(key))) {
      assertThatThrownBy(() -> use(other)).hasMessageContaining("the store is not encrypted");
    }
    try (ManagerStore again = new ManagerStore(directory, StoreOptions.defaults())) {
      use(again);
    }
  }

  /// A call that overtook the close of its manager opened the store again, and nothing closed it.
  @Test
  void aStoreThatWasClosedIsNotOpenedAgain() {
    ManagerStore closed = new ManagerStore(directory, StoreOptions.defaults());
    use(closed);
    closed.close();
    assertThatThrownBy(() -> closed.destroy("none")).hasMessage("the cache manager is closed");
    assertThatThrownBy(() -> use(closed)).hasMessage("the cache manager is closed");
    Store.open(directory).close();
  }
}
