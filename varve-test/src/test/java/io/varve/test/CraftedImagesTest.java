package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.VarveException;
import io.varve.admin.BackupOptions;
import io.varve.admin.RestoreTo;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.page.Extent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Sets each length, count and reference of a page file, and of a backup, to values that make no
/// sense, with checksums that are right. Each use of such files gives an answer or a
/// [VarveException]: no other exception, no lack of memory, no endless loop. What the fuzzer finds
/// by chance in `StoreFuzzTest` is tried here field by field, the references among them.
///
/// In the suite each field has one such value, which the seed picks. `-Dvarve.crafted=complete`
/// sets all of them.
@Timeout(600)
class CraftedImagesTest {
  private static final boolean COMPLETE = "complete".equals(System.getProperty("varve.crafted"));

  private static final StoreOptions OPTIONS =
      StoreOptions.defaults()
          .pageBytes(1024)
          .cacheBytes(1 << 20)
          .log(log -> log.bufferBytes(1 << 16).segmentBytes(1 << 18).bytesMax(1 << 20))
          .durability(Durability.PROCESS_CRASH);

  private static final String PAGES = "pages";

  /// Beyond it a simulated disk is full: an image may be meant to be far after the end of its file.
  private static final long CAPACITY_BYTES = 64L << 20;

  private final SimulatedDisk disk = new SimulatedDisk(1);
  private final SimulatedDisk backups = new SimulatedDisk(2);
  private final List<String> failures = new ArrayList<>();
  private final SplittableRandom picks = new SplittableRandom(Long.getLong("varve.seed", 1));
  private String what = "nothing changed";

  @BeforeEach
  void makeStore() {
    Random random = new Random(1);
    byte[] large = new byte[2_200_000];
    random.nextBytes(large);
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      Space many = store.space("many");
      for (int i = 0; i < 200; i++) {
        many.put(key(i), new byte[random.nextInt(60)]);
      }
      Space values = store.space("values");
      values.put(key(1), new byte[3000]);
      values.put(key(5), large);
      store.checkpoint();
      many.put(key(7), new byte[9]);
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
    }
  }

  private static byte[] key(int number) {
    return Bytes.of("k" + number);
  }

  @Test
  void pagesThatMakeNoSense() throws Exception {
    CraftedImages pages = CraftedImages.ofPages(disk.content(PAGES));
    for (String name : pages.names()) {
      CraftedImages.Field field = pages.fields(name).getLast();
      for (long value : values(field, pages.get(field))) {
        what = field + ", value=" + value;
        SimulatedDisk crafted = with(disk, PAGES, pages.with(field, value));
        call("salvage", () -> SimulatedStore.salvage(crafted, empty(), OPTIONS));
        use(crafted, OPTIONS.readOnly(true));
        use(crafted, OPTIONS);
      }
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void backupsThatMakeNoSense() throws Exception {
    String name = backups.fileNames().first();
    CraftedImages images = CraftedImages.ofBackup(backups.content(name));
    for (String each : images.names()) {
      CraftedImages.Field field = images.fields(each).getLast();
      for (long value : values(field, images.get(field))) {
        what = field + ", value=" + value;
        SimulatedDisk crafted = with(backups, name, images.with(field, value));
        SimulatedDisk target = empty();
        call("points", () -> SimulatedStore.points(crafted));
        call("restore", () -> SimulatedStore.restore(crafted, target, RestoreTo.newest()));
        if (target.fileNames().contains(PAGES)) {
          use(target, OPTIONS);
        }
      }
    }
    assertThat(failures).isEmpty();
  }

  /// The values that a field is set to: all, or one of them.
  private long[] values(CraftedImages.Field field, long old) {
    long sign = 1L << (8 * field.bytes() - 1);
    long far = field.bytes() == Long.BYTES ? Extent.of((1L << 34) + 5, 512) : 32;
    long[] all = {0, 1, -1, old - 1, old + 1, sign, sign - 1, sign >> 3, old << 1, far};
    long[] others = Arrays.stream(all).filter(value -> value != old).toArray();
    return COMPLETE ? others : new long[] {others[picks.nextInt(others.length)]};
  }

  private void use(SimulatedDisk crafted, StoreOptions options) {
    call(
        "use",
        () -> {
          try (Store store = SimulatedStore.open(crafted, options)) {
            readAll(store);
            call("verify", store::verify);
            if (!options.readOnly()) {
              change(store);
            }
          }
          return true;
        });
  }

  private void change(Store store) {
    call("backup", () -> SimulatedStore.backup(store, empty(), BackupOptions.defaults()));
    for (String name : store.spaceNames()) {
      Space space = store.space(name);
      call("put", () -> space.put(key(3), new byte[60]));
      call("delete", () -> space.delete(key(5)));
      call("delete range", () -> space.deleteRange(Range.of(key(2), key(7))));
    }
    call(
        "checkpoint",
        () -> {
          store.checkpoint();
          return true;
        });
    call("compact", store::compact);
    for (String name : store.spaceNames()) {
      call("clear", () -> store.space(name).deleteRange(Range.all()));
      call("drop", () -> store.dropSpace(name));
    }
    call(
        "checkpoint after drops",
        () -> {
          store.checkpoint();
          return true;
        });
  }

  private void readAll(Store store) {
    try (Snapshot snapshot = store.snapshot()) {
      for (String name : store.spaceNames()) {
        Space space = store.space(name);
        call("scan", () -> scan(snapshot, space));
        call("scan back", () -> scanBack(snapshot, space));
        for (int i = 0; i < 10; i++) {
          byte[] key = key(i);
          call("get", () -> snapshot.get(space, key));
          call("count", () -> snapshot.count(space, Range.lessThan(key)));
        }
      }
    }
  }

  private static int scan(Snapshot snapshot, Space space) {
    int bytes = 0;
    try (Cursor cursor = snapshot.cursor(space, Range.all())) {
      while (cursor.next()) {
        bytes += cursor.value().length;
      }
    }
    return bytes;
  }

  private static int scanBack(Snapshot snapshot, Space space) {
    int bytes = 0;
    try (Cursor cursor = snapshot.cursor(space, Range.all())) {
      for (boolean on = cursor.last(); on; on = cursor.previous()) {
        bytes += cursor.valueLength();
      }
    }
    return bytes;
  }

  private void call(String how, Callable<?> call) {
    try {
      var _ = call.call();
    } catch (VarveException e) {
      // what damage may lead to
    } catch (Exception | StackOverflowError | OutOfMemoryError e) {
      failures.add(how + ": " + what + ": " + e + " at " + e.getStackTrace()[0]);
    }
  }

  private static SimulatedDisk empty() {
    SimulatedDisk empty = new SimulatedDisk(3);
    empty.capacityBytes(CAPACITY_BYTES);
    return empty;
  }

  /// A disk with another content of a file.
  private static SimulatedDisk with(SimulatedDisk disk, String name, byte[] content)
      throws IOException {
    SimulatedDisk copy = disk.copy();
    copy.capacityBytes(CAPACITY_BYTES);
    try (DiskFile file = copy.asDisk().open(name)) {
      file.write(0, ByteBuffer.wrap(content));
    }
    return copy;
  }
}
