package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Space;
import io.varve.Store;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A killed process leaves its files as they are then, the mapped ring among them: they hold every
/// acknowledged commit, and no byte of any in clear.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EncryptedKillTest {
  private static final int[] ACKNOWLEDGED_BEFORE_KILL = {1, 40, 1500};

  @TempDir Path directory;

  @Test
  void killedProcessLeavesAllThatItAcknowledgedAndNothingInClear() throws Exception {
    for (int wanted : ACKNOWLEDGED_BEFORE_KILL) {
      Path store = directory.resolve("store-" + wanted);
      Set<Long> acknowledged = runUntilKilled(store, wanted);
      requireNothingInClear(store, "log/ring");
      try (Store opened = Store.open(store, Stores.tiny().encryption(Stores.key()))) {
        Space space = opened.space(EncryptedKillChild.SPACE);
        for (long number : acknowledged) {
          assertThat(space.get(EncryptedKillChild.key(number)))
              .isEqualTo(EncryptedKillChild.value(number));
        }
        opened.verify().requireSound();
      }
      requireNothingInClear(store, "pages");
    }
  }

  private static Set<Long> runUntilKilled(Path store, int wanted) throws Exception {
    Set<Long> acknowledged = new HashSet<>();
    try (ChildJvm child = ChildJvm.start(EncryptedKillChild.class, store.toString())) {
      for (String line = child.readLine(); line != null; line = child.readLine()) {
        acknowledged.add(Long.parseLong(line));
        if (acknowledged.size() == wanted) {
          child.kill();
        }
      }
      child.exitCode();
    }
    assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(wanted);
    return acknowledged;
  }

  /// @param among a file that must be there, so that the right ones are looked at
  private static void requireNothingInClear(Path store, String among) throws IOException {
    assertThat(store.resolve(among)).exists();
    try (Stream<Path> files = Files.walk(store)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
            .as(file.toString())
            .doesNotContain(EncryptedKillChild.MARKER);
      }
    }
  }
}
