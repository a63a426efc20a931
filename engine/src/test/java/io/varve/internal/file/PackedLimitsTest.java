package io.varve.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.StoreFullException;
import io.varve.internal.disk.MemoryDisk;
import io.varve.internal.lock.StoreLocks;
import io.varve.internal.page.Extent;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/// Numbers that go to disk in a field of some bits: what does not fit is refused, never cut off.
class PackedLimitsTest {
  @Test
  void extentHoldsItsGreatestNumbers() {
    long extent = Extent.of(Extent.UNITS_MAX - 1, Extent.BYTES_MAX);
    assertThat(Extent.unit(extent)).isEqualTo(Extent.UNITS_MAX - 1);
    assertThat(Extent.bytes(extent)).isEqualTo(Extent.BYTES_MAX);
    assertThat(Extent.offset(extent)).isEqualTo((1L << 44) - 512);
  }

  /// A length of one bit too many named the extent of another image.
  @Test
  void extentRefusesWhatDoesNotFit() {
    assertThatIllegalArgumentException().isThrownBy(() -> Extent.of(0, Extent.BYTES_MAX + 1));
    assertThatIllegalArgumentException().isThrownBy(() -> Extent.of(Extent.UNITS_MAX, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> Extent.of(-1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> Extent.of(1, -1));
  }

  @Test
  void accountsRefuseExtentBeyondTheLongestFile() {
    Extents extents = new Extents(new StoreLocks(), Extent.UNITS_MAX - 1);
    long taken = extents.takenBytes();
    assertThatThrownBy(() -> extents.allocate(513))
        .isInstanceOf(StoreFullException.class)
        .hasMessageContaining("as long as it can be")
        .hasMessageContaining("max=17592186044416");
    assertThat(extents.takenBytes()).isEqualTo(taken);
    assertThatIllegalArgumentException().isThrownBy(() -> extents.allocate(Extent.BYTES_MAX + 1));
    assertThat(extents.takenBytes()).isEqualTo(taken);
  }

  /// The runs of 0.7 TiB of data overflowed the length of the catalog's own extent, and the
  /// superblock that named it led to no data.
  @Test
  void catalogLongerThanAnExtentIsRefused() throws IOException {
    try (PageFile file = PageFile.open(new MemoryDisk(), PageFile.NAME)) {
      Catalog.requireStorable(file, Extent.BYTES_MAX);
      assertThatThrownBy(() -> Catalog.requireStorable(file, Extent.BYTES_MAX + 1L))
          .isInstanceOf(StoreFullException.class)
          .hasMessageContaining("catalogBytes=536870912")
          .hasMessageContaining("the checkpoint before stays in force");
    }
  }

  @Test
  void superblockThatNoOpenWouldAcceptIsNotWritten() throws IOException {
    try (PageFile file = PageFile.open(new MemoryDisk(), PageFile.NAME)) {
      for (Superblock wrong :
          new Superblock[] {
            new Superblock(1, 2, 6, -8, 9, 10, 11, 1024, 12, false),
            new Superblock(1, 2, 6, 8, 1L << 62, 10, 11, 1024, 12, false),
            new Superblock(1, 2, 6, 8, 9, 0, 11, 1024, 12, false)
          }) {
        assertThatIllegalStateException().isThrownBy(() -> wrong.write(file));
      }
      assertThat(file.size()).isZero();
    }
  }
}
