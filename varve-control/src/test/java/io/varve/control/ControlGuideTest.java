package io.varve.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Store;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs the code of docs/OBSERVABILITY.md that opens a control socket, as it is there.
final class ControlGuideTest {
  @TempDir Path directory;

  @Test
  void theSocketIsThereWhileTheProgramRuns() {
    try (Store store = Store.open(directory);
        ControlSocket _ = ControlSocket.open(store, directory)) {
      run(store); // what the program does
    }
    assertThat(new ControlClient(directory).isPresent()).isFalse();
  }

  private void run(Store store) {
    store.space("s").put(new byte[] {1}, new byte[] {2});
    var client = new ControlClient(directory);
    assertThat(client.isPresent()).isTrue();
    assertThat(client.spaces()).hasSize(1);
    store.verify().requireSound();
  }
}
