package io.varve.internal.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.PageRetention;
import io.varve.StoreFullException;
import io.varve.internal.cache.PageCache;
import io.varve.internal.cache.Pages;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.FileOption;
import io.varve.internal.disk.MemoryDisk;
import io.varve.internal.disk.MeteredDisk;
import io.varve.internal.file.PageFile;
import io.varve.internal.txn.Throttle;
import io.varve.internal.wal.format.LogFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Which commits find capacity on a disk of known size.
@Timeout(60)
class DiskAdmissionTest {
  private static final int PAGE_BYTES = 8192;
  private static final long QUOTA = 16L << 20;
  private static final long RESERVE = 1L << 20;
  private static final long LOG_MAX = 4L << 20;

  /// What a leaf takes in memory apart from its page.
  private static final int LEAF_BYTES = 96;

  /// What [DiskAdmission] keeps for what is rounded up.
  private static final long FIXED = 64 << 10;

  /// What may be dirty at most while the page file is empty: eight ninths of the capacity apart
  /// from what the log may still take, with the reserve.
  private static final long DIRTY_MAX = (QUOTA - LOG_MAX - FIXED) / 9 * 8;

  private final MeteredDisk disk = new MeteredDisk(new MemoryDisk(), QUOTA, List.of(), 0);
  private final PageFile file = PageFile.open(disk, PageFile.NAME);
  private final Pages pages =
      new Pages(file, new PageCache(file.locks(), PageRetention.S3_FIFO, 64 << 20, 1), PAGE_BYTES);
  private final BallastFile ballast = new BallastFile(disk, RESERVE, 0);
  private final DiskAdmission admission = new DiskAdmission(disk, pages, ballast, LOG_MAX);

  DiskAdmissionTest() throws IOException {
    ballast.restore();
    assertThat(ballast.missingBytes()).isZero();
  }

  @AfterEach
  void close() throws IOException {
    file.close();
  }

  /// Makes a leaf that counts for so many bytes.
  private void makeDirty(long bytes) {
    pages.newLeaf(1, new byte[(int) bytes - LEAF_BYTES]);
    assertThat(pages.cache().dirtyBytes()).isGreaterThanOrEqualTo(bytes);
  }

  /// Takes what is left of the disk except so many bytes.
  private void leave(long bytes) throws IOException {
    try (DiskFile other = disk.open("other", FileOption.CREATE)) {
      other.write(admission.usableBytes() - bytes - 1, ByteBuffer.allocate(1));
    }
    assertThat(admission.usableBytes()).isEqualTo(bytes);
  }

  /// What another thread finds: that no thread holds the lock.
  private boolean isAdmittedElsewhere(long bytes) {
    return CompletableFuture.supplyAsync(() -> admission.admitByLook(bytes, 0, true)).join();
  }

  @Test
  void aCommitIsAdmittedUpToWhatACheckpointCanWrite() {
    assertThat(admission.admitByLook(DIRTY_MAX + 1, 0, true)).isFalse();
    assertThat(admission.admitByLook(DIRTY_MAX, 0, true)).isTrue();
    assertThat(admission.admitByLook(1, 0, true)).as("with what is under way").isFalse();
    admission.ended(DIRTY_MAX);
    assertThat(admission.admitByLook(DIRTY_MAX, 0, true)).isTrue();
  }

  @Test
  void whatIsDirtyCounts() {
    makeDirty(DIRTY_MAX - 100);
    assertThat(admission.admitByLook(101, 0, true)).isFalse();
    assertThat(admission.admitByLook(100, 0, true)).isTrue();
  }

  /// A look covers the commits after it, up to half of the way to the limit.
  @Test
  void noCommitLooksAgainBeforeHalfOfTheWay() {
    assertThat(admission.tryAdmit(1, true)).isEqualTo(Throttle.NOT_NOW);
    assertThat(admission.admitByLook(1000, 0, true)).isTrue();
    long half = DIRTY_MAX / 2;
    assertThat(admission.tryAdmit(half - 1000 + 1, true)).isEqualTo(Throttle.NOT_NOW);
    assertThat(admission.tryAdmit(half - 1000, true)).isEqualTo(half - 1000);
    assertThat(admission.tryAdmit(1, true)).isEqualTo(Throttle.NOT_NOW);
    admission.ended(half - 1000);
    assertThat(admission.tryAdmit(1, true)).isEqualTo(1);
  }

