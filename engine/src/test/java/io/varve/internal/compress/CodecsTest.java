package io.varve.internal.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.UnsupportedFormatException;
import io.varve.spi.PageCodec;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.DataFormatException;
import org.junit.jupiter.api.Test;

class CodecsTest {
  private static PageCodec deflate() {
    PageCodec codec = Codecs.chosen("deflate");
    assertThat(codec).isNotNull();
    return codec;
  }

  @Test
  void noneIsNoCodec() {
    assertThat(Codecs.chosen("none")).isNull();
  }

  @Test
  void aMissingCodecIsNamedWithWhatToAdd() {
    assertThatThrownBy(() -> Codecs.chosen("zstd"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("compression=zstd")
        .hasMessageContaining("none, deflate")
        .hasMessageContaining("varve-compress");
    assertThatThrownBy(() -> Codecs.needed(new CodecTable.Entry(3, "zstd"), "pages"))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("compression=zstd")
        .hasMessageContaining("file=pages")
        .hasMessageContaining("varve-compress");
  }

  @Test
  void deflateComesBack() throws DataFormatException {
    SplittableRandom random = new SplittableRandom(1);
    for (int length : new int[] {1, 2, 100, 511, 8192, 65_535, 1 << 20}) {
      for (int symbols : new int[] {1, 2, 40, 256}) {
        byte[] clear = new byte[length];
        for (int i = 0; i < length; i++) {
          clear[i] = (byte) random.nextInt(symbols);
        }
        byte[] target = new byte[7 + deflate().compressedBytesMax(length)];
        int bytes = deflate().compress(clear, 0, length, target, 7);
        byte[] back = new byte[length + 5];
        deflate().decompress(target, 7, bytes, back, 5, length);
        assertThat(Arrays.copyOfRange(back, 5, back.length)).isEqualTo(clear);
        for (int other : new int[] {length - 1, length + 1}) {
          byte[] wrong = new byte[other];
          assertThatThrownBy(() -> deflate().decompress(target, 7, bytes, wrong, 0, other))
              .isInstanceOf(DataFormatException.class);
        }
      }
    }
  }

  @Test
  void deflateRefusesWhatItDidNotMake() {
    SplittableRandom random = new SplittableRandom(2);
    byte[] clear =
        "a line of text, a line of text, and another one".getBytes(StandardCharsets.UTF_8);
    byte[] compressed = new byte[deflate().compressedBytesMax(clear.length)];
    int bytes = deflate().compress(clear, 0, clear.length, compressed, 0);
    for (int round = 0; round < 3000; round++) {
      byte[] damaged = Arrays.copyOf(compressed, random.nextInt(bytes + 1));
      for (int i = random.nextInt(4); i > 0 && damaged.length > 0; i--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      byte[] back = new byte[clear.length];
      try {
        deflate().decompress(damaged, 0, damaged.length, back, 0, back.length);
      } catch (DataFormatException _) {
        // as it should be; other bytes of the same length are what the checksum is for
      }
    }
  }

  @Test
  void aTableComesBack() {
    CodecTable table =
        new CodecTable(
            List.of(
                new CodecTable.Entry(1, "deflate"),
                new CodecTable.Entry(255, "a-name_of-thirty-letters-0123")));
    byte[] block = new byte[300];
    table.encode(block, 20);
    assertThat(CodecTable.decode(block, 20)).isEqualTo(table);
    assertThat(CodecTable.decode(new byte[CodecTable.BYTES], 0)).isEqualTo(CodecTable.EMPTY);
    assertThat(table.with(deflate())).isEqualTo(table);
  }

  @Test
  void aTableThatMakesNoSenseIsNone() {
    byte[] block = new byte[CodecTable.BYTES];
    new CodecTable(List.of(new CodecTable.Entry(1, "deflate"))).encode(block, 0);
    for (int at : new int[] {1, 2}) {
      byte[] damaged = block.clone();
      damaged[at] = (byte) 0xff;
      assertThat(CodecTable.decode(damaged, 0)).isNull();
    }
    byte[] twice = block.clone();
    System.arraycopy(block, 0, twice, 32, 32);
    assertThat(CodecTable.decode(twice, 0)).isNull();
  }

  @Test
  void anotherCodecWithTheSameNumberIsRefused() {
    CodecTable taken = new CodecTable(List.of(new CodecTable.Entry(1, "other")));
    assertThatThrownBy(() -> taken.with(deflate()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("codec=1");
  }
}
