package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.KeySource;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreKeyException;
import io.varve.StoreOptions;
import io.varve.admin.Backups;
import io.varve.admin.RestoreTo;
import io.varve.admin.Salvage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A call that makes a store, and is given a wrong key, leaves nothing: neither a directory, nor
/// what refuses the right key after it.
class WrongKeyTest {
  private static final KeySource RIGHT = key(1);
  private static final KeySource WRONG = key(2);

  /// Has the key of what is there, but none for a new store.
  private static final KeySource WITHOUT_CURRENT =
      new KeySource() {
        @Override
        public String currentId() {
          return "none";
        }

        @Override
        public byte @Nullable [] key(String id) {
          return id.equals(currentId()) ? null : RIGHT.key(id);
        }
      };

  @TempDir Path directory;

  private static KeySource key(int number) {
    byte[] key = new byte[KeySource.KEY_BYTES];
    Arrays.fill(key, (byte) number);
    return KeySource.of(key);
  }

  private static StoreOptions with(KeySource key) {
    return Stores.tiny().encryption(key);
  }

  private Path origin() {
    Path origin = directory.resolve("origin");
    try (Store store = Store.open(origin, with(RIGHT))) {
      store.space("s").put(new byte[] {1}, new byte[] {2});
      Backups.at(directory.resolve("backups")).take(store);
    }
    return origin;
  }

  private void requireRefused(ThrowingCallable call, Path made) {
    assertThatThrownBy(call).isInstanceOf(StoreKeyException.class);
    assertThat(Files.exists(made)).as("a directory is there").isFalse();
  }

  private static void requireContent(Path made) {
    try (Store store = Store.open(made, with(RIGHT))) {
      Space space = store.space("s");
      assertThat(space.get(new byte[] {1})).containsExactly(2);
    }
  }

  @Test
  void aRestoreLeavesNothing() {
    origin();
    Backups backups = Backups.at(directory.resolve("backups"));
    Path made = directory.resolve("made");
    requireRefused(() -> backups.encryption(WRONG).restore(made, RestoreTo.newest()), made);
    requireRefused(() -> backups.restore(made, RestoreTo.newest()), made);
    backups.encryption(RIGHT).restore(made, RestoreTo.newest());
    requireContent(made);
  }

  @Test
  void aSalvageLeavesNothing() {
    Salvage salvage = Salvage.of(origin());
    Path made = directory.resolve("made");
    requireRefused(() -> salvage.encryption(WRONG).into(made), made);
    requireRefused(() -> salvage.into(made), made);
    requireRefused(() -> salvage.encryption(WITHOUT_CURRENT).into(made), made);
    salvage.encryption(RIGHT).into(made);
    requireContent(made);
  }

  @Test
  void anOpenLeavesNothingThatRefusesTheRightKey() {
    Path made = directory.resolve("made");
    assertThatThrownBy(() -> Store.open(made, with(WITHOUT_CURRENT)).close())
        .isInstanceOf(StoreKeyException.class);
    Store.open(made, with(RIGHT)).close();
  }
}
