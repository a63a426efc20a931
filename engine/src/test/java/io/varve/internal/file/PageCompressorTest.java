package io.varve.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.CorruptStoreException;
import io.varve.internal.compress.CodecTable;
import io.varve.internal.compress.Codecs;
import io.varve.internal.disk.MemoryDisk;
import io.varve.internal.page.Bytes;
import io.varve.internal.page.Extent;
import io.varve.internal.page.LeafColumns;
import io.varve.internal.page.LeafPage;
import io.varve.internal.page.MalformedImageException;
import io.varve.internal.page.PageImage;
import io.varve.internal.page.PageImage.Kind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PageCompressorTest {
  private static final int SPACE = 7;
  private static final long EPOCH = 9;

  private final PageCompressor deflate = new PageCompressor("pages", Codecs.chosen("deflate"));

  /// A leaf with keys and values that chance chose.
  private static byte[] leaf(SplittableRandom random) {
    String prefix = "p".repeat(random.nextInt(3) * random.nextInt(40));
    byte[] page = LeafPage.create(8192, bytes(prefix), prefix.length());
    int count = random.nextInt(120);
    for (int i = 0; i < count; i++) {
      byte[] value = new byte[random.nextInt(4) == 0 ? random.nextInt(60) : 8];
      random.nextBytes(value);
      String key = prefix + Integer.toString(random.nextInt(5000), 2 + random.nextInt(30));
      int index = LeafPage.find(page, bytes(key));
      if (index < 0 && LeafPage.fitsInPlace(page, bytes(key), value.length)) {
        LeafPage.insert(page, ~index, bytes(key), value, value.length);
      }
    }
    return page;
  }

  private static byte[] regular() {
    byte[] page = LeafPage.create(8192, bytes("key"), 3);
    for (int i = 100; i < 200; i++) {
      LeafPage.insert(page, i - 100, bytes("key" + i), new byte[40], 40);
    }
    return page;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> entries(byte[] page) {
    return IntStream.range(0, LeafPage.count(page))
        .mapToObj(i -> hex(LeafPage.key(page, i)) + "=" + hex(LeafPage.value(page, i)))
        .toList();
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  @Test
  void columnsGiveTheLeafBack() {
    for (int seed = 0; seed < 300; seed++) {
      byte[] page = leaf(new SplittableRandom(seed));
      byte[] image = PageImage.ofLeaf(page, SPACE, EPOCH);
      byte[] columns = LeafColumns.of(image);
      assertThat(columns.length).isLessThanOrEqualTo(image.length);
      byte[] padded = new byte[PageImage.HEADER_BYTES + columns.length];
      System.arraycopy(columns, 0, padded, PageImage.HEADER_BYTES, columns.length);
      byte[] back = PageImage.toLeaf(LeafColumns.toImage(padded));
      assertThat(entries(back)).as("seed=" + seed).isEqualTo(entries(page));
      assertThat(back).isEqualTo(PageImage.toLeaf(image));
    }
  }

  @Test
  void columnsThatWereChangedAreALeafOrRefused() {
    SplittableRandom random = new SplittableRandom(5);
    for (int round = 0; round < 4_000; round++) {
      byte[] columns = LeafColumns.of(PageImage.ofLeaf(leaf(random.split()), SPACE, EPOCH));
      byte[] padded = new byte[PageImage.HEADER_BYTES + random.nextInt(columns.length + 1)];
      int bytes = padded.length - PageImage.HEADER_BYTES;
      System.arraycopy(columns, 0, padded, PageImage.HEADER_BYTES, bytes);
      for (int i = random.nextInt(4); i > 0 && bytes > 0; i--) {
        int within = random.nextBoolean() ? Math.min(bytes, 24) : bytes;
        padded[PageImage.HEADER_BYTES + random.nextInt(within)] = (byte) random.nextInt();
      }
      try {
        PageImage.toLeaf(LeafColumns.toImage(padded));
      } catch (MalformedImageException _) {
        // as it should be
      }
    }
  }

  @Test
  void imagesOfAllKindsComeBack() {
    deflate.name(new CodecTable(List.of(new CodecTable.Entry(1, "deflate"))));
    for (Kind kind : Kind.values()) {
      byte[] image =
          kind == Kind.LEAF ? PageImage.ofLeaf(regular(), SPACE, EPOCH) : zeros(5000, kind);
      byte[] compressed = deflate.compress(image, image.length, kind, 0);
      if (kind == Kind.CATALOG || kind == Kind.LARGE_INDEX) {
        assertThat(compressed).isNull();
        continue;
      }
      assertThat(compressed).isNotNull().hasSizeLessThan(image.length);
      int checksum = PageImage.storedChecksum(compressed);
      assertThat(PageImage.isValid(compressed, kind, checksum)).isTrue();
      assertThat(PageImage.epoch(compressed)).isEqualTo(EPOCH);
      byte[] back = deflate.decompress(compressed, kind);
      if (kind == Kind.LEAF) {
        assertThat(entries(PageImage.toLeaf(back))).isEqualTo(entries(PageImage.toLeaf(image)));
      } else {
        assertThat(Arrays.copyOfRange(back, PageImage.KIND, back.length))
            .isEqualTo(Arrays.copyOfRange(image, PageImage.KIND, image.length));
      }
    }
  }

  private static byte[] zeros(int bytes, Kind kind) {
    byte[] image = new byte[bytes];
    PageImage.seal(image, bytes, kind, 0, SPACE, EPOCH);
    return image;
  }

  @Test
  void whatSavesNoUnitStaysAsItIs() {
    byte[] noise = new byte[5000];
    new SplittableRandom(1).nextBytes(noise);
    assertThat(deflate.compress(noise, noise.length, Kind.INNER, 0)).isNull();
    byte[] oneUnit = zeros(Extent.UNIT_BYTES, Kind.INNER);
    assertThat(deflate.compress(oneUnit, oneUnit.length, Kind.INNER, 0)).isNull();
  }

  /// (Z1) A log that starts at a superblock without the codec must not lead to such a value.
  @Test
  void largeValuesWaitForTheSuperblock() {
    byte[] chunk = zeros(5000, Kind.LARGE_CHUNK);
    assertThat(deflate.compress(chunk, chunk.length, Kind.LARGE_CHUNK, 0)).isNull();
    deflate.name(deflate.table());
    assertThat(deflate.compress(chunk, chunk.length, Kind.LARGE_CHUNK, 0)).isNotNull();
  }

  @Test
  void whatDoesNotDecompressIsMalformed() {
    byte[] image = zeros(5000, Kind.INNER);
    byte[] compressed = deflate.compress(image, image.length, Kind.INNER, 0);
    for (int clearBytes : new int[] {0, -1, 4967, 4969, (1 << 16) + 1, Integer.MAX_VALUE}) {
      byte[] claims = compressed.clone();
      Bytes.putI32(claims, PageImage.CLEAR_LENGTH, clearBytes);
      assertThatThrownBy(() -> deflate.decompress(claims, Kind.INNER))
          .isInstanceOf(MalformedImageException.class);
    }
    assertThatThrownBy(() -> deflate.decompress(compressed, Kind.CATALOG))
        .isInstanceOf(MalformedImageException.class);
  }

  @Test
  void damageNamesThePlace() throws Exception {
    try (var disk = new MemoryDisk();
        PageFile file = PageFile.open(disk, PageFile.NAME)) {
      byte[] image = zeros(600, Kind.INNER);
      image[PageImage.COMPRESSION] = 1;
      PageImage.seal(image, image.length, Kind.INNER, 0, SPACE, EPOCH);
      assertThatThrownBy(() -> file.opened(image, Extent.of(64, 600)))
          .isInstanceOf(CorruptStoreException.class)
          .hasMessageContaining("offset=32768");
    }
  }
}
