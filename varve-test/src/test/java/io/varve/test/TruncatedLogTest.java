package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.varve.CorruptStoreException;
import io.varve.Durability;
import io.varve.LogIo;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreFailedException;
import io.varve.StoreOptions;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Something outside truncates the files of a log that is in use. To touch memory that maps what is
/// missing throws an error, wherever that is.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TruncatedLogTest {
  @TempDir Path directory;

  private static StoreOptions options(LogIo io) {
    return Stores.tiny()
        .log(log -> log.io(io).flushInterval(Duration.ofHours(1)))
        .checkpointInterval(Duration.ofHours(1));
  }

  private static void put(Store store, int first) {
    for (int i = first; i < first + 50; i++) {
      store.space("s").with(Durability.BACKGROUND).put(Bytes.of(i), new byte[100]);
    }
  }

  private static void truncateLog(Path store) throws IOException {
    try (Stream<Path> files = Files.list(store.resolve("log"))) {
      for (Path file : files.toList()) {
        FileChannel.open(file, StandardOpenOption.WRITE).truncate(0).close();
      }
    }
  }

  /// What is left opens, or is refused as damaged, with the file that lacks something.
  private void requireOpensOrIsNamed(LogIo io) {
    Throwable refused = catchThrowable(() -> Store.open(directory, options(io)).close());
    if (refused != null) {
      assertThat(refused)
          .isInstanceOf(CorruptStoreException.class)
          .hasMessageContaining(directory.resolve("log").toString())
          .hasMessageContaining("backup");
    }
  }

  /// A close ended with the error, and left the threads, the files and the lock of the store.
  @ParameterizedTest
  @EnumSource(LogIo.class)
  void closeReleasesEverythingAndReportsWhatMayBeLost(LogIo io) throws IOException {
    Footprint before = Footprint.now();
    Store store = Store.open(directory, options(io));
    put(store, 0);
    truncateLog(directory);
    assertThatThrownBy(store::close)
        .isInstanceOf(StoreFailedException.class)
        .hasRootCauseInstanceOf(InternalError.class)
        .hasMessageContaining("reopen the store");
    before.requireNothingMore();
    requireOpensOrIsNamed(io);
    before.requireNothingMore();
  }

  /// What a checkpoint holds needs no log.
  @ParameterizedTest
  @EnumSource(LogIo.class)
  void whatACheckpointHoldsIsThereAfterwards(LogIo io) throws IOException {
    Footprint before = Footprint.now();
    Store store = Store.open(directory, options(io));
    put(store, 0);
    store.checkpoint();
    truncateLog(directory);
    store.close();
    before.requireNothingMore();
    try (Store reopened = Store.open(directory, options(io))) {
      assertThat(reopened.space("s").get(Bytes.of(49))).hasSize(100);
    }
  }

  /// Commits got the error. The store fails by the first, and refuses the others for the same.
  @ParameterizedTest
  @EnumSource(LogIo.class)
  void commitsAreRefusedAsOfAFailedStore(LogIo io) throws IOException {
    for (Durability durability :
        List.of(Durability.POWER_LOSS, Durability.PROCESS_CRASH, Durability.BACKGROUND)) {
      Footprint before = Footprint.now();
      Path path = directory.resolve(durability.name());
      Store store = Store.open(path, options(io));
      put(store, 0);
      truncateLog(path);
      Space space = store.space("s").with(durability);
      for (int i = 0; i < 3; i++) {
        Throwable refused = catchThrowable(() -> space.put(Bytes.of(1), new byte[2_000]));
        assertThat(refused).isInstanceOf(StoreFailedException.class);
      }
      store.close();
      before.requireNothingMore();
    }
  }
}