  /// What the log takes for a large commit comes before the checkpoint of it. One that grows and is
  /// admitted before the log has prepared its files is admitted after that, too: otherwise it would
  /// alternate between both waits without end.
  @Test
  void theLogOfALargeCommitCounts() throws IOException {
    long excess = 1L << 20;
    long most = (QUOTA - LOG_MAX - excess - FIXED) / 9 * 8;
    assertThat(admission.admitByLook(most + 1, excess, true)).isFalse();
    assertThat(admission.admitByLook(most, excess, true)).isTrue();
    admission.ended(most + excess);
    disk.createDirectory(LogFiles.DIRECTORY);
    try (DiskFile segments = disk.open(LogFiles.DIRECTORY + "/segments", FileOption.CREATE)) {
      segments.write(LOG_MAX + excess - 1, ByteBuffer.allocate(1));
    }
    assertThat(admission.admitByLook(most + 1, excess, true)).isFalse();
    assertThat(admission.admitByLook(most, excess, true)).isTrue();
  }

  @Test
  void whileTheReserveIsMissingNothingGrows() throws IOException {
    assertThat(admission.admitByLook(1000, 0, true)).isTrue();
    assertThat(admission.releaseBallast()).isTrue();
    assertThat(admission.releaseBallast()).as("there is none any more").isFalse();
    assertThat(admission.tryAdmit(1, true)).isEqualTo(Throttle.NOT_NOW);
    assertThat(admission.tryAdmitImage(1)).isEqualTo(Throttle.NOT_NOW);
    assertThat(admission.tryAdmit(1, false)).isEqualTo(1);
    admission.ended(1001);
    leave(1 << 20);
    assertThat(admission.admitByLook(1, 0, true)).isFalse();
    assertThat(admission.admitByLook(1, 0, false)).isTrue();
  }

  /// The reserve is for deletes, not for images.
  @Test
  void anImageLeavesTheReserveAlone() throws IOException {
    long left = LOG_MAX + (2L << 20);
    leave(left);
    long images = left - LOG_MAX;
    assertThat(admission.admitImageByLook(images + 1)).isFalse();
    assertThat(admission.admitImageByLook(images)).isTrue();
  }

  @Test
  void aRefusalReportsWhatThereIs() throws IOException {
    leave(1 << 20);
    StoreFullException refusal = admission.refusal(4711, 0, new StoreFullException("why"));
    assertThat(refusal)
        .hasMessageContaining("dirtyingBytes=4711")
        .hasMessageContaining("usableBytes=1048576")
        .hasMessageContaining("reserveMissingBytes=0")
        .hasRootCauseMessage("why");
    assertThat(admission.refusal(1, 0, null)).hasNoCause();
  }

  @Test
  void aDiskWithCapacityIsNotTight() {
    assertThat(admission.isTight()).as("nothing is dirty").isFalse();
    makeDirty(1 << 20);
    assertThat(admission.isTight()).isFalse();
    assertThat(isAdmittedElsewhere(1)).isTrue();
  }

  @Test
  void aDiskIsTightWhenACheckpointOfAFewPagesMoreMightNotFit() throws IOException {
    leave(0);
    makeDirty(RESERVE);
    assertThat(admission.isTight()).isTrue();
    assertThat(isAdmittedElsewhere(1)).isFalse();
  }

  @Test
  void aLookLeavesNoLock() {
    assertThat(admission.admitImageByLook(1)).isTrue();
    assertThat(isAdmittedElsewhere(1)).isTrue();
    assertThat(admission.admitByLook(Long.MAX_VALUE / 4, 0, true)).isFalse();
    assertThat(isAdmittedElsewhere(1)).isTrue();
  }
}
