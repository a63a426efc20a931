package io.varve.internal.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.internal.disk.HookedDisk;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/// The reserve grows with the store, and a disk that has no capacity for more leaves it as it was.
class BallastFileTest {
  private static final long BYTES_MAX = 8 << 20;

  private final HookedDisk disk = new HookedDisk();

  private BallastFile written() throws IOException {
    var ballast = new BallastFile(disk, BYTES_MAX, 0);
    ballast.restore();
    return ballast;
  }

  private long fileBytes() throws IOException {
    try (var file = disk.open(BallastFile.NAME)) {
      return file.size();
    }
  }

  @Test
  void growsWithTheLiveBytes() throws IOException {
    BallastFile ballast = written();
    assertThat(ballast.bytes()).isEqualTo(1 << 20);
    ballast.growFor(40L << 20);
    assertThat(ballast.bytes()).isEqualTo(fileBytes()).isEqualTo(5 << 19);
    ballast.growFor(20L << 20);
    ballast.growFor(50L << 20); // less than a step more
    assertThat(ballast.bytes()).isEqualTo(fileBytes()).isEqualTo(5 << 19);
    ballast.growFor(1L << 40);
    assertThat(ballast.bytes()).isEqualTo(fileBytes()).isEqualTo(BYTES_MAX);
  }

  @Test
  void isAsLongAsItWasAtTheNextOpen() throws IOException {
    written().growFor(1L << 40);
    assertThat(new BallastFile(disk, BYTES_MAX, 0).bytes()).isEqualTo(BYTES_MAX);
    // With a smaller quota the next one.
    assertThat(new BallastFile(disk, 1 << 19, 0).bytes()).isEqualTo(1 << 19);
  }

  @Test
  void aFullDiskLeavesItAsItWas() throws IOException {
    BallastFile ballast = written();
    disk.capacityBytes(disk.usedBytes() + (1 << 20));
    ballast.growFor(1L << 40);
    assertThat(ballast.bytes()).isEqualTo(fileBytes()).isEqualTo(1 << 20);
    assertThat(ballast.missingBytes()).isZero();
  }

  @Test
  void whatWasReleasedDoesNotGrow() throws IOException {
    BallastFile ballast = written();
    assertThat(ballast.release()).isTrue();
    ballast.growFor(1L << 40);
    assertThat(ballast.missingBytes()).isEqualTo(1 << 20);
    assertThat(fileBytes()).isZero();
  }

  @Test
  void hasAStepOfTheLogInAddition() throws IOException {
    long step = 2 << 20;
    var ballast = new BallastFile(disk, BYTES_MAX, step);
    ballast.restore();
    assertThat(ballast.bytes()).isEqualTo(fileBytes()).isEqualTo((1 << 20) + step);
    ballast.growFor(1L << 40);
    assertThat(ballast.bytes()).isEqualTo(fileBytes()).isEqualTo(BYTES_MAX + step);
  }

  /// One that a log of another kind left is there to be released, and grows with the next look.
  @Test
  void growsByAStepOfTheLogThatItLacks() throws IOException {
    written();
    long step = 2 << 20;
    var ballast = new BallastFile(disk, BYTES_MAX, step);
    assertThat(ballast.bytes()).isEqualTo(1 << 20);
    ballast.growFor(0);
    assertThat(ballast.bytes()).isEqualTo(fileBytes()).isEqualTo((1 << 20) + step);
    assertThat(ballast.release()).isTrue();
  }

  /// What is left must be enough for the log that it was released for (BALLAST-1).
  @Test
  void isNotWrittenAgainInPlaceOfTheLog() throws IOException {
    long step = 2 << 20;
    var ballast = new BallastFile(disk, BYTES_MAX, step);
    ballast.restore();
    disk.capacityBytes(disk.usedBytes() + step - 1);
    assertThat(ballast.release()).isTrue();
    ballast.restore();
    assertThat(ballast.missingBytes()).isEqualTo((1 << 20) + step);
    disk.capacityBytes(disk.usedBytes() + 8 * step);
    ballast.restore();
    assertThat(ballast.missingBytes()).isZero();
  }
}
