package io.varve.internal.wal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.UnsupportedFormatException;
import io.varve.internal.crypto.Session;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class SegmentHeaderTest {
  private static final SegmentHeader HEADER =
      new SegmentHeader(
          7,
          new StoreId(0x0123456789abcdefL, 0xfedcba9876543210L),
          42,
          0x4000000,
          0x2000000,
          0x3000000,
          0x2ffff00,
          1 << 24,
          null);

  private static final SegmentHeader ENCRYPTED =
      new SegmentHeader(
          7,
          new StoreId(0x0123456789abcdefL, 0xfedcba9876543210L),
          42,
          0x4000000,
          0x2000000,
          0x3000000,
          0x2ffff00,
          1 << 24,
          new Session(0x1122334455667788L, 0x99aabbccddeeff00L));

  private static byte[] block() {
    return block(HEADER);
  }

  private static byte[] block(SegmentHeader header) {
    return block(header, /* ringIsLong= */ false);
  }

  private static byte[] block(SegmentHeader header, boolean ringIsLong) {
    ByteBuffer encoded = header.encode(ringIsLong);
    assertThat(encoded.remaining()).isEqualTo(SegmentHeader.BYTES);
    byte[] block = new byte[SegmentHeader.BYTES];
    encoded.get(block);
    return block;
  }

  @Test
  void hasTheseBytes() {
    byte[] block = block();
    assertThat(HexFormat.of().formatHex(block, 0, 80))
        .isEqualTo(
            "56415256454c4f470100000007000000efcdab89674523011032547698badcfe2a0000000000000000000004000000000000000200000000000000030000000000ffff020000000000000001e14f269e");
    assertThat(Arrays.copyOfRange(block, 2048, 2128)).isEqualTo(Arrays.copyOf(block, 80));
    assertThat(SegmentHeader.decode(block, "segment")).isEqualTo(HEADER);
  }

  @Test
  void encryptedHasTheseBytes() {
    byte[] block = block(ENCRYPTED);
    assertThat(HexFormat.of().formatHex(block, 0, 100))
        .isEqualTo(
            "56415256454c4f470200000007000000efcdab89674523011032547698badcfe2a0000000000000000000004000000000000000200000000000000030000000000ffff020000000000000001ac230dba887766554433221100ffeeddccbbaa992c25582c");
    assertThat(Arrays.copyOfRange(block, 2048, 2148)).isEqualTo(Arrays.copyOf(block, 100));
    assertThat(SegmentHeader.decode(block, "segment")).isEqualTo(ENCRYPTED);
  }

  /// A reader of versions 1 and 2 alone would not look for frames where a longer ring has them. So
  /// it must refuse such a segment by its number, and needs the crc of the number for that.
  @Test
  void theVersionStatesARingThatIsLongerThanATerm() {
    for (SegmentHeader header : List.of(HEADER, ENCRYPTED)) {
      byte[] plain = block(header);
      byte[] block = block(header, /* ringIsLong= */ true);
      var buffer = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
      assertThat(buffer.getInt(8)).isEqualTo(header.session() == null ? 3 : 4);
      assertThat(SegmentHeader.decode(block, "segment")).isEqualTo(header);
      var crc = new CRC32C();
      crc.update(block, 0, 76);
      assertThat(buffer.getInt(76)).isEqualTo((int) crc.getValue());
      for (byte[] either : List.of(plain, block)) {
        System.arraycopy(plain, 0, either, 0, 2048); // one sector written, the other not
        assertThat(SegmentHeader.decode(either, "segment")).isEqualTo(header);
      }
    }
  }

  /// A session that is not the one of the frames would make all of them look changed.
  @Test
  void eitherCopyOfASessionWillDo() {
    for (int at : new int[] {0, 2048}) {
      for (int bit = 0; bit < 100 * 8; bit++) {
        byte[] block = block(ENCRYPTED);
        block[at + bit / 8] ^= (byte) (1 << (bit % 8));
        assertThat(SegmentHeader.decode(block, "segment")).isEqualTo(ENCRYPTED);
      }
    }
    byte[] block = block(ENCRYPTED);
    block[80] ^= 1;
    block[2048 + 95] ^= 1;
    assertThat(SegmentHeader.decode(block, "segment")).isNull();
  }

  /// Guards against a lost segment: one damaged sector must not hide the header.
  @Test
  void eitherCopyWillDo() {
    for (int at : new int[] {0, 2048}) {
      for (int bit = 0; bit < 80 * 8; bit++) {
        byte[] block = block();
        block[at + bit / 8] ^= (byte) (1 << (bit % 8));
        assertThat(SegmentHeader.decode(block, "segment")).isEqualTo(HEADER);
      }
    }
  }

  @Test
  void withoutEitherCopyThereIsNone() {
    byte[] block = block();
    block[40] ^= 1;
    block[2048 + 72] ^= 1;
    assertThat(SegmentHeader.decode(block, "segment")).isNull();
    assertThat(SegmentHeader.decode(new byte[SegmentHeader.BYTES], "segment")).isNull();
  }

  @Test
  void anotherVersionIsRefusedByNumber() {
    byte[] block = block();
    var buffer = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putInt(8, 5);
    var crc = new CRC32C();
    crc.update(block, 0, 76);
    buffer.putInt(76, (int) crc.getValue());
    assertThatThrownBy(() -> SegmentHeader.decode(block, "segment"))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("found=5");
  }
}
