package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreFullException;
import io.varve.StoreOptions;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A store on a real file system without a byte left: it opens, answers, takes deletes, and takes
/// puts when there is capacity again.
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FullVolumeTest {
  private static final int VOLUME_BYTES = 24 << 20;
  private static final int VALUE_BYTES = 1000;

  /// Twice a segment of the log.
  private static final int RESERVE_BYTES = 2 << 20;

  @TempDir Path directory;

  private static StoreOptions options() {
    return Stores.tiny()
        .pageBytes(8192)
        .cacheBytes(4 << 20)
        .log(log -> log.segmentBytes(1 << 20).bytesMax(4 << 20));
  }

  private Volume mount(Path mountPoint) throws Exception {
    Files.createDirectory(mountPoint);
    return Volume.ext4(directory.resolve("image"), mountPoint, VOLUME_BYTES);
  }

  @Test
  void fullAfterACleanClose() throws Exception {
    Path mountPoint = directory.resolve("volume");
    try (Volume _ = mount(mountPoint)) {
      Path path = mountPoint.resolve("store");
      int count;
      try (Store store = Store.open(path, options())) {
        count = fill(store.space("s"), Durability.BACKGROUND);
      }
      relieve(mountPoint, path, count);
    }
  }

  @Test
  void fullAfterAKill() throws Exception {
    Path mountPoint = directory.resolve("volume");
    try (Volume _ = mount(mountPoint)) {
      Path path = mountPoint.resolve("store");
      int count;
      try (ChildJvm child = ChildJvm.start(FullVolumeTest.class, path.toString())) {
        count = Integer.parseInt(String.valueOf(child.readLine()));
        child.kill();
        child.exitCode();
      }
      relieve(mountPoint, path, count);
    }
  }

  /// The process that is killed: fills the volume, and prints how many entries were taken.
  public static void main(String[] arguments) throws IOException {
    try (Store store = Store.open(Path.of(arguments[0]), options())) {
      int count = fill(store.space("s"), Durability.PROCESS_CRASH);
      System.out.print(count + "\n");
      System.out.flush();
      System.in.read(); // nothing comes
    }
  }

  /// Puts until the store has refused some in a row.
  private static int fill(Space space, Durability durability) {
    int count = 0;
    for (int refused = 0; refused < 3; ) {
      try {
        space.with(durability).put(Bytes.of(count), value(count));
        count++;
        refused = 0;
      } catch (StoreFullException e) {
        refused++;
      }
    }
    return count;
  }

  private static byte[] value(int number) {
    byte[] value = new byte[VALUE_BYTES];
    new SplittableRandom(number).nextBytes(value);
    return value;
  }

  /// A store that is killed may have given its reserve up for a checkpoint just before. What others
  /// take of it then is no longer the store's, and it would have to wait for capacity: so they
  /// leave it.
  private static void leaveReleased(Path reserve, Path filler) throws IOException {
    long released = RESERVE_BYTES - Files.size(reserve);
    try (FileChannel channel = FileChannel.open(filler, StandardOpenOption.WRITE)) {
      channel.truncate(Math.max(0, channel.size() - released));
    }
  }

  private static void relieve(Path mountPoint, Path path, int count) throws IOException {
    assertThat(count).as("entries that the volume took").isGreaterThan(1000);
    Path filler = mountPoint.resolve("filler");
    Volume.fill(filler);
    assertThat(Files.getFileStore(mountPoint).getUsableSpace()).isLessThan(4096);
    leaveReleased(path.resolve("reserve"), filler);
    try (Store store = Store.open(path, options())) {
      Space space = store.space("s");
      assertThat(space.count(Range.all())).isEqualTo(count);
      for (int i = 0; i < count; i++) {
        assertThat(space.get(Bytes.of(i))).isEqualTo(value(i));
      }
      for (int i = 0; i < count; i++) {
        if (i % 8 != 0) {
          space.with(Durability.BACKGROUND).delete(Bytes.of(i));
        }
      }
      store.compact();
      assertThat(space.count(Range.all())).isEqualTo((count + 7) / 8);
      Files.delete(filler);
      space.put(Bytes.of(-1), value(-1));
      store.verify().requireSound();
    }
    try (Store store = Store.open(path, options())) {
      assertThat(store.space("s").get(Bytes.of(-1))).isEqualTo(value(-1));
      assertThat(store.space("s").count(Range.all())).isEqualTo((count + 7) / 8 + 1);
    }
  }
}
