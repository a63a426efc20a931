package io.varve.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.spi.PageCodec;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.ServiceLoader;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.zip.DataFormatException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PageCodecTest {
  static final List<PageCodec> CODECS = List.of(new Lz4Codec(), new ZstdCodec());

  private static byte[] clear(int length, int symbols, long seed) {
    byte[] clear = new byte[length];
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < length; i++) {
      clear[i] = (byte) random.nextInt(symbols);
    }
    return clear;
  }

  private static byte[] compress(PageCodec codec, byte[] clear) {
    byte[] target = new byte[3 + codec.compressedBytesMax(clear.length)];
    int bytes = codec.compress(clear, 0, clear.length, target, 3);
    return Arrays.copyOfRange(target, 3, 3 + bytes);
  }

  private static byte[] decompress(PageCodec codec, byte[] compressed, int length)
      throws DataFormatException {
    byte[] back = new byte[5 + length];
    codec.decompress(compressed, 0, compressed.length, back, 5, length);
    return Arrays.copyOfRange(back, 5, back.length);
  }

  @Test
  void areFoundAsServices() {
    assertThat(
            ServiceLoader.load(PageCodec.class).stream()
                .map(provider -> provider.get().name())
                .toList())
        .containsExactlyInAnyOrder("lz4", "zstd");
  }

  @Test
  void anyLengthComesBack() throws DataFormatException {
    for (PageCodec codec : CODECS) {
      for (int length : new int[] {1, 2, 100, 511, 8192, 65_535, 1 << 20}) {
        for (int symbols : new int[] {1, 2, 40, 256}) {
          byte[] clear = clear(length, symbols, length);
          byte[] compressed = compress(codec, clear);
          assertThat(decompress(codec, compressed, length)).isEqualTo(clear);
          for (int other : new int[] {length - 1, length + 1}) {
            assertThatThrownBy(() -> decompress(codec, compressed, other))
                .isInstanceOf(DataFormatException.class);
          }
        }
      }
    }
  }

  @Property(tries = 300)
  void anyBytesComeBack(@ForAll @Size(min = 1, max = 2000) byte[] clear) throws Exception {
    for (PageCodec codec : CODECS) {
      assertThat(decompress(codec, compress(codec, clear), clear.length)).isEqualTo(clear);
    }
  }

  @Property(tries = 2000)
  void anyBytesAreDecompressedOrRefused(@ForAll byte[] hostile) {
    for (PageCodec codec : CODECS) {
      tryToDecompress(codec, hostile);
    }
  }

  @Test
  void damagedBytesAreDecompressedOrRefused() {
    SplittableRandom random = new SplittableRandom(7);
    for (PageCodec codec : CODECS) {
      byte[] sound = compress(codec, clear(5000, 12, 1));
      for (int round = 0; round < 5000; round++) {
        byte[] damaged = Arrays.copyOf(sound, 1 + random.nextInt(sound.length));
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
          int within = random.nextBoolean() ? Math.min(16, damaged.length) : damaged.length;
          damaged[random.nextInt(within)] = (byte) random.nextInt();
        }
        tryToDecompress(codec, damaged);
      }
    }
  }

  private static void tryToDecompress(PageCodec codec, byte[] bytes) {
    try {
      decompress(codec, bytes, 5000);
    } catch (DataFormatException _) {
      // as it should be
    }
  }

  /// What one version compressed, all later ones must decompress.
  @Test
  void theseBytesAreDecompressedWithoutEnd() throws DataFormatException {
    byte[] clear = "a varve, a varve, a varve, a varve, a varve".getBytes(StandardCharsets.UTF_8);
    String[] compressed = {
      "9f612076617276652c2009000a507661727665", "00007d000048612076617276652c20010074ca11"
    };
    for (int i = 0; i < compressed.length; i++) {
      byte[] bytes = HexFormat.of().parseHex(compressed[i]);
      assertThat(decompress(CODECS.get(i), bytes, clear.length)).isEqualTo(clear);
    }
  }

  @Test
  void manyThreadsMayUseOne() throws Exception {
    for (PageCodec codec : CODECS) {
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<Boolean>> answers =
            IntStream.range(0, 200)
                .mapToObj(i ->
                    threads.submit(() -> {
                      byte[] clear = clear(3000 + i, 20, i);
                      byte[] compressed = compress(codec, clear);
                      Thread.yield();
                      return Arrays.equals(decompress(codec, compressed, clear.length), clear);
                    }))
                .toList();
        for (Future<Boolean> answer : answers) {
          assertThat(answer.get()).isTrue();
        }
      }
    }
  }
}
