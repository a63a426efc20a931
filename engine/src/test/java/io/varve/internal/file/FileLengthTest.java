package io.varve.internal.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.internal.lock.StoreLocks;
import io.varve.internal.page.Extent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// How long the accounts of space keep the page file.
class FileLengthTest {
  private static final int FIRST_UNIT = 64;
  private static final int UNIT = Extent.UNIT_BYTES;
  private static final int KEPT_TAIL = 8 << 20;

  private final Extents extents = new Extents(new StoreLocks(), FIRST_UNIT);
  private final List<Long> cuts = new ArrayList<>();

  private long shrink(boolean always) throws IOException {
    return extents.shrink(cuts::add, always);
  }

  @Test
  void aFreeTailIsCutOffFromItsBoundOn() throws IOException {
    long kept = extents.allocate(UNIT);
    extents.discard(extents.allocate(KEPT_TAIL - UNIT));
    assertThat(shrink(false)).as("below the bound").isZero();
    assertThat(cuts).isEmpty();

    extents.endFrom((FIRST_UNIT + 1L) * UNIT + KEPT_TAIL);
    assertThat(shrink(false)).isEqualTo(KEPT_TAIL);
    assertThat(cuts).containsExactly((FIRST_UNIT + 1L) * UNIT);
    assertThat(extents.endBytes()).isEqualTo((FIRST_UNIT + 1L) * UNIT);

    extents.discard(kept);
    assertThat(shrink(true)).as("any tail, at a close").isEqualTo(UNIT);
    assertThat(extents.endBytes()).isEqualTo((long) FIRST_UNIT * UNIT);
  }

  /// What a crash left at the end of the file is free: the next image goes there.
  @Test
  void whatIsLongerThanTheAccountsIsUsedBeforeTheFileGrows() {
    long last = extents.allocate(UNIT);
    extents.endFrom((FIRST_UNIT + 3L) * UNIT + 1);
    assertThat(extents.endBytes()).isEqualTo((FIRST_UNIT + 4L) * UNIT);
    extents.endFrom(0);
    assertThat(extents.endBytes()).as("a shorter file").isEqualTo((FIRST_UNIT + 4L) * UNIT);
    assertThat(Extent.unit(extents.allocate(3 * UNIT))).isEqualTo(Extent.unit(last) + 1);
    assertThat(extents.endBytes()).isEqualTo((FIRST_UNIT + 4L) * UNIT);
  }

  @Test
  void whatWasTakenPastTheFileAndFreedIsForgotten() {
    long kept = extents.allocate(2 * UNIT);
    extents.discard(extents.allocate(5 * UNIT));
    extents.endAt((FIRST_UNIT + 4L) * UNIT);
    assertThat(extents.endBytes()).as("within the file").isEqualTo((FIRST_UNIT + 4L) * UNIT);
    extents.endAt(0);
    assertThat(extents.endBytes()).as("what is taken").isEqualTo(Extent.offset(kept) + 2 * UNIT);
  }

  @Test
  void aHoleThatAnImageFillsExactlyIsUsed() {
    long hole = extents.allocate(3 * UNIT);
    extents.allocate(UNIT);
    extents.discard(hole);
    assertThat(Extent.unit(extents.allocate(3 * UNIT))).isEqualTo(Extent.unit(hole));
    assertThat(extents.endBytes()).isEqualTo((FIRST_UNIT + 4L) * UNIT);
  }
}
