package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Store;
import io.varve.admin.Backups;
import io.varve.admin.RestoreTo;
import io.varve.admin.Salvage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Whatever a store, a backup, a restore or a salvage creates is for its user alone.
@Timeout(60)
class PrivateModesTest {
  @TempDir Path directory;

  @Test
  void directoriesAndFilesAreForTheirUserAlone() throws IOException {
    Path made = directory.resolve("made");
    Path path = made.resolve("store");
    try (Store store = Store.open(path, Stores.tiny(true).archiveLog(true))) {
      store.space("s").put(Bytes.of("k"), Bytes.of("v"));
      store.checkpoint();
      Backups.at(made.resolve("backups")).take(store);
      Backups.at(made.resolve("one.vbk")).take(store);
      requirePrivate(made);
    }
    Backups.at(made.resolve("backups"))
        .encryption(Stores.key())
        .restore(made.resolve("restored"), RestoreTo.newest());
    Salvage.of(path).encryption(Stores.key()).into(made.resolve("salvaged"));
    requirePrivate(made);
  }

  private static void requirePrivate(Path made) throws IOException {
    try (Stream<Path> files = Files.walk(made)) {
      for (Path file : files.toList()) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
            .as("%s", file)
            .isEqualTo(Files.isDirectory(file) ? "rwx------" : "rw-------");
      }
    }
  }
}
