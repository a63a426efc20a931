package io.varve.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.CorruptStoreException;
import io.varve.internal.compress.CodecTable;
import io.varve.internal.disk.MemoryDisk;
import io.varve.internal.page.Bytes;
import io.varve.internal.wal.format.SegmentHeader;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which numbers a superblock may hold, and which of the two slots each call reads.
class SuperblockTest {
  private static final long LAST_COUNT = (1L << 62) - 1;
  private static final int LAST_GENERATION = SegmentHeader.GENERATION_MAX - 1;

  private final PageFile file = PageFile.open(new MemoryDisk(), PageFile.NAME);

  SuperblockTest() throws IOException {}

  @AfterEach
  void close() throws IOException {
    file.close();
  }

  private static Superblock of(long sequence, long epoch, long cut, int generation) {
    return new Superblock(1, 2, sequence, epoch, cut, 4, 5, 1024, generation, false);
  }

  @Test
  void theLastNumbersOfAllCountsAreWrittenAndRead() throws IOException {
    Superblock last = of(LAST_COUNT, LAST_COUNT, LAST_COUNT, LAST_GENERATION);
    last.write(file);
    assertThat(Superblock.readNewest(file)).isEqualTo(last);
    Superblock first = of(0, 0, 0, 0);
    first.write(file);
    assertThat(Superblock.read(file, 0)).isEqualTo(first);
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 0, 0, 0",
    "0, -1, 0, 0",
    "0, 0, -1, 0",
    "0, 0, 0, -1",
    "4611686018427387904, 0, 0, 0",
    "0, 4611686018427387904, 0, 0",
    "0, 0, 4611686018427387904, 0",
    "0, 0, 0, 536870912",
  })
  void numbersPastTheirBoundsAreNeitherWrittenNorBelieved(
      long sequence, long epoch, long cut, int generation) throws IOException {
    Superblock wrong = of(sequence, epoch, cut, generation);
    assertThatThrownBy(() -> wrong.write(file)).isInstanceOf(IllegalStateException.class);
    assertThat(Superblock.readNewest(file)).as("nothing was written").isNull();

    of(0, 0, 0, 0).write(file);
    byte[] bytes = new byte[Superblock.BYTES];
    file.readRaw(0, bytes);
    Bytes.putI64(bytes, 32, sequence);
    Bytes.putI64(bytes, 40, epoch);
    Bytes.putI64(bytes, 48, cut);
    Bytes.putI32(bytes, 72, generation);
    Bytes.seal(bytes);
    file.writeSuperblock(1, bytes);
    assertThatThrownBy(() -> Superblock.readNewest(file))
        .isInstanceOf(CorruptStoreException.class)
        .hasMessageContaining("offset=" + PageFile.SUPERBLOCK_SPACING);
  }

  @Test
  void aSuperblockWithoutACatalogIsNotWritten() throws IOException {
    Superblock none = new Superblock(1, 2, 3, 4, 5, 0, 6, 1024, 7, false);
    assertThatThrownBy(() -> none.write(file)).isInstanceOf(IllegalStateException.class);
    assertThat(Superblock.readNewest(file)).isNull();
  }

  /// What a loss of power may bring back is the other slot, never the one itself.
  @Test
  void theOneBeforeIsInTheOtherSlot() throws IOException {
    Superblock even = of(6, 8, 9, 10);
    Superblock odd = of(7, 9, 9, 10);
    odd.write(file);
    assertThat(odd.readBefore(file)).as("nothing was written there").isNull();
    even.write(file);
    assertThat(odd.readBefore(file)).isEqualTo(even);
    assertThat(even.readBefore(file)).isEqualTo(odd);
  }

  @Test
  void itsFormatStatesThatItNamesCodecs() throws IOException {
    of(0, 0, 0, 0).write(file);
    byte[] bytes = new byte[Superblock.BYTES];
    file.readRaw(0, bytes);
    assertThat(CodecTable.decode(bytes, 80))
        .satisfies(table -> assertThat(table.isEmpty()).isTrue());
    Bytes.putI32(bytes, 8, Superblock.FORMAT + Superblock.COMPRESSED);
    Bytes.seal(bytes);
    file.writeSuperblock(0, bytes);
    assertThatThrownBy(() -> Superblock.readNewest(file))
        .as("of a compressed store, without a codec")
        .isInstanceOf(CorruptStoreException.class);
  }
}
