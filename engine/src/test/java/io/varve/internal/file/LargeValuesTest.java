package io.varve.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.internal.disk.DiskFullException;
import io.varve.internal.disk.MemoryDisk;
import io.varve.internal.disk.MeteredDisk;
import java.io.ByteArrayInputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Large values in a store that may not grow.
class LargeValuesTest {
  private static final int QUOTA_BYTES = 1 << 20;
  private static final int VALUE_BYTES = 4 << 20;

  /// Guards against a write that tries again forever where no thread frees anything, and against
  /// extents that nothing refers to.
  @Test
  @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aWriteThatFindsNoCapacityEndsAndTakesNothing() throws Exception {
    MeteredDisk disk = new MeteredDisk(new MemoryDisk(), QUOTA_BYTES, List.of(), 0);
    try (PageFile file = PageFile.open(disk, PageFile.NAME)) {
      LargeValues values = new LargeValues(file, 1, () -> 1);
      assertThatThrownBy(() ->
              values.write(
                  new ByteArrayInputStream(new byte[VALUE_BYTES]),
                  VALUE_BYTES,
                  LargeValues.Capacity.AS_IT_IS,
                  false))
          .isInstanceOf(DiskFullException.class);
      assertThat(file.extents().takenBytes()).isZero();

      int fitting = 100_000;
      byte[] reference =
          values.write(
              new ByteArrayInputStream(new byte[fitting]),
              fitting,
              LargeValues.Capacity.AS_IT_IS,
              false);
      assertThat(LargeValues.read(file, reference)).isEqualTo(new byte[fitting]);
    }
  }
}
