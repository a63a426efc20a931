package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Store;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The names of the spaces, read while others make, rename and drop spaces.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SpaceNamesTest {
  private static final int ROUNDS = 3_000;

  private final AtomicBoolean done = new AtomicBoolean();

  @Test
  void spacesThatComeAndPassHideNoOther() throws InterruptedException {
    try (Store store = Store.inMemory()) {
      store.space("a");
      store.space("z");
      checkDuring(
          () -> {
            for (int i = 0; i < ROUNDS; i++) {
              String name = "n" + i % 10;
              store.space(name);
              store.dropSpace(name);
            }
          },
          () -> assertThat(store.spaceNames()).contains("a", "z"));
    }
  }

  @Test
  void aSpaceThatIsRenamedIsThereUnderOneName() throws InterruptedException {
    try (Store store = Store.inMemory()) {
      store.space("a");
      store.space("m");
      store.space("z");
      checkDuring(
          () -> {
            for (int i = 0; i < ROUNDS; i++) {
              assertThat(store.renameSpace("m", "y")).isTrue();
              assertThat(store.renameSpace("y", "b")).isTrue();
              assertThat(store.renameSpace("b", "m")).isTrue();
            }
          },
          () -> assertThat(store.spaceNames()).startsWith("a").endsWith("z").hasSize(3));
    }
  }

  private void checkDuring(Runnable changes, Runnable check) throws InterruptedException {
    Threads threads = new Threads();
    threads.start(() -> {
      try {
        changes.run();
      } finally {
        done.set(true);
      }
    });
    while (!done.get()) {
      check.run();
    }
    threads.join();
  }
}
