package io.varve.internal.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.HexDump;
import io.varve.UnsupportedFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class WrappedKeyTest {
  private static final long HIGH = 0x0123456789abcdefL;
  private static final long LOW = 0xfedcba9876543210L;
  private static final byte[] KEY = filled(32, 3);

  private static byte[] filled(int length, int value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  private static WrappedKey wrap(DataKey dataKey) {
    return WrappedKey.wrap(dataKey, KEY.clone(), "clef-1", HIGH, LOW, 2);
  }

  /// A file of one version must open in the next.
  @Test
  void hasTheseBytes() {
    var wrapped = new WrappedKey(HIGH, LOW, 2, "clef-1", filled(12, 0xaa), filled(48, 0xbb));
    assertThat(HexDump.of(wrapped.encode()))
        .isEqualTo(
            """
            000000  56415256 454b4559 01000000 02000000
            000010  efcdab89 67452301 10325476 98badcfe
            000020  aaaaaaaa aaaaaaaa aaaaaaaa bbbbbbbb
            000030  bbbbbbbb bbbbbbbb bbbbbbbb bbbbbbbb
            000040  bbbbbbbb bbbbbbbb bbbbbbbb bbbbbbbb
            000050  bbbbbbbb bbbbbbbb bbbbbbbb 0600636c
            000060  65662d31 00000000 00000000 00000000
            0001f0  00000000 00000000 00000000 c10ee516
            000200
            """);
  }

  @Test
  void comesBackFromItsBytesAndOpensWithItsKey() {
    DataKey dataKey = DataKey.random();
    WrappedKey read = WrappedKey.decode(wrap(dataKey).encode(), "keys");
    assertThat(read).isNotNull();
    assertThat(read.keyId()).isEqualTo("clef-1");
    assertThat(read.changes()).isEqualTo(2);
    assertThat(read.idHigh()).isEqualTo(HIGH);
    assertThat(read.idLow()).isEqualTo(LOW);
    DataKey unwrapped = read.unwrap(KEY.clone());
    assertThat(unwrapped).isNotNull();
    assertThat(unwrapped.bytes()).isEqualTo(dataKey.bytes());
    byte[] other = KEY.clone();
    other[31] ^= 1;
    assertThat(read.unwrap(other)).isNull();
  }

  /// Keys moved to another store, or an old change given out for a new one, do not open.
  @Test
  void whatIsInClearIsPartOfTheTag() {
    WrappedKey wrapped = wrap(DataKey.random());
    assertThat(
            new WrappedKey(HIGH + 1, LOW, 2, "clef-1", wrapped.nonce(), wrapped.sealed())
                .unwrap(KEY.clone()))
        .isNull();
    assertThat(
            new WrappedKey(HIGH, LOW, 3, "clef-1", wrapped.nonce(), wrapped.sealed())
                .unwrap(KEY.clone()))
        .isNull();
  }

  @Test
  void noTwoWrapsAreAlike() {
    DataKey dataKey = DataKey.random();
    assertThat(wrap(dataKey).nonce()).isNotEqualTo(wrap(dataKey).nonce());
    assertThat(wrap(dataKey).sealed()).isNotEqualTo(wrap(dataKey).sealed());
  }

  @Test
  void anyDamageIsFound() {
    byte[] block = wrap(DataKey.random()).encode();
    for (int bit = 0; bit < 8 * block.length; bit++) {
      block[bit / 8] ^= (byte) (1 << (bit % 8));
      assertThat(WrappedKey.decode(block, "keys")).as("bit %d", bit).isNull();
      block[bit / 8] ^= (byte) (1 << (bit % 8));
    }
  }

  @Test
  void anotherVersionIsRefusedByNumber() {
    byte[] block = wrap(DataKey.random()).encode();
    ByteBuffer bytes = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(8, WrappedKey.VERSION + 1);
    var crc = new CRC32C();
    crc.update(block, 0, WrappedKey.BYTES - 4);
    bytes.putInt(WrappedKey.BYTES - 4, (int) crc.getValue());
    assertThatThrownBy(() -> WrappedKey.decode(block, "keys"))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("version=2");
  }
}
