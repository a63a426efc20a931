package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.VarveException;
import io.varve.internal.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Damages every region of every file of a small store, one after the other: each answer is right,
/// or a [VarveException] names the file and the offset in it.
///
/// Of a log that was not closed, damage to the last batch looks like a write that was torn by the
/// crash. Nothing after the batch vouches for it: the commits in it may be missing, all others may
/// not.
///
/// In the suite each sector of 512 bytes is zeroed, and 16 bytes of it, which the seed picks, are
/// inverted. `-Dvarve.matrix=complete` inverts and zeroes each 16 bytes.
@Timeout(value = 30, unit = java.util.concurrent.TimeUnit.MINUTES)
class CorruptionMatrixTest {
  private static final boolean COMPLETE = "complete".equals(System.getProperty("varve.matrix"));
  private static final int REGION_BYTES = BuildFigures.INVERTED_BYTES;
  private static final int SECTOR_BYTES = BuildFigures.SECTOR_BYTES;
  private static final int LAST_BATCH_COMMITS = 1;

  /// What the store held after each commit since the checkpoint.
  private final List<Model> prefixes = new ArrayList<>();

  private final Map<String, Count> counts = new TreeMap<>();

  private static final class Count {
    int noticed;
    int harmless;
    int shorter;
  }

  private enum Damage {
    INVERTED,
    ZEROED
  }

  @Test
  void damageToAClosedStore() throws Exception {
    SimulatedDisk disk = new SimulatedDisk(1);
    damageWhenClosed(disk, Stores.tiny());
  }

  @Test
  void damageToAClosedStoreThatIsCompressed() throws Exception {
    damageWhenClosed(new SimulatedDisk(1), Stores.tiny().compression("deflate"));
  }

  private void damageWhenClosed(SimulatedDisk disk, StoreOptions options) throws Exception {
    Store store = write(disk, options);
    store.close();
    Model whole = prefixes.getLast();
    prefixes.clear();
    prefixes.add(whole);
    damageEverything(disk);
  }

  @Test
  void damageToAStoreThatCrashed() throws Exception {
    SimulatedDisk disk = new SimulatedDisk(1);
    Store store = write(disk, Stores.tiny());
    SimulatedDisk crashed = disk.processCrash();
    store.close();
    damageEverything(crashed);
  }

  private Store write(SimulatedDisk disk, StoreOptions options) {
    SplittableRandom random = new SplittableRandom(3);
    Store store = SimulatedStore.open(disk, options);
    Model model = new Model();
    for (int i = 0; i < 150; i++) {
      put(store, model, "key" + i, i % 60 == 0 ? 5000 : random.nextInt(120), random);
      if (i == 100) {
        store.checkpoint();
      }
    }
    store.awaitDurable(store.lastCommit());
    store.checkpoint();
    prefixes.clear();
    for (int i = 0; i < 12; i++) {
      put(store, model, "late" + i, i == 5 ? 3000 : 50, random);
      store.awaitDurable(store.lastCommit());
      prefixes.add(model.copy());
    }
    return store;
  }

  private static void put(
      Store store, Model model, String key, int bytes, SplittableRandom random) {
    Space space = store.space("s" + random.nextInt(2));
    byte[] value = new byte[bytes];
    random.nextBytes(value);
    space.with(Durability.BACKGROUND).put(Bytes.of(key), value);
    model.put(space.name(), Bytes.of(key), value);
  }

  private void damageEverything(SimulatedDisk disk) throws Exception {
    SplittableRandom random = new SplittableRandom(Long.getLong("varve.seed", 1));
    for (String file : disk.fileNames()) {
      byte[] content = disk.content(file);
      counts.put(file, new Count());
      // What the reserve holds means nothing.
      int step = file.equals("reserve") && !COMPLETE ? 64 * SECTOR_BYTES : SECTOR_BYTES;
      for (int sector = 0; sector < content.length; sector += step) {
        if (COMPLETE) {
          for (int at = sector; at < Math.min(sector + SECTOR_BYTES, content.length); ) {
            damage(disk, file, content, at, REGION_BYTES, Damage.INVERTED);
            damage(disk, file, content, at, REGION_BYTES, Damage.ZEROED);
            at += REGION_BYTES;
          }
        } else {
          int at = sector + random.nextInt(SECTOR_BYTES / REGION_BYTES) * REGION_BYTES;
          damage(disk, file, content, at, REGION_BYTES, Damage.INVERTED);
          damage(disk, file, content, sector, SECTOR_BYTES, Damage.ZEROED);
        }
      }
    }
    report();
  }

  private void damage(
      SimulatedDisk disk, String file, byte[] content, int at, int length, Damage damage)
      throws IOException {
    int end = Math.min(at + length, content.length);
    byte[] bytes = new byte[Math.max(0, end - at)];
    boolean changes = false;
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = damage == Damage.INVERTED ? (byte) ~content[at + i] : 0;
      changes |= bytes[i] != content[at + i];
    }
    if (!changes) {
      return;
    }
    SimulatedDisk damaged = disk.copy();
    try (DiskFile open = damaged.asDisk().open(file)) {
      open.write(at, ByteBuffer.wrap(bytes));
    }
    use(damaged, counts.get(file), damage + ": file=" + file + ", offset=" + at);
  }

  private void use(SimulatedDisk damaged, Count count, String what) {
    try (Store store = SimulatedStore.open(damaged, Stores.tiny())) {
      Model found = Model.of(store);
      int commits = prefixes.size() - 1;
      while (commits >= 0 && prefixes.get(commits).digest() != found.digest()) {
        commits--;
      }
      if (commits < prefixes.size() - 1 - LAST_BATCH_COMMITS) {
        prefixes.getLast().requireEqual(found, what + ", prefix=" + commits);
      }
      for (String name : store.spaceNames()) {
        Space space = store.space(name);
        assertThat(space.count(Range.all())).as(what).isEqualTo(found.entries(name).size());
      }
      boolean sound = store.verify().isSound();
      if (!sound) {
        count.noticed++;
      } else if (commits == prefixes.size() - 1) {
        count.harmless++;
      } else {
        count.shorter++;
      }
    } catch (VarveException e) {
      count.noticed++;
      assertThat(e.getMessage()).as(what).contains("simulated:/");
      // A segment without a header has no offset that could be named, nor has a file as a whole.
      assertThat(e.getMessage()).as(what).containsPattern("offset=|[lL]sn=|no superblock is whole");
    } catch (RuntimeException | AssertionError | StackOverflowError | OutOfMemoryError e) {
      throw new AssertionError(what, e);
    }
  }

  private void report() {
    counts.forEach((file, count) ->
        System.out.printf(
            "%s: noticed=%d, harmless=%d, lastBatchMissing=%d%n",
            file, count.noticed, count.harmless, count.shorter));
    assertThat(counts.values().stream().mapToInt(count -> count.noticed).sum()).isPositive();
    assertThat(counts.values().stream().mapToInt(count -> count.harmless).sum()).isPositive();
  }
}
