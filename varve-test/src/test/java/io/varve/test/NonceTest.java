package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.VarveException;
import io.varve.admin.BackupOptions;
import io.varve.admin.RestoreTo;
import java.io.FileNotFoundException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// No nonce ever comes twice for a key with another text (K1, K2): whatever a store lives through,
/// and though its copies and what is restored from its backups have the same data key. Looks at all
/// that was ever stored, by the description of the format alone.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NonceTest {
  private static final int STEPS = 24;
  private static final int COMMITS_MAX = 25;
  private static final int IMAGE_MAGIC = 0x70565256;
  private static final long LOG_MAGIC = 0x474F4C4556524156L;
  private static final int LOG_START = 4096;
  private static final int TAG = 16;

  /// A key and a nonce: the session that the key is derived from, what it is for, and the number.
  private record Nonce(long high, long low, int purpose, int domain, long number) {}

  /// What a frame would have if the generation of the log distinguished keys.
  private record Position(int generation, long lsn) {}

  private final Map<Nonce, byte[]> texts = new HashMap<>();
  private final Map<Position, Set<Nonce>> frames = new HashMap<>();

  private SimulatedDisk other = new SimulatedDisk(0);
  private int copies;

  @Test
  void noNonceComesTwiceInAnyLifeOfAStoreOrOfItsCopies() {
    Seeds.forEach(10, this::live);
    long shared = frames.values().stream().filter(nonces -> nonces.size() > 1).count();
    assertThat(shared).as("generation and LSN that more than one frame had").isGreaterThan(100);
    assertThat(texts).as("nonces seen").hasSizeGreaterThan(5_000);
  }

  /// One store and one copy alternate: both continue from where they were parted.
  private void live(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    SimulatedDisk disk = new SimulatedDisk(seed);
    other = disk.copy();
    copies = 0;
    for (int step = 0; step < STEPS; step++) {
      disk = liveOn(disk, random, seed + 1_000L * step);
      if (step == 0 || random.nextInt(6) == 0) {
        other = disk.copy();
        copies++;
      } else if (random.nextInt(3) == 0) {
        SimulatedDisk parted = other;
        other = disk;
        disk = parted;
      }
    }
    assertThat(copies).isPositive();
  }

  /// Opens the store, works, and ends it somehow.
  private SimulatedDisk liveOn(SimulatedDisk disk, SplittableRandom random, long seed)
      throws Exception {
    StoreOptions options = Stores.random(random, true).archiveLog(true);
    Store store = SimulatedStore.open(disk, options);
    RandomCommits script =
        new RandomCommits(seed, "", Workload.small().keys(60, 0).valueBytesMax(200_000));
    script.resume(Model.of(store));
    TrackedWriter writer = new PrefixOracle().writer("");
    for (int i = random.nextInt(COMMITS_MAX); i > 0; i--) {
      RandomCommit commit = script.next();
      script.accept(commit);
      commit.runOn(store, writer.begin(commit.changes()));
      if (random.nextInt(8) == 0) {
        look(disk.copy()); // the store continues to rename and delete files
      }
      if (random.nextInt(12) == 0) {
        store.checkpoint();
      }
    }
    SimulatedDisk next = disk;
    switch (random.nextInt(5)) {
      case 0 -> store.close();
      case 1 -> next = end(store, disk.powerCut());
      case 2 -> {
        next = new SimulatedDisk(seed);
        SimulatedDisk backups = new SimulatedDisk(seed);
        SimulatedStore.backup(store, backups, BackupOptions.defaults());
        SimulatedStore.restore(backups, next, RestoreTo.newest(), Stores.key());
        store.close();
      }
      default -> next = end(store, disk.processCrash());
    }
    look(disk);
    look(next);
    return next;
  }

  private static SimulatedDisk end(Store store, SimulatedDisk after) {
    try {
      store.close();
    } catch (VarveException e) {
      // The disk is off.
    }
    return after;
  }

  /// Takes down every image and every frame that is whole.
  private void look(SimulatedDisk disk) throws FileNotFoundException {
    ByteBuffer ring = null;
    for (String name : disk.fileNames()) {
      ByteBuffer content = ByteBuffer.wrap(disk.content(name)).order(ByteOrder.LITTLE_ENDIAN);
      if (name.equals("pages")) {
        lookAtImages(content);
      } else if (name.equals("log/ring")) {
        ring = content;
      } else if (name.endsWith(".log") && content.limit() > LOG_START) {
        if (content.getLong(0) == LOG_MAGIC) {
          lookAtFrames(content, content, LOG_START);
        }
      }
    }
    for (String name : disk.fileNames()) {
      if (ring != null && name.endsWith(".log")) {
        ByteBuffer header = ByteBuffer.wrap(disk.content(name)).order(ByteOrder.LITTLE_ENDIAN);
        if (header.limit() > LOG_START && header.getLong(0) == LOG_MAGIC) {
          lookAtFrames(header, ring, 0);
        }
      }
    }
  }

  private void lookAtImages(ByteBuffer pages) {
    for (int at = 0; at + 72 <= pages.limit(); at += 512) {
      if (pages.getInt(at) != IMAGE_MAGIC) {
        continue;
      }
      int bytes = 32 + pages.getInt(at + 16);
      if (bytes < 72 || bytes > pages.limit() - at) {
        continue;
      }
      if (crc(pages, at + 8, bytes - 8) == pages.getInt(at + 4)) {
        assertThat(pages.get(at + 10)).as("cipher of the image at %d", at).isEqualTo((byte) 1);
        Nonce nonce =
            new Nonce(pages.getLong(at + 32), pages.getLong(at + 40), 0, 0, pages.getLong(at + 48));
        saw(nonce, Arrays.copyOfRange(pages.array(), at + 56, at + bytes));
      }
    }
  }

  /// @param from where in `log` frames are
  private void lookAtFrames(ByteBuffer segment, ByteBuffer log, int from) {
    int generation = segment.getInt(12);
    int salt = salt(segment.getLong(16), segment.getLong(24), generation);
    for (int at = from; at + 17 + TAG <= log.limit(); at += 8) {
      int length = log.getInt(at);
      int type = log.get(at + 16);
      if (length < 17 + TAG || length > log.limit() - at || type < 1 || type > 4) {
        continue;
      }
      int check = crc(log, at + 8, length - 8) ^ salt ^ length * 0x85EBCA6B;
      if (check == log.getInt(at + 4)) {
        long lsn = log.getLong(at + 8);
        Nonce nonce = new Nonce(segment.getLong(80), segment.getLong(88), 1, type, lsn);
        saw(nonce, Arrays.copyOfRange(log.array(), at + 17, at + length));
        frames.computeIfAbsent(new Position(generation, lsn), _ -> new HashSet<>()).add(nonce);
      }
    }
  }

  private void saw(Nonce nonce, byte[] text) {
    byte[] before = texts.putIfAbsent(nonce, text);
    if (before != null) {
      assertThat(text).as("text of %s", nonce).isEqualTo(before);
    }
  }

  private static int crc(ByteBuffer bytes, int at, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.array(), at, length);
    return (int) crc.getValue();
  }

  private static int salt(long high, long low, int generation) {
    long mixed = (high * 0x9E3779B97F4A7C15L) ^ Long.rotateLeft(low, 29);
    mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
    return (int) (mixed >>> 32) ^ (generation * 0x9E3779B1);
  }
}
