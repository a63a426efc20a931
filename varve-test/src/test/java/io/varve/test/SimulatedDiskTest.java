package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.StoreLockedException;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.DiskFullException;
import io.varve.internal.disk.FileOption;
import io.varve.internal.disk.Mapping;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class SimulatedDiskTest {
  private static final int SECTOR = 512;

  private final SimulatedDisk simulated = new SimulatedDisk(1);
  private final Disk disk = simulated.asDisk();

  @Test
  void readsWhatWasWritten() throws IOException {
    DiskFile file = disk.open("f", FileOption.CREATE);
    write(file, 3, 700, 'a');
    assertThat(file.size()).isEqualTo(703);
    var target = ByteBuffer.allocate(1000);
    assertThat(file.read(2, target)).isEqualTo(701);
    assertThat(target.get(0)).isZero();
    assertThat(target.get(1)).isEqualTo((byte) 'a');
    assertThat(file.read(703, ByteBuffer.allocate(1))).isZero();
    assertThat(file.read(10_000, ByteBuffer.allocate(1))).isZero();
  }

  @Test
  void truncateCutsAndGrowthShowsZeros() throws IOException {
    DiskFile file = disk.open("f", FileOption.CREATE);
    write(file, 0, 1000, 'a');
    file.truncate(10);
    write(file, 20, 1, 'b');
    assertThat(simulated.content("f")).startsWith(bytes(10, 'a')).endsWith(0, 0, 'b').hasSize(21);
    file.truncate(5000);
    assertThat(file.size()).isEqualTo(21);
  }

  @Test
  void openObeysItsOptions() throws IOException {
    assertThatThrownBy(() -> disk.open("f")).isInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(() -> disk.open("d/f", FileOption.CREATE))
        .isInstanceOf(FileNotFoundException.class);
    disk.open("f", FileOption.CREATE_NEW).close();
    assertThatThrownBy(() -> disk.open("f", FileOption.CREATE_NEW))
        .isInstanceOf(FileAlreadyExistsException.class);
    DiskFile readOnly = disk.open("f", FileOption.READ_ONLY);
    assertThatThrownBy(() -> write(readOnly, 0, 1, 'a')).isInstanceOf(IOException.class);
    readOnly.close();
    assertThatThrownBy(() -> readOnly.size()).isInstanceOf(IOException.class);
  }

  @Test
  void namesCanBeListedRenamedAndDeleted() throws IOException {
    disk.createDirectory("log/old");
    write(disk.open("log/b", FileOption.CREATE), 0, 1, 'b');
    write(disk.open("log/a", FileOption.CREATE), 0, 1, 'a');
    assertThat(disk.list("")).containsExactly("log");
    assertThat(disk.list("log")).containsExactly("a", "b", "old");
    assertThat(disk.list("none")).isEmpty();
    DiskFile replaced = disk.open("log/b");
    disk.rename("log/a", "log/b");
    assertThat(disk.list("log")).containsExactly("b", "old");
    assertThat(simulated.content("log/b")).containsExactly('a');
    disk.delete("log/b");
    disk.delete("log/b");
    assertThat(disk.exists("log/b")).isFalse();
    assertThat(replaced.size()).isEqualTo(1);
  }

  @Test
  void powerCutKeepsWhatWasForced() throws IOException {
    DiskFile file = disk.open("f", FileOption.CREATE);
    disk.syncDirectory("");
    write(file, 0, 10 * SECTOR, 'a');
    file.force();
    write(file, 0, SECTOR, 'b');
    SimulatedDisk after = simulated.powerCut();
    assertThat(after.content("f")).endsWith(bytes(9 * SECTOR, 'a')).hasSize(10 * SECTOR);
    assertThatThrownBy(() -> file.size()).isInstanceOf(PowerOffException.class);
    assertThatThrownBy(() -> disk.exists("f")).isInstanceOf(PowerOffException.class);
  }

  @Test
  void powerCutKeepsAnySubsetOfUnforcedSectors() throws IOException {
    Set<String> outcomes = new HashSet<>();
    for (int seed = 0; seed < 300; seed++) {
      var one = new SimulatedDisk(seed);
      DiskFile file = one.asDisk().open("f", FileOption.CREATE);
      one.asDisk().syncDirectory("");
      write(file, 0, 3 * SECTOR, 'a');
      file.force();
      write(file, 0, 3 * SECTOR, 'b');
      byte[] content = one.powerCut().content("f");
      assertThat(content).hasSize(3 * SECTOR);
      StringBuilder outcome = new StringBuilder();
      for (int sector = 0; sector < 3; sector++) {
        byte[] part = Arrays.copyOfRange(content, sector * SECTOR, (sector + 1) * SECTOR);
        assertThat(part).containsOnly(part[0]);
        outcome.append((char) part[0]);
      }
      outcomes.add(outcome.toString());
    }
    assertThat(outcomes)
        .containsExactlyInAnyOrder("aaa", "aab", "aba", "abb", "baa", "bab", "bba", "bbb");
  }

  @Test
  void powerCutMayShowAnOlderUnforcedVersion() throws IOException {
    Set<Byte> outcomes = new HashSet<>();
    for (int seed = 0; seed < 200; seed++) {
      var one = new SimulatedDisk(seed);
      DiskFile file = one.asDisk().open("f", FileOption.CREATE);
      one.asDisk().syncDirectory("");
      write(file, 0, SECTOR, 'a');
      file.force();
      write(file, 0, SECTOR, 'b');
      write(file, 0, SECTOR, 'c');
      outcomes.add(one.powerCut().content("f")[0]);
    }
    assertThat(outcomes).containsExactlyInAnyOrder((byte) 'a', (byte) 'b', (byte) 'c');
  }

  @Test
  void synchronousWriteIsDurableAndNothingElse() throws IOException {
    boolean otherLost = false;
    for (int seed = 0; seed < 50; seed++) {
      var one = new SimulatedDisk(seed);
      DiskFile plain = one.asDisk().open("f", FileOption.CREATE);
      one.asDisk().syncDirectory("");
      write(plain, 0, SECTOR, 'a');
      DiskFile synchronous = one.asDisk().open("f", FileOption.DSYNC);
      write(synchronous, 2 * SECTOR, SECTOR, 'b');
      byte[] content = one.powerCut().content("f");
      assertThat(content).hasSize(3 * SECTOR).endsWith(bytes(SECTOR, 'b'));
      otherLost |= content[0] == 0;
    }
    assertThat(otherLost).isTrue();
  }

  @Test
  void namesAndSizesNotSyncedMayBeLost() throws IOException {
    Set<String> outcomes = new HashSet<>();
    for (int seed = 0; seed < 200; seed++) {
      var one = new SimulatedDisk(seed);
      Disk names = one.asDisk();
      write(names.open("a", FileOption.CREATE, FileOption.DSYNC), 0, 1, 'a');
      names.syncDirectory("");
      names.rename("a", "b");
      write(names.open("c", FileOption.CREATE, FileOption.DSYNC), 0, 1, 'c');
      outcomes.add(one.powerCut().fileNames().toString());
    }
    assertThat(outcomes).containsExactlyInAnyOrder("[a]", "[b]", "[b, c]");
  }

  @Test
  void namesInALostDirectoryAreLost() throws IOException {
    for (int seed = 0; seed < 50; seed++) {
      var one = new SimulatedDisk(seed);
      one.asDisk().createDirectory("log");
      one.asDisk().open("log/f", FileOption.CREATE);
      one.asDisk().syncDirectory("log");
      Disk after = one.powerCut().asDisk();
      assertThat(after.exists("log/f")).isEqualTo(after.exists("log"));
    }
  }

  @Test
  void processCrashKeepsAllThatWasWrittenAndForcesNothing() throws IOException {
    boolean lostLater = false;
    for (int seed = 0; seed < 50; seed++) {
      var one = new SimulatedDisk(seed);
      DiskFile file = one.asDisk().open("f", FileOption.CREATE);
      one.asDisk().syncDirectory("");
      write(file, 0, 3 * SECTOR, 'a');
      file.force();
      write(file, SECTOR, SECTOR, 'b');
      SimulatedDisk after = one.processCrash();
      assertThat(after.content("f")[SECTOR]).isEqualTo((byte) 'b');
      lostLater |= after.powerCut().content("f")[SECTOR] == 'a';
    }
    assertThat(lostLater).isTrue();
  }

  @Test
  void mappedMemoryIsWrittenAndNeverForced() throws IOException {
    boolean lost = false;
    for (int seed = 0; seed < 50; seed++) {
      var one = new SimulatedDisk(seed);
      DiskFile file = one.asDisk().open("f", FileOption.CREATE);
      one.asDisk().syncDirectory("");
      write(file, 0, 4 * SECTOR, 'a');
      file.force();
      MemorySegment memory = file.map(SECTOR, 2 * SECTOR).memory();
      assertThat(memory.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 'a');
      memory.set(ValueLayout.JAVA_BYTE, SECTOR, (byte) 'm');
      write(file, SECTOR, 1, 'w');
      assertThat(memory.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 'w');
      file.force();
      assertThat(simulatedByte(one, 2 * SECTOR)).isEqualTo((byte) 'm');
      assertThat(simulatedByte(one.copy(), 2 * SECTOR)).isEqualTo((byte) 'm');
      SimulatedDisk after = one.powerCut();
      assertThat(simulatedByte(after, SECTOR)).isEqualTo((byte) 'w');
      lost |= simulatedByte(after, 2 * SECTOR) == 'a';
    }
    assertThat(lost).isTrue();
  }

  @Test
  void forceOfAMappingKeepsItsRangeAlone() throws IOException {
    boolean lost = false;
    for (int seed = 0; seed < 50; seed++) {
      var one = new SimulatedDisk(seed);
      DiskFile file = one.asDisk().open("f", FileOption.CREATE);
      one.asDisk().syncDirectory("");
      write(file, 0, 6 * SECTOR, 'a');
      file.force();
      Mapping first = file.map(0, 2 * SECTOR);
      Mapping second = file.map(2 * SECTOR, 4 * SECTOR);
      first.memory().fill((byte) 'm');
      second.memory().fill((byte) 'm');
      second.force(SECTOR, 2 * SECTOR);
      SimulatedDisk after = one.powerCut();
      assertThat(simulatedByte(after, 3 * SECTOR)).isEqualTo((byte) 'm');
      assertThat(simulatedByte(after, 4 * SECTOR)).isEqualTo((byte) 'm');
      lost |= simulatedByte(after, 0) == 'a' || simulatedByte(after, 5 * SECTOR) == 'a';
    }
    assertThat(lost).isTrue();
  }

  @Test
  void powerCutMayShowAnEarlierStoreIntoAMapping() throws IOException {
    Set<Byte> outcomes = new HashSet<>();
    for (int seed = 0; seed < 200; seed++) {
      var one = new SimulatedDisk(seed);
      DiskFile file = one.asDisk().open("f", FileOption.CREATE);
      one.asDisk().syncDirectory("");
      write(file, 0, SECTOR, 'a');
      file.force();
      MemorySegment memory = file.map(0, SECTOR).memory();
      memory.fill((byte) 'b');
      assertThat(simulatedByte(one, 0)).isEqualTo((byte) 'b');
      memory.fill((byte) 'c');
      outcomes.add(simulatedByte(one.powerCut(), 0));
    }
    assertThat(outcomes).containsExactlyInAnyOrder((byte) 'a', (byte) 'b', (byte) 'c');
  }

  @Test
  void failedForceOfAMappingLosesWhatNoLaterOneBringsBack() throws IOException {
    boolean lost = false;
    for (int seed = 0; seed < 50; seed++) {
      var one = new SimulatedDisk(seed);
      DiskFile file = one.asDisk().open("f", FileOption.CREATE);
      one.asDisk().syncDirectory("");
      write(file, 0, SECTOR, 'a');
      file.force();
      Mapping mapping = file.map(0, SECTOR);
      mapping.memory().fill((byte) 'm');
      one.faults(FaultPlan.nth(1, DiskOperation.FORCE, Fault.IO_ERROR));
      assertThatThrownBy(() -> mapping.force(0, SECTOR)).isInstanceOf(IOException.class);
      file.force();
      assertThat(simulatedByte(one, 0)).isEqualTo((byte) 'm');
      lost |= simulatedByte(one.powerCut(), 0) == 'a';
    }
    assertThat(lost).isTrue();
  }

  @Test
  void directWritesMustBeAligned() throws IOException {
    DiskFile file = disk.open("f", FileOption.CREATE, FileOption.DIRECT);
    assertThatThrownBy(() -> file.write(SECTOR, ByteBuffer.allocateDirect(4096)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void failedForceLosesWritesThatNoLaterForceBringsBack() throws IOException {
    boolean lost = false;
    for (int seed = 0; seed < 50; seed++) {
      var one = new SimulatedDisk(seed);
      DiskFile file = one.asDisk().open("f", FileOption.CREATE);
      one.asDisk().syncDirectory("");
      write(file, 0, SECTOR, 'a');
      file.force();
      write(file, 0, SECTOR, 'b');
      one.faults(FaultPlan.nth(1, DiskOperation.FORCE, Fault.IO_ERROR));
      assertThatThrownBy(() -> file.force()).isInstanceOf(IOException.class);
      file.force();
      assertThat(one.content("f")).containsOnly('b');
      lost |= one.powerCut().content("f")[0] == 'a';
    }
    assertThat(lost).isTrue();
  }

  @Test
  void faultsHitTheCallsTheyArePlannedFor() throws IOException {
    DiskFile file = disk.open("f", FileOption.CREATE);
    write(file, 0, 100 * SECTOR, 'a');
    simulated.faults(FaultPlan.nth(2, DiskOperation.WRITE, Fault.IO_ERROR));
    write(file, 0, 1, 'b');
    assertThatThrownBy(() -> write(file, 0, 1, 'c')).isInstanceOf(IOException.class);
    assertThat(simulated.content("f")[0]).isEqualTo((byte) 'b');
    simulated.faults(FaultPlan.always(call -> call.name().equals("f"), Fault.DROPPED));
    write(file, 0, 1, 'd');
    assertThat(simulated.content("f")[0]).isEqualTo((byte) 'b');
    simulated.faults(FaultPlan.nth(1, DiskOperation.WRITE, Fault.MISDIRECTED));
    write(file, 40 * SECTOR, SECTOR, 'e');
    byte[] misdirected = simulated.content("f");
    assertThat(misdirected[40 * SECTOR]).isEqualTo((byte) 'a');
    assertThat(misdirected).contains((byte) 'e');
    simulated.faults(FaultPlan.nth(1, DiskOperation.WRITE, Fault.TORN));
    assertThatThrownBy(() -> write(file, 0, 100 * SECTOR, 'f')).isInstanceOf(IOException.class);
    assertThat(simulated.content("f")[100 * SECTOR - 1]).isNotEqualTo((byte) 'f');
    simulated.faults(FaultPlan.nth(1, DiskOperation.READ, Fault.BIT_FLIPPED));
    var read = ByteBuffer.allocate(SECTOR);
    file.read(50 * SECTOR, read);
    byte[] expected = Arrays.copyOfRange(simulated.content("f"), 50 * SECTOR, 51 * SECTOR);
    assertThat(read.array()).isNotEqualTo(expected);
    simulated.faults(FaultPlan.nth(1, DiskOperation.OPEN, Fault.DISK_FULL));
    assertThatThrownBy(() -> disk.open("f")).isInstanceOf(DiskFullException.class);
  }

  @Test
  void powerIsCutAtTheArmedCall() throws IOException {
    DiskFile file = disk.open("f", FileOption.CREATE);
    disk.syncDirectory("");
    long calls = simulated.mutatingCalls();
    assertThat(calls).isEqualTo(2);
    simulated.cutPowerAtCall(calls + 2);
    write(file, 0, SECTOR, 'a');
    assertThatThrownBy(() -> file.force()).isInstanceOf(PowerOffException.class);
    assertThatThrownBy(() -> file.read(0, ByteBuffer.allocate(1)))
        .isInstanceOf(PowerOffException.class);
    assertThat(simulated.isOff()).isTrue();
    assertThat(simulated.powerCut().fileNames()).containsExactly("f");
  }

  @Test
  void fullDiskRefusesGrowthOnly() throws IOException {
    DiskFile file = disk.open("f", FileOption.CREATE);
    simulated.capacityBytes(1000);
    write(file, 0, 1000, 'a');
    assertThat(disk.usableBytes()).isZero();
    assertThatThrownBy(() -> write(file, 1, 1000, 'b')).isInstanceOf(DiskFullException.class);
    write(file, 0, 1000, 'c');
    file.truncate(10);
    write(file, 10, 990, 'd');
    assertThat(simulated.usedBytes()).isEqualTo(1000);
  }

  @Test
  void planThatWaitsDelaysTheCall() throws Exception {
    DiskFile file = disk.open("f", FileOption.CREATE);
    disk.syncDirectory("");
    var reached = new CountDownLatch(1);
    var released = new CountDownLatch(1);
    simulated.faults(call -> {
      if (call.operation() == DiskOperation.FORCE) {
        reached.countDown();
        awaitQuietly(released);
      }
      return Fault.NONE;
    });
    Thread forcing = Thread.ofPlatform().start(() -> forceQuietly(file));
    reached.await();
    write(file, 0, 1, 'a'); // other calls continue
    released.countDown();
    forcing.join();
    assertThat(simulated.powerCut().content("f")).containsExactly('a');
  }

  @Test
  void lockIsHeldUntilClosedOrCrashed() throws IOException {
    var lock = disk.lock("lock");
    assertThatThrownBy(() -> disk.lock("lock"))
        .isInstanceOf(StoreLockedException.class)
        .hasMessageContaining(String.valueOf(ProcessHandle.current().pid()));
    simulated.copy().asDisk().lock("lock").close();
    lock.close();
    lock.close();
    disk.lock("lock").close();
  }

  @Test
  void flippedBitIsSeenNowAndAfterACut() throws IOException {
    DiskFile file = disk.open("f", FileOption.CREATE, FileOption.DSYNC);
    disk.syncDirectory("");
    write(file, 0, 10, 0);
    simulated.flipBit("f", 3, 2);
    assertThat(simulated.content("f")[3]).isEqualTo((byte) 4);
    assertThat(simulated.powerCut().content("f")[3]).isEqualTo((byte) 4);
  }

  @Test
  void equalSeedsMakeEqualChoices() throws IOException {
    byte[] first = null;
    for (int run = 0; run < 2; run++) {
      var one = new SimulatedDisk(42);
      DiskFile file = one.asDisk().open("f", FileOption.CREATE);
      one.asDisk().syncDirectory("");
      write(file, 0, 100 * SECTOR, 'a');
      byte[] content = one.powerCut().content("f");
      assertThat(first == null ? content : first).isEqualTo(content);
      first = content;
    }
  }

  private static byte simulatedByte(SimulatedDisk disk, int position) throws IOException {
    return disk.content("f")[position];
  }

  private static void write(DiskFile file, long position, int length, int value)
      throws IOException {
    file.write(position, ByteBuffer.wrap(bytes(length, value)));
  }

  private static byte[] bytes(int length, int value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  private static void forceQuietly(DiskFile file) {
    try {
      file.force();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
