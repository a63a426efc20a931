package io.varve.internal.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.internal.disk.MemoryDisk;
import io.varve.internal.file.Catalog;
import io.varve.internal.file.PageFile;
import io.varve.internal.file.Superblock;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.format.StoreId;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Which checkpoint an open finds, and which log it needs.
class SuperblocksTest {
  private static final LogPosition FIRST = new LogPosition(100, 1, true);
  private static final LogPosition SECOND = new LogPosition(200, 2, false);
  private static final LogPosition THIRD = new LogPosition(300, 3, true);

  private final PageFile file = PageFile.open(new MemoryDisk(), PageFile.NAME);
  private boolean anotherHasOpened;

  SuperblocksTest() throws IOException {}

  @BeforeEach
  void writeFirst() throws IOException {
    Superblocks.writeFirst(file, new StoreId(7, 8), 1024, FIRST);
  }

  @AfterEach
  void close() throws IOException {
    file.close();
  }

  private void check() throws IOException {
    if (anotherHasOpened) {
      throw new IOException("by the test");
    }
  }

  private Superblock onDisk() throws IOException {
    return Objects.requireNonNull(Superblock.readNewest(file));
  }

  private Superblocks opened() throws IOException {
    Superblock newest = onDisk();
    return new Superblocks(file, this::check, newest, newest.readBefore(file));
  }

  private Catalog.Location catalog(long epoch) throws IOException {
    return new Catalog(1, List.of(), new long[0], List.of(), 0).write(file, epoch);
  }

  @Test
  void aNewStoreHasItsCheckpointInBothSlots() throws IOException {
    Superblock newest = onDisk();
    Superblock before = Objects.requireNonNull(newest.readBefore(file));
    assertThat(newest.sequence()).isEqualTo(2);
    assertThat(before.sequence()).isEqualTo(1);
    assertThat(before.catalogExtent()).isEqualTo(newest.catalogExtent());
    assertThat(newest.idHigh()).isEqualTo(7);
    assertThat(newest.idLow()).isEqualTo(8);
    assertThat(newest.epoch()).isEqualTo(1);
    assertThat(newest.pageBytes()).isEqualTo(1024);
    assertThat(Superblocks.cut(newest)).isEqualTo(FIRST);
  }

  /// The one before counts again if the newest is damaged, and needs its log.
  @Test
  void theNextOneTakesThePlaceOfTheOlder() throws IOException {
    Superblocks superblocks = opened();
    superblocks.writeNext(5, SECOND, catalog(5));
    assertThat(superblocks.oldestCut()).isEqualTo(FIRST);
    Superblock second = onDisk();
    assertThat(second).isEqualTo(superblocks.newest());
    assertThat(second.sequence()).isEqualTo(3);
    assertThat(second.epoch()).isEqualTo(5);
    assertThat(Objects.requireNonNull(second.readBefore(file)).sequence()).isEqualTo(2);
    superblocks.writeNext(6, THIRD, catalog(6));
    assertThat(superblocks.oldestCut()).isEqualTo(SECOND);
    assertThat(onDisk().readBefore(file)).isEqualTo(second);
  }

  @Test
  void ofAStoreWithOneWholeSlotThatAloneNeedsLog() throws IOException {
    opened().writeNext(5, SECOND, catalog(5));
    var superblocks = new Superblocks(file, this::check, onDisk(), null);
    assertThat(superblocks.oldestCut()).isEqualTo(SECOND);
  }

  @Test
  void aLaterEpochNamesTheSameCheckpoint() throws IOException {
    Superblocks superblocks = opened();
    superblocks.writeNext(5, SECOND, catalog(5));
    Superblock same = superblocks.newest();
    superblocks.raiseEpoch(9);
    Superblock raised = onDisk();
    assertThat(raised).isEqualTo(superblocks.newest());
    assertThat(raised.epoch()).isEqualTo(9);
    assertThat(raised.sequence()).isEqualTo(same.sequence() + 1);
    assertThat(raised.catalogExtent()).isEqualTo(same.catalogExtent());
    assertThat(raised.catalogChecksum()).isEqualTo(same.catalogChecksum());
    assertThat(Superblocks.cut(raised)).isEqualTo(SECOND);
    assertThat(superblocks.oldestCut()).isEqualTo(SECOND);
  }

  /// Another process would find its newest checkpoint replaced.
  @Test
  void nothingIsWrittenOnceAnotherHasOpened() throws IOException {
    Superblocks superblocks = opened();
    Superblock before = onDisk();
    Catalog.Location catalog = catalog(5);
    anotherHasOpened = true;
    assertThatThrownBy(() -> superblocks.writeNext(5, SECOND, catalog))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> superblocks.raiseEpoch(5)).isInstanceOf(IOException.class);
    assertThat(superblocks.newest()).isEqualTo(before);
    assertThat(onDisk()).isEqualTo(before);
    assertThat(before.readBefore(file)).isNotNull();
    assertThat(superblocks.oldestCut()).isEqualTo(FIRST);
  }
}
