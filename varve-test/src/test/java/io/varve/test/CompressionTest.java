package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.UnsupportedFormatException;
import io.varve.admin.BackupOptions;
import io.varve.admin.RestoreTo;
import io.varve.spi.PageCodec;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.zip.DataFormatException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Stores whose pages are compressed, by the codec of the JDK and by one that only some programs
/// have.
class CompressionTest {
  private static final StoreOptions PLAIN = Stores.tiny().pageBytes(8192);
  private static final StoreOptions DEFLATE = PLAIN.compression("deflate");

  private static void fill(Store store, int from, int to) {
    Space space = store.space("s");
    SplittableRandom random = new SplittableRandom(from);
    store.transact(tx -> {
      for (int i = from; i < to; i++) {
        String value = "a line of text, number " + i + ": " + random.nextInt();
        tx.put(space, Bytes.of("key" + i), Bytes.of(value));
      }
    });
    space.put(Bytes.of("large" + from), large(from));
  }

  private static byte[] large(int seed) {
    byte[] value = new byte[2_500_000];
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < value.length; i++) {
      value[i] = (byte) ('a' + random.nextInt(4));
    }
    return value;
  }

  private static int pageFileBytes(SimulatedDisk disk) throws IOException {
    return disk.content("pages").length;
  }

  @Test
  void pagesAndLargeValuesTakeLess() throws IOException {
    SimulatedDisk plain = new SimulatedDisk(1);
    SimulatedDisk compressed = new SimulatedDisk(1);
    for (boolean deflate : new boolean[] {false, true}) {
      SimulatedDisk disk = deflate ? compressed : plain;
      try (Store store = SimulatedStore.open(disk, deflate ? DEFLATE : PLAIN)) {
        fill(store, 0, 5_000);
      }
    }
    assertThat(pageFileBytes(compressed)).isLessThan(pageFileBytes(plain) / 2);
  }

  @Test
  void whatIsThereStaysReadableWhateverIsChosenNext() {
    SimulatedDisk disk = new SimulatedDisk(1);
    StoreOptions[] choices = {PLAIN, DEFLATE, PLAIN, DEFLATE.pageBytes(32_768), PLAIN};
    Model before = new Model();
    for (int i = 0; i < choices.length; i++) {
      try (Store store = SimulatedStore.open(disk, choices[i])) {
        before.requireEqual(Model.of(store), "opened");
        fill(store, 700 * i, 700 * i + 1_000); // over some of the pages that are there
        before = Model.of(store);
        store.verify().requireSound();
      }
    }
  }

  /// (Z1) The large value is in the file before any checkpoint has named the codec.
  @Test
  void aCrashAfterTheSwitchLosesNothing() {
    SimulatedDisk disk = new SimulatedDisk(1);
    try (Store store = SimulatedStore.open(disk, PLAIN)) {
      fill(store, 0, 1_000);
    }
    Model expected;
    SimulatedDisk crashed;
    try (Store store = SimulatedStore.open(disk, DEFLATE)) {
      fill(store, 1_000, 2_000);
      expected = Model.of(store);
      crashed = disk.powerCut();
    }
    try (Store store = SimulatedStore.open(crashed, PLAIN)) {
      expected.requireEqual(Model.of(store), "opened after the crash");
    }
  }

  @Test
  void backupsAreCompressedAsTheStoreIs() throws IOException {
    for (boolean encrypted : new boolean[] {false, true}) {
      SimulatedDisk backups = new SimulatedDisk(1);
      SimulatedDisk disk = new SimulatedDisk(1);
      StoreOptions options = encrypted ? DEFLATE.encryption(Stores.key()) : DEFLATE;
      Model expected;
      try (Store store = SimulatedStore.open(disk, options)) {
        fill(store, 0, 3_000);
        SimulatedStore.backup(store, backups, BackupOptions.defaults());
        fill(store, 2_900, 4_000);
        SimulatedStore.backup(store, backups, BackupOptions.defaults());
        expected = Model.of(store);
      }
      SimulatedDisk target = new SimulatedDisk(1);
      Stores.restore(backups, target, RestoreTo.newest(), encrypted);
      StoreOptions next = encrypted ? PLAIN.encryption(Stores.key()) : PLAIN;
      try (Store store = SimulatedStore.open(target, next)) {
        expected.requireEqual(Model.of(store), "restored");
        store.verify().requireSound();
      }
      assertThat(pageFileBytes(target)).isLessThan(4_000_000);
    }
  }

  @Test
  void aNameThatIsNotThereIsRefused() {
    assertThatThrownBy(() -> SimulatedStore.open(new SimulatedDisk(1), PLAIN.compression("best")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("compression=best")
        .hasMessageContaining("present=none, deflate");
  }

  /// Halves the runs of a byte, and is there only where its jar is.
  public static final class PairCodec implements PageCodec {
    @Override
    public String name() {
      return "pairs";
    }

    @Override
    public int id() {
      return 200;
    }

    @Override
    public int compressedBytesMax(int length) {
      return 2 * length;
    }

    @Override
    public int compress(byte[] source, int offset, int length, byte[] target, int targetOffset) {
      int to = targetOffset;
      for (int at = offset; at < offset + length; to += 2) {
        int from = at;
        while (at < offset + length && at - from < 127 && source[at] == source[from]) {
          at++;
        }
        target[to] = (byte) (at - from);
        target[to + 1] = source[from];
      }
      return to - targetOffset;
    }

    @Override
    public void decompress(
        byte[] source, int offset, int length, byte[] target, int targetOffset, int targetLength)
        throws DataFormatException {
      int to = targetOffset;
      for (int at = offset; at < offset + length - 1; at += 2) {
        for (int i = 0; i < source[at]; i++) {
          if (to == targetOffset + targetLength) {
            throw new DataFormatException("too long");
          }
          target[to++] = source[at + 1];
        }
      }
      if (to != targetOffset + targetLength) {
        throw new DataFormatException("too short");
      }
    }
  }

  @Test
  void aStoreWhoseCodecIsMissingIsRefusedByName(@TempDir Path directory) throws IOException {
    Path services = Files.createDirectories(directory.resolve("META-INF/services"));
    Files.writeString(services.resolve(PageCodec.class.getName()), PairCodec.class.getName());
    SimulatedDisk disk = new SimulatedDisk(1);
    SimulatedDisk backups = new SimulatedDisk(1);
    Thread thread = Thread.currentThread();
    ClassLoader without = thread.getContextClassLoader();
    byte[] value = new byte[300_000];
    try (URLClassLoader with = new URLClassLoader(new URL[] {directory.toUri().toURL()}, without)) {
      thread.setContextClassLoader(with);
      try (Store store = SimulatedStore.open(disk, PLAIN.compression("pairs"))) {
        store.space("s").put(Bytes.of("k"), value);
        store.checkpoint();
        SimulatedStore.backup(store, backups, BackupOptions.defaults());
      }
      try (Store store = SimulatedStore.open(disk, PLAIN)) {
        assertThat(store.space("s").get(Bytes.of("k"))).isEqualTo(value);
      }
    } finally {
      thread.setContextClassLoader(without);
    }
    assertThat(pageFileBytes(disk)).isLessThan(100_000);
    assertThatThrownBy(() -> SimulatedStore.open(disk, PLAIN))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("compression=pairs")
        .hasMessageContaining("codec=200")
        .hasMessageContaining("add the module");
    assertThatThrownBy(
            () -> SimulatedStore.restore(backups, new SimulatedDisk(1), RestoreTo.newest()))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("compression=pairs");
  }
}
