package io.varve.internal.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeteredDiskTest {
  private final MemoryDisk memory = new MemoryDisk();

  private MeteredDisk metered(long bytesMax) throws IOException {
    return new MeteredDisk(memory, bytesMax, List.of("a", "missing"), 10);
  }

  private static void write(Disk disk, String name, long position, int bytes) throws IOException {
    try (DiskFile file = disk.open(name, FileOption.CREATE)) {
      file.write(position, ByteBuffer.allocate(bytes));
    }
  }

  @Test
  void countsWhatIsThereAndWhatGrows() throws IOException {
    write(memory, "a", 0, 100);
    MeteredDisk disk = metered(1000);
    assertThat(disk.usedBytes()).isEqualTo(110);
    write(disk, "a", 50, 100);
    write(disk, "b", 0, 200);
    assertThat(disk.usedBytes()).isEqualTo(360);
    assertThat(disk.usableBytes()).isEqualTo(640);
  }

  @Test
  void refusesGrowthBeyondTheQuotaBeforeAnyEffect() throws IOException {
    MeteredDisk disk = metered(1000);
    write(disk, "a", 0, 900);
    assertThatThrownBy(() -> write(disk, "b", 0, 91))
        .isInstanceOf(DiskFullException.class)
        .hasMessageContaining("diskBytesMax=1000")
        .hasMessageContaining("usedBytes=910");
    assertThat(disk.usedBytes()).isEqualTo(910);
    write(disk, "a", 0, 900); // over what is there
    write(disk, "b", 0, 90);
    assertThat(disk.usableBytes()).isZero();
  }

  @Test
  void whatIsCutDeletedOrReplacedCanBeUsedAgain() throws IOException {
    MeteredDisk disk = metered(1000);
    write(disk, "a", 0, 900);
    try (DiskFile file = disk.open("a")) {
      file.truncate(400);
      file.truncate(500); // longer than it is: changes nothing
    }
    assertThat(disk.usedBytes()).isEqualTo(410);
    write(disk, "b", 0, 500);
    disk.rename("b", "a");
    assertThat(disk.usedBytes()).isEqualTo(510);
    write(disk, "a", 0, 600);
    disk.delete("a");
    assertThat(disk.usedBytes()).isEqualTo(10);
  }

  @Test
  void filesBeyondTheQuotaStay() throws IOException {
    write(memory, "a", 0, 2000);
    MeteredDisk disk = metered(1000);
    assertThat(disk.usableBytes()).isZero();
    write(disk, "a", 0, 2000);
    assertThatThrownBy(() -> write(disk, "a", 2000, 1)).isInstanceOf(DiskFullException.class);
  }

  /// M2: what is freed for the pages is not taken by the log.
  @Test
  void whatIsWithheldFromADirectoryIsThereForOthers() throws IOException {
    MeteredDisk disk = metered(1000);
    write(disk, "log/1", 0, 100);
    try (var _ = disk.withhold("log", 500)) {
      assertThatThrownBy(() -> write(disk, "log/1", 100, 391))
          .isInstanceOf(DiskFullException.class)
          .hasMessageContaining("file=memory:log/1, wantedBytes=391")
          .hasMessageContaining("usableBytes=890, withheldBytes=500");
      write(disk, "log/1", 100, 390);
      assertThatThrownBy(() -> write(disk, "log/2", 0, 1)).isInstanceOf(DiskFullException.class);
      write(disk, "logs", 0, 400);
      assertThatThrownBy(() -> write(disk, "log/2", 0, 1)).isInstanceOf(DiskFullException.class);
      write(disk, "log/1", 0, 490); // over what is there
    }
    write(disk, "log/2", 0, 100);
    assertThat(disk.usableBytes()).isZero();
  }
}
