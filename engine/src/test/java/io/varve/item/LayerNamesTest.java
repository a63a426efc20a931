package io.varve.item;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Codec;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.admin.BackupOptions;
import io.varve.admin.RestoreTo;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import io.varve.test.UnmergedItems;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Layers of an item space are spaces of the store, and users' spaces never are layers.
class LayerNamesTest {
  private static final StoreOptions OPTIONS = UnmergedItems.OPTIONS;
  private static final String LAYER = "items~layer-0000000000000000007";
  private static final int ITEMS = 3000;

  @Test
  void aNameOfALayerIsRefused() {
    try (Store store = Store.inMemory()) {
      assertRefused(() -> store.space(LAYER));
      assertRefused(() -> store.dropSpace(LAYER));
      assertRefused(() -> store.map(LAYER, Codec.string(), Codec.string()));
      assertRefused(() -> store.items(LAYER));
      assertThat(store.spaceNames()).isEmpty();
      assertThat(store.findSpace(LAYER)).isNull();
    }
  }

  private static void assertRefused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("reserved for changes of the item space 'items'")
        .hasMessageContaining("name=" + LAYER);
  }

  @Test
  void anyNumberOfNineteenDigitsIsReserved() {
    try (Store store = SimulatedStore.open(new SimulatedDisk(1), OPTIONS)) {
      assertThatThrownBy(() -> store.space("items~layer-9223372036854775808"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("reserved for changes of the item space 'items'");
    }
  }

  /// Guards against an item space that takes a user's space for a layer: drops it as one that was
  /// not committed, or fails over what is no number.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "items~layer-",
        "items~layer-7",
        "items~layer-x",
        "items~layer-000000000000000000",
        "items~layer-00000000000000000007",
        "items~layer-000000000000000000x",
        "~layer-0000000000000000007",
      })
  void aNameThatIsNotQuiteOneIsTheUsers(String name) {
    SimulatedDisk disk = new SimulatedDisk(1);
    byte[] key = {1};
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      store.space(name).put(key, key);
      store.items("items").insert(Item.of("one"));
      store.items("items").commit();
      store.dropSpace("items");
      store.items("items").insert(Item.of("two"));
      store.items("items").commit();
    }
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      assertThat(store.items("items").scan()).containsExactly(Item.of("two"));
      assertThat(store.space(name).get(key)).isEqualTo(key);
      assertThat(store.verify().isSound()).isTrue();
    }
  }

  @Test
  void aRestoreCarriesLayers() {
    SimulatedDisk backups = new SimulatedDisk(2);
    try (Store store = SimulatedStore.open(UnmergedItems.disk(ITEMS), OPTIONS)) {
      assertThat(layers(store)).isNotEmpty();
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
    }
    SimulatedDisk target = new SimulatedDisk(3);
    SimulatedStore.restore(backups, target, RestoreTo.newest());
    requireItems(target);
  }

  @Test
  void aSalvageCarriesLayers() {
    SimulatedDisk target = new SimulatedDisk(2);
    SimulatedStore.salvage(UnmergedItems.disk(ITEMS), target, OPTIONS);
    requireItems(target);
  }

  private static void requireItems(SimulatedDisk disk) {
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      assertThat(layers(store)).isNotEmpty();
      ItemSpace items = store.items("items");
      assertThat(items.count()).isEqualTo(ITEMS);
      items.commit(); // merges what is left to be merged
      assertThat(store.spaceNames()).containsExactly("items");
      assertThat(items.count()).isEqualTo(ITEMS);
      assertThat(store.verify().isSound()).isTrue();
    }
  }

  private static List<String> layers(Store store) {
    return store.spaceNames().stream().filter(name -> name.startsWith("items~layer-")).toList();
  }
}
