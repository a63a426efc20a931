package io.varve.test;

import static io.varve.test.MarkedStore.contents;
import static io.varve.test.MarkedStore.fill;
import static io.varve.test.MarkedStore.key;
import static io.varve.test.MarkedStore.requireRefused;
import static io.varve.test.MarkedStore.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.CorruptStoreException;
import io.varve.KeySource;
import io.varve.Store;
import io.varve.StoreKeyException;
import io.varve.StoreOptions;
import io.varve.VarveException;
import io.varve.internal.disk.FileOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// An encrypted store opens with its key alone, and a change of key leaves one key in force.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EncryptionKeyTest {
  private final SimulatedDisk disk = new SimulatedDisk(1);

  @Test
  void wrongAndMissingKeysAreRefusedBeforeAnythingIsTouched() throws IOException {
    Model model;
    SimulatedDisk crashed;
    try (Store store = SimulatedStore.open(disk, with(key(1)))) {
      model = fill(store);
      store.awaitDurable(store.lastCommit());
      crashed = disk.copy();
    }
    for (SimulatedDisk each : List.of(disk, crashed)) {
      requireRefused(
          each, with(key(2)), StoreKeyException.class, "wrong key", key(1).currentId(), "keys");
      requireRefused(
          each, Stores.tiny(), StoreKeyException.class, "the store is encrypted", "give its key");
      requireRefused(
          each, with(unknown()), StoreKeyException.class, "key unknown", key(1).currentId());
      try (Store store = SimulatedStore.open(each, with(key(1)))) {
        model.requireEqual(Model.of(store), "with the right key");
      }
    }
  }

  /// A source that knows no key of that id.
  private static KeySource unknown() {
    return new KeySource() {
      @Override
      public String currentId() {
        return "none";
      }

      @Override
      public byte @Nullable [] key(String id) {
        return null;
      }
    };
  }

  @Test
  void aKeyForAStoreInClearIsRefused() throws IOException {
    SimulatedStore.open(disk, Stores.tiny()).close();
    requireRefused(disk, with(key(1)), StoreKeyException.class, "the store is not encrypted");
    SimulatedStore.open(disk, Stores.tiny()).close();
  }

  @Test
  void theSourceIsAskedByIdForEachStore() {
    Map<String, KeySource> vault = new HashMap<>(Map.of("a", key(1), "b", key(2)));
    List<String> asked = new ArrayList<>();
    var source =
        new KeySource() {
          private String current = "a";

          @Override
          public String currentId() {
            return current;
          }

          @Override
          public byte @Nullable [] key(String id) {
            asked.add(id);
            KeySource known = vault.get(id);
            return known == null ? null : known.key(id);
          }
        };
    SimulatedStore.open(disk, with(source)).close();
    source.current = "b";
    SimulatedStore.open(disk, with(source)).close();
    assertThat(asked).containsExactly("a", "a");
    SimulatedStore.changeKey(disk, source, source);
    vault.remove("a");
    SimulatedStore.open(disk, with(source)).close();
    assertThat(asked).containsExactly("a", "a", "a", "b", "b");
  }

  @Test
  void eitherCopyOfTheKeysWillDoAndWithoutBothTheStoreIsRefused() throws IOException {
    SimulatedStore.open(disk, with(key(1))).close();
    for (int[] damage : new int[][] {{60}, {4096 + 60}, {60, 4096 + 60}}) {
      SimulatedDisk damaged = disk.copy();
      for (int position : damage) {
        damaged.flipBit("keys", position, 3);
      }
      if (damage.length == 1) {
        SimulatedStore.open(damaged, with(key(1))).close();
      } else {
        requireRefused(damaged, with(key(1)), CorruptStoreException.class, "keys file damaged");
      }
    }
  }

  @Test
  void aStoreWithoutItsKeysIsRefused() throws IOException {
    SimulatedStore.open(disk, with(key(1))).close();
    disk.asDisk().delete("keys");
    for (StoreOptions options : List.of(with(key(1)), Stores.tiny())) {
      requireRefused(disk, options, CorruptStoreException.class, "its keys file is missing");
    }
  }

  @Test
  void keysOfAnotherStoreAreRefused() throws IOException {
    SimulatedStore.open(disk, with(key(1))).close();
    SimulatedDisk other = new SimulatedDisk(2);
    SimulatedStore.open(other, with(key(1))).close();
    copyFile(other, disk, "keys");
    assertThatThrownBy(() -> SimulatedStore.open(disk, with(key(1))).close())
        .isInstanceOf(VarveException.class)
        .hasMessageContaining("keys file belongs to another store");
    SimulatedDisk clear = new SimulatedDisk(3);
    SimulatedStore.open(clear, Stores.tiny()).close();
    copyFile(other, clear, "keys");
    requireRefused(clear, with(key(1)), CorruptStoreException.class, "is not encrypted");
  }

  private static void copyFile(SimulatedDisk from, SimulatedDisk to, String name)
      throws IOException {
    try (var file = to.asDisk().open(name, FileOption.CREATE)) {
      file.write(0, ByteBuffer.wrap(from.content(name)));
    }
  }

  @Test
  void aChangedKeyOpensTheStoreAndTheOldOneDoesNot() throws IOException {
    Model model;
    try (Store store = SimulatedStore.open(disk, with(key(1)))) {
      model = fill(store);
    }
    Map<String, byte[]> before = contents(disk);
    SimulatedStore.changeKey(disk, key(1), key(2));
    Map<String, byte[]> after = contents(disk);
    assertThat(after.get("keys")).isNotEqualTo(before.get("keys"));
    assertThat(after.get("pages")).isEqualTo(before.get("pages"));
    requireRefused(disk, with(key(1)), StoreKeyException.class, "wrong key");
    try (Store store = SimulatedStore.open(disk, with(key(2)))) {
      model.requireEqual(Model.of(store), "with the new key");
    }
  }

  @Test
  void aChangeWithoutTheOldKeyIsRefused() throws IOException {
    SimulatedStore.open(disk, with(key(1))).close();
    Map<String, byte[]> before = contents(disk);
    assertThatThrownBy(() -> SimulatedStore.changeKey(disk, key(3), key(2)))
        .isInstanceOf(StoreKeyException.class)
        .hasMessageContaining("wrong key");
    assertThat(contents(disk)).containsExactlyInAnyOrderEntriesOf(before);
    SimulatedDisk clear = new SimulatedDisk(2);
    SimulatedStore.open(clear, Stores.tiny()).close();
    assertThatThrownBy(() -> SimulatedStore.changeKey(clear, key(3), key(2)))
        .isInstanceOf(StoreKeyException.class)
        .hasMessageContaining("not encrypted");
  }

  /// Whenever the power is cut, one of the two keys opens the store, and once the change has
  /// returned it is the new one.
  @Test
  void aChangeThatIsCutShortLeavesOneKeyInForce() throws IOException {
    Model model;
    try (Store store = SimulatedStore.open(disk, with(key(1)))) {
      model = fill(store);
    }
    boolean returned = false;
    for (int call = 1; !returned; call++) {
      for (int seed = 0; seed < 3; seed++) {
        SimulatedDisk cut = disk.copy();
        cut.cutPowerAtCall(cut.mutatingCalls() + call);
        returned = true;
        try {
          SimulatedStore.changeKey(cut, key(1), key(2));
        } catch (VarveException e) {
          returned = false;
        }
        requireOneKeyOpens(cut.powerCut(), model, returned, "cut at call " + call);
      }
    }
  }

  private static void requireOneKeyOpens(
      SimulatedDisk after, Model model, boolean changed, String when) {
    List<Long> opened = new ArrayList<>();
    for (long seed = 1; seed <= 2; seed++) {
      try (Store store = SimulatedStore.open(after, with(key(seed)))) {
        model.requireEqual(Model.of(store), when);
        opened.add(seed);
      } catch (StoreKeyException e) {
        assertThat(e.getMessage()).as(when).contains("wrong key");
      }
    }
    assertThat(opened).as(when).hasSize(1);
    if (changed) {
      assertThat(opened).as(when).containsExactly(2L);
    }
  }

  /// A failed call leaves the old key in force, or the new one; what is left lying is no harm.
  @Test
  void aChangeThatFailsLeavesOneKeyInForce() {
    SimulatedStore.open(disk, with(key(1))).close();
    boolean failed = true;
    for (int call = 1; failed; call++) {
      SimulatedDisk failing = disk.copy();
      failing.faults(FaultPlan.nth(call, _ -> true, Fault.IO_ERROR));
      failed = false;
      try {
        SimulatedStore.changeKey(failing, key(1), key(2));
      } catch (VarveException e) {
        failed = true;
      }
      failing.faults(FaultPlan.none());
      requireOneKeyOpens(failing, new Model(), !failed, "failed call " + call);
      SimulatedStore.changeKey(failing, failed && opens(failing, 1) ? key(1) : key(2), key(3));
      assertThat(opens(failing, 3)).isTrue();
    }
  }

  private static boolean opens(SimulatedDisk disk, long seed) {
    try (Store _ = SimulatedStore.open(disk, with(key(seed)))) {
      return true;
    } catch (StoreKeyException e) {
      return false;
    }
  }
}
