package io.varve.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.CorruptStoreException;
import io.varve.internal.disk.MemoryDisk;
import io.varve.internal.page.Extent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Which units an open takes for the checkpoints that a catalog names, and until when.
class CatalogExtentsTest {
  private static final int UNIT = Extent.UNIT_BYTES;
  private static final long EPOCH = 7;
  private static final long OWN = Extent.of(64, UNIT);
  private static final long DROPPED = Extent.of(80, 3 * UNIT);
  private static final long PREVIOUS = Extent.of(90, UNIT);

  private final PageFile file = PageFile.open(new MemoryDisk(), PageFile.NAME);
  private final Extents extents = file.extents();
  private final Catalog catalog =
      new Catalog(1, List.of(), new long[] {70, 2}, List.of(DROPPED), PREVIOUS);

  CatalogExtentsTest() throws IOException {}

  @AfterEach
  void close() throws IOException {
    file.close();
  }

  /// Without an end, what an open takes for the checkpoint before would never be free again.
  @Test
  void whatOnlyTheCheckpointBeforeReachesIsFreedWithTheNext() {
    catalog.reserve(extents, OWN);
    assertThat(extents.takenBytes()).isEqualTo(3 * UNIT);
    assertThat(extents.liveBytes()).isEqualTo(2 * UNIT);

    catalog.reservePrevious(extents, EPOCH);
    assertThat(extents.takenBytes()).isEqualTo(7 * UNIT);
    assertThat(extents.retiredBytes()).isEqualTo(4 * UNIT);

    extents.release(EPOCH - 1, LiveEpochs.NONE);
    assertThat(extents.takenBytes()).as("the slot before still leads there").isEqualTo(7 * UNIT);
    extents.release(EPOCH, LiveEpochs.NONE);
    assertThat(extents.takenBytes()).isEqualTo(3 * UNIT);
    assertThat(extents.retiredBytes()).isZero();
  }

  @Test
  void aNewStoreHasNoCheckpointBefore() {
    Catalog first = new Catalog(1, List.of(), new long[0], List.of(), 0);
    first.reserve(extents, OWN);
    first.reservePrevious(extents, EPOCH);
    assertThat(extents.takenBytes()).isEqualTo(UNIT);
    assertThatCode(() -> first.requirePreviousWithin(file)).doesNotThrowAnyException();
  }

  @Test
  void unitsPastTheEndOfTheFileAreRefused() throws IOException {
    endFileAfter(71);
    assertThatCode(() -> catalog.requireWithin(file)).doesNotThrowAnyException();
    assertThatThrownBy(
            () -> new Catalog(1, List.of(), new long[] {70, 3}, List.of(), 0).requireWithin(file))
        .isInstanceOf(CorruptStoreException.class);
    assertThatThrownBy(() -> catalog.requirePreviousWithin(file))
        .isInstanceOf(CorruptStoreException.class);
    endFileAfter(82);
    assertThatThrownBy(() -> catalog.requirePreviousWithin(file))
        .as("the catalog before")
        .isInstanceOf(CorruptStoreException.class)
        .hasMessageContaining("offset=" + Extent.offset(PREVIOUS));
    endFileAfter(90);
    assertThatCode(() -> catalog.requirePreviousWithin(file)).doesNotThrowAnyException();
  }

  private void endFileAfter(long unit) throws IOException {
    file.write(Extent.of(unit, UNIT), ByteBuffer.allocate(UNIT));
    file.truncate((unit + 1) * UNIT);
  }
}
