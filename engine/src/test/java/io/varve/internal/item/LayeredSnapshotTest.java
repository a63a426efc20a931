package io.varve.internal.item;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.varve.Space;
import io.varve.Store;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Snapshots of items keep the spaces of layers that were merged, until they are closed.
class LayeredSnapshotTest {
  private final Store store = Store.inMemory();
  private final Space main = store.space("items");

  @AfterEach
  void close() {
    store.close();
  }

  private LayeredSnapshot snapshotOf(Layer... layers) {
    ItemState state =
        new ItemState(Overlay.EMPTY, Overlay.EMPTY, new Layers(List.of(layers), false, false));
    LayeredSnapshot snapshot = LayeredSnapshot.pin(main, state, store.snapshot());
    assertThat(snapshot).isNotNull();
    return snapshot;
  }

  private Layer layer(String name, Consumer<String> dropping) {
    return new Layer(store.space(name), dropping);
  }

  /// The snapshot looked for the space of the layer, which a closed store refuses: the close of the
  /// snapshot failed, in the `finally` of who had used it.
  @Test
  void aSnapshotIsClosedAfterItsStore() {
    Layer layer = layer("layer", store::dropSpace);
    LayeredSnapshot snapshot = snapshotOf(layer);
    layer.release();
    store.close();
    snapshot.close();
  }

  /// The layers after one whose space could not be dropped stayed pinned.
  @Test
  void everyLayerIsUnpinnedAlsoIfADropFails() {
    Layer broken =
        layer(
            "broken",
            _ -> {
              throw new IllegalStateException("by a test");
            });
    Layer sound = layer("sound", store::dropSpace);
    LayeredSnapshot snapshot = snapshotOf(broken, sound);
    broken.release();
    sound.release();
    assertThatExceptionOfType(IllegalStateException.class).isThrownBy(snapshot::close);
    assertThat(store.spaceNames()).containsExactly("broken", "items");
  }
}
