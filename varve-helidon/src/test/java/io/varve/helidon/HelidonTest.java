package io.varve.helidon;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Store;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The annotations of JCache in a service of Helidon, which brings a container of its own.
class HelidonTest {
  @TempDir Path directory;

  @Test
  void whatACallHasAnsweredIsThereAfterAKill() throws Exception {
    try (var service = new ServiceProcess(directory)) {
      assertThat(service.send("GET", "/books/1")).isEqualTo("A book of number 1");
      assertThat(service.send("GET", "/books/1")).isEqualTo("A book of number 1");
      assertThat(service.send("GET", "/books/2")).isEqualTo("A book of number 2");
      assertThat(service.send("GET", "/books/lookups")).isEqualTo("2");
    }
    try (var service = new ServiceProcess(directory)) {
      assertThat(service.send("GET", "/books/1")).isEqualTo("A book of number 1");
      assertThat(service.send("GET", "/books/lookups")).isEqualTo("0");
      service.send("DELETE", "/books/1");
      assertThat(service.send("GET", "/books/1")).isEqualTo("A book of number 1");
      assertThat(service.send("GET", "/books/lookups")).isEqualTo("1");
      assertThat(service.log()).doesNotContain("WARN", "SEVERE");
      service.stop();
    }
    // The caches are closed with the container: nothing is recovered.
    try (Store store = Store.open(directory.resolve("caches"))) {
      assertThat(store.statistics().recovery().replayedCommits()).isZero();
    }
  }
}
