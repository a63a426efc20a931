package io.varve.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.CorruptStoreException;
import io.varve.HexDump;
import io.varve.UnsupportedFormatException;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.FileOption;
import io.varve.internal.disk.MemoryDisk;
import io.varve.internal.file.Catalog.SpaceRoot;
import io.varve.internal.page.Branches;
import io.varve.internal.page.Bytes;
import io.varve.internal.page.Extent;
import io.varve.internal.page.Inner;
import io.varve.internal.page.LargeReference;
import io.varve.internal.page.Leaf;
import io.varve.internal.page.LeafPage;
import io.varve.internal.page.MalformedImageException;
import io.varve.internal.page.Node;
import io.varve.internal.page.PageImage;
import io.varve.internal.page.PageImage.Kind;
import io.varve.internal.page.RecordOrder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Every structure of the page file, byte by byte, written and read. A failure here shows that the
/// format changed: stores that exist could not be read any more. Then [Superblock#FORMAT] must
/// rise, and these bytes stay as what the earlier format was.
class PageFormatTest {
  private static final int SPACE = 7;
  private static final long EPOCH = 0x1122334455L;
  private static final byte[] REFERENCE = sequence(LargeReference.BYTES, 0xa0);

  private final Disk disk = new MemoryDisk();
  private PageFile file;

  @BeforeEach
  void open() throws IOException {
    file = PageFile.open(disk, PageFile.NAME);
  }

  @AfterEach
  void close() throws IOException {
    file.close();
    disk.close();
  }

  private static byte[] sequence(int length, int first) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (first + i);
    }
    return bytes;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private byte[] bytesOnDisk(long offset, int length) throws IOException {
    byte[] bytes = new byte[length];
    try (DiskFile raw = disk.open(PageFile.NAME, FileOption.READ_ONLY)) {
      raw.read(offset, ByteBuffer.wrap(bytes));
    }
    return bytes;
  }

  private byte[] imageOnDisk(long extent) throws IOException {
    return bytesOnDisk(Extent.offset(extent), Extent.bytes(extent));
  }

  private static void add(byte[] page, String key, byte[] value, int flag) {
    int index = LeafPage.find(page, ascii(key));
    LeafPage.insert(page, ~index, ascii(key), value, value.length | flag);
  }

  /// Keys out of order, a key that is the prefix, an empty value, a reference, a value replaced and
  /// an entry removed.
  private static byte[] leaf() {
    byte[] page = LeafPage.create(256, ascii("user:"), 5);
    add(page, "user:carol", ascii("C"), 0);
    add(page, "user:alice", ascii("old"), 0);
    add(page, "user:", new byte[0], 0);
    add(page, "user:dave", ascii("gone"), 0);
    add(page, "user:bob", REFERENCE, LeafPage.LARGE);
    int alice = LeafPage.find(page, ascii("user:alice"));
    LeafPage.replaceValue(page, alice, ascii("user:alice"), ascii("new value"), 9);
    LeafPage.remove(page, LeafPage.find(page, ascii("user:dave")));
    return page;
  }

  private static void requireEntries(byte[] page) {
    assertThat(LeafPage.count(page)).isEqualTo(4);
    requireEntry(page, 0, "user:", new byte[0], false);
    requireEntry(page, 1, "user:alice", ascii("new value"), false);
    requireEntry(page, 2, "user:bob", REFERENCE, true);
    requireEntry(page, 3, "user:carol", ascii("C"), false);
  }

  private static void requireEntry(
      byte[] page, int index, String key, byte[] value, boolean large) {
    assertThat(LeafPage.key(page, index)).isEqualTo(ascii(key));
    assertThat(LeafPage.value(page, index)).isEqualTo(value);
    assertThat(LeafPage.isLarge(page, index)).isEqualTo(large);
    assertThat(LeafPage.find(page, ascii(key))).isEqualTo(index);
  }

  @Test
  void extentHasTheseBits() {
    long extent = Extent.of(0x123456789L, 0x1abcdef);
    assertThat(extent).isEqualTo(0x2468acf121abcdefL);
    assertThat(Extent.unit(extent)).isEqualTo(0x123456789L);
    assertThat(Extent.bytes(extent)).isEqualTo(0x1abcdef);
    assertThat(Extent.offset(extent)).isEqualTo(0x123456789L * 512);
    assertThat(Extent.units(extent)).isEqualTo((0x1abcdef + 511) / 512);
  }

  private static final String LEAF =
      """
      000000  04000500 a8001800 00000000 02000100
      000050  00000080 e1006369 6ce1a800 00626fe2
      000060  ba006f72 61e3f100 657661e4 d5000000
      0000a0  00000000 00000000 05000900 616c6963
      0000b0  656e6577 2076616c 75650300 1480626f
      0000c0  62a0a1a2 a3a4a5a6 a7a8a9aa abacadae
      0000d0  afb0b1b2 b3040004 00646176 65676f6e
      0000e0  65000000 00050003 00616c69 63656f6c
      0000f0  64050001 00636172 6f6c4375 7365723a
      000100
      """;

  @Test
  void leafPageHasTheseBytes() {
    assertThat(HexDump.of(leaf())).isEqualTo(LEAF);
    requireEntries(HexDump.parse(LEAF));
  }

  private static final String LEAF_IMAGE =
      """
      000000  56525670 23213285 01000000 07000000
      000010  60000000 00000000 55443322 11000000
      000020  00010000 04000500 00000080 c0006369
      000030  6ce1c400 00626fe2 d6006f72 61e3f100
      000040  00000000 05000900 616c6963 656e6577
      000050  2076616c 75650300 1480626f 62a0a1a2
      000060  a3a4a5a6 a7a8a9aa abacadae afb0b1b2
      000070  b3050001 00636172 6f6c4375 7365723a
      000080
      """;

  /// Of a version that left records in the order of a page in memory.
  private static final String LEAF_IMAGE_BEFORE =
      """
      000000  56525670 a74866f1 01000000 07000000
      000010  60000000 00000000 55443322 11000000
      000020  00010000 04000500 00000080 f7006369
      000030  6ce1e500 00626fe2 ca006f72 61e3c000
      000040  05000100 6361726f 6c430300 1480626f
      000050  62a0a1a2 a3a4a5a6 a7a8a9aa abacadae
      000060  afb0b1b2 b3050009 00616c69 63656e65
      000070  77207661 6c756500 00000075 7365723a
      000080
      """;

  /// The image is of the page without what is dead.
  @Test
  void leafImageHasTheseBytes() {
    assertThat(HexDump.of(PageImage.ofLeaf(leaf(), SPACE, EPOCH))).isEqualTo(LEAF_IMAGE);
    requireLeafImage(LEAF_IMAGE);
  }

  @Test
  void leafImageInAnotherOrderIsRead() {
    requireLeafImage(LEAF_IMAGE_BEFORE);
  }

  private static void requireLeafImage(String hex) {
    byte[] image = HexDump.parse(hex);
    assertThat(PageImage.isValid(image, Kind.LEAF, Bytes.i32(image, 4))).isTrue();
    byte[] page = PageImage.toLeaf(image);
    requireEntries(page);
    byte[] writable = LeafPage.writableCopy(page, 256);
    assertThat(HexDump.of(PageImage.ofLeaf(writable, SPACE, EPOCH))).isEqualTo(LEAF_IMAGE);
  }

  private static final String EMPTY_LEAF_IMAGE =
      """
      000000  56525670 0b97f820 01000000 00000000
      000010  08000000 00000000 01000000 00000000
      000020  00040000 00000000
      000028
      """;

  @Test
  void emptyLeafImageHasTheseBytes() {
    byte[] page = LeafPage.create(1024, new byte[0], 0);
    assertThat(HexDump.of(PageImage.ofLeaf(page, 0, 1))).isEqualTo(EMPTY_LEAF_IMAGE);
    // Which notes in its header that it is in order: that is for memory alone.
    byte[] read = PageImage.toLeaf(HexDump.parse(EMPTY_LEAF_IMAGE));
    assertThat(LeafPage.writableCopy(read, page.length)).isEqualTo(RecordOrder.copyInOrder(page));
  }

  private static final String INNER_IMAGE =
      """
      000000  56525670 9336b420 02010000 07000000
      000010  46000000 00000000 55443322 11000000
      000020  03002c01 00000800 00000403 02010b00
      000030  00000000 00000020 00e0ffff ff0ffcfd
      000040  feff9a78 56341200 00000100 00400800
      000050  00000000 00000100 00000000 00000100
      000060  6d0300ff 0080
      000066
      """;

  @Test
  void innerImageHasTheseBytes() {
    Node[] children = {
      new Leaf(Extent.of(64, 300), 0x01020304, 11),
      new Leaf(Extent.of(0x7fffffffL, 8192), 0xfffefdfc, 0x123456789aL),
      new Leaf(Extent.of(66, 1), 0, 1),
    };
    byte[][] separators = {ascii("m"), {(byte) 0xff, 0, (byte) 0x80}};
    byte[] image = PageImage.ofInner(new Branches(children, separators), 1, SPACE, EPOCH);
    assertThat(HexDump.of(image)).isEqualTo(INNER_IMAGE);
    assertThat(PageImage.level(image)).isEqualTo(1);

    Branches read = PageImage.toBranches(HexDump.parse(INNER_IMAGE), 1);
    assertThat(read.count()).isEqualTo(3);
    for (int i = 0; i < 3; i++) {
      assertThat(read.child(i).level()).isZero();
      assertThat(read.child(i).extent()).isEqualTo(children[i].extent());
      assertThat(read.child(i).checksum()).isEqualTo(children[i].checksum());
      assertThat(read.child(i).entryCount()).isEqualTo(children[i].entryCount());
    }
    assertThat(read.separator(0)).isEqualTo(separators[0]);
    assertThat(read.separator(1)).isEqualTo(separators[1]);
  }

  private static final String UPPER_INNER_IMAGE =
      """
      000000  56525670 4fb48e97 02030000 01000000
      000010  16000000 00000000 02000000 00000000
      000020  0100e703 00c00800 00000500 0000e803
      000036
      """;

  @Test
  void innerImageOfAHigherLevelHasTheseBytes() {
    Node[] children = {new Inner(Extent.of(70, 999), 5, 1000, 2)};
    byte[] image = PageImage.ofInner(new Branches(children, new byte[0][]), 3, 1, 2);
    assertThat(HexDump.of(image)).isEqualTo(UPPER_INNER_IMAGE);
    assertThat(PageImage.level(image)).isEqualTo(3);
    assertThat(PageImage.toBranches(HexDump.parse(UPPER_INNER_IMAGE), 3).child(0).level())
        .isEqualTo(2);
  }

  /// The readers that look for images without a reference, in a damaged file or a backup, ask this.
  @Test
  void anImageIsWholeWithEachOfItsBytesAlone() {
    byte[] image = HexDump.parse(LEAF_IMAGE);
    int checksum = Bytes.i32(image, 4);
    assertThat(PageImage.isWhole(image, checksum)).isTrue();
    assertThat(PageImage.isWhole(image, checksum + 1)).isFalse();
    assertThat(PageImage.isWhole(new byte[PageImage.HEADER_BYTES - 1], 0)).isFalse();
    assertThat(PageImage.isWhole(Arrays.copyOf(image, image.length + 1), checksum)).isFalse();
    assertThat(PageImage.claimedBytes(image, 0)).isEqualTo(image.length);
    for (int bit = 0; bit < image.length * 8; bit++) {
      image[bit / 8] ^= (byte) (1 << (bit % 8));
      assertThat(PageImage.isWhole(image, checksum)).as("bit %d", bit).isFalse();
      image[bit / 8] ^= (byte) (1 << (bit % 8));
    }
  }

  /// Guards against a decoder that reads past the end: what it throws then is no damage to its
  /// caller.
  @Test
  void imagesCutShortAnywhereAreMalformed() {
    byte[] leaf = HexDump.parse(LEAF_IMAGE);
    byte[] empty = HexDump.parse(EMPTY_LEAF_IMAGE);
    byte[] inner = HexDump.parse(INNER_IMAGE);
    requireMalformedPrefixes(leaf, PageImage::toLeaf);
    requireMalformedPrefixes(empty, PageImage::toLeaf);
    requireMalformedPrefixes(inner, image -> PageImage.toBranches(image, 1));
    byte[] withoutChildren = Arrays.copyOf(inner, PageImage.HEADER_BYTES + 2 + 20);
    assertThatThrownBy(() -> PageImage.toBranches(withoutChildren, 1))
        .hasMessageContaining("children cut short");
    assertThatThrownBy(() -> PageImage.toBranches(Arrays.copyOf(inner, inner.length + 1), 1))
        .isInstanceOf(MalformedImageException.class);
  }

  private static void requireMalformedPrefixes(byte[] image, Consumer<byte[]> decoder) {
    for (int length = PageImage.HEADER_BYTES; length < image.length; length++) {
      byte[] prefix = Arrays.copyOf(image, length);
      assertThatThrownBy(() -> decoder.accept(prefix))
          .as("%d bytes of %d", length, image.length)
          .isInstanceOf(MalformedImageException.class);
    }
  }

  /// A search among separators that are not in strict order would miss entries.
  @Test
  void innerImageWithEqualSeparatorsIsMalformed() {
    byte[][] separators = {ascii("m"), ascii("n")};
    Node[] children = {
      new Leaf(Extent.of(64, 300), 1, 1),
      new Leaf(Extent.of(65, 300), 2, 1),
      new Leaf(Extent.of(66, 300), 3, 1),
    };
    byte[] image = PageImage.ofInner(new Branches(children, separators), 1, SPACE, EPOCH);
    assertThat(PageImage.toBranches(image, 1).count()).isEqualTo(3);
    image[image.length - 1] = 'm';
    assertThatThrownBy(() -> PageImage.toBranches(image, 1))
        .isInstanceOf(MalformedImageException.class);
  }

  private static final String LARGE_CHUNK =
      """
      000000  56525670 be50a648 03000000 07000000
      000010  32000000 00000000 55443322 11000000
      000020  01020304 05060708 090a0b0c 0d0e0f10
      000030  11121314 15161718 191a1b1c 1d1e1f20
      000040  21222324 25262728 292a2b2c 2d2e2f30
      000050  3132
      000052
      """;

  private static final String LARGE_CHUNK_REFERENCE =
      """
      000000  32000000 00000000 52000000 08000000
      000010  be50a648
      000014
      """;

  @Test
  void largeValueOfOneChunkHasTheseBytes() throws IOException {
    byte[] value = sequence(50, 1);
    byte[] reference =
        new LargeValues(file, SPACE, () -> EPOCH)
            .write(new ByteArrayInputStream(value), 50, LargeValues.Capacity.AS_IT_IS, false);
    assertThat(HexDump.of(reference)).isEqualTo(LARGE_CHUNK_REFERENCE);
    assertThat(HexDump.of(imageOnDisk(Bytes.i64(reference, 8)))).isEqualTo(LARGE_CHUNK);

    byte[] parsed = HexDump.parse(LARGE_CHUNK_REFERENCE);
    file.write(Bytes.i64(parsed, 8), ByteBuffer.wrap(HexDump.parse(LARGE_CHUNK)));
    assertThat(LargeValues.read(file, parsed)).isEqualTo(value);
  }

  private static final String LARGE_INDEX =
      """
      000000  56525670 c2d6a90c 04000000 07000000
      000010  18000000 00000000 55443322 11000000
      000020  00001000 08000000 7657658b 23000000
      000030  08010000 4a018d1a
      000038
      """;

  private static final String LARGE_INDEX_REFERENCE =
      """
      000000  e3ff0f00 00000000 38000020 08010000
      000010  c2d6a90c
      000014
      """;

  @Test
  void largeValueOfTwoChunksHasTheseBytes() throws IOException {
    byte[] value = new byte[LargeReference.CHUNK_BYTES + 3];
    Arrays.fill(value, (byte) 0x5a);
    byte[] reference =
        new LargeValues(file, SPACE, () -> EPOCH)
            .write(
                new ByteArrayInputStream(value), value.length, LargeValues.Capacity.AS_IT_IS, true);
    assertThat(HexDump.of(reference)).isEqualTo(LARGE_INDEX_REFERENCE);
    assertThat(HexDump.of(imageOnDisk(Bytes.i64(reference, 8)))).isEqualTo(LARGE_INDEX);

    byte[] parsed = HexDump.parse(LARGE_INDEX_REFERENCE);
    file.write(Bytes.i64(parsed, 8), ByteBuffer.wrap(HexDump.parse(LARGE_INDEX)));
    assertThat(LargeValues.read(file, parsed)).isEqualTo(value);
  }

  private static final String CATALOG =
      """
      000000  56525670 1290c56d 05000000 00000000
      000010  94000000 00000000 55443322 11000000
      000020  00000009 00000002 00000001 00057573
      000030  65727300 00000200 00000c80 0001900a
      000040  0b0c0d00 00000000 01e24000 00000800
      000050  0b4772c3 b6c39f65 2fe282ac 00000000
      000060  00000019 0000005a ffffffff 00000000
      000070  00000000 00000002 00000000 00000040
      000080  00000000 0000000a 00000000 00000064
      000090  00000001 00000001 00000002 0000000b
      0000a0  40000200 0000000b e0000201 0000000a
      0000b0  0000004d
      0000b4
      """;

  @Test
  void catalogHasTheseBytes() throws IOException {
    Catalog catalog =
        new Catalog(
            9,
            List.of(
                new SpaceRoot(
                    1, SpaceDefinition.of("users"), 2, Extent.of(100, 400), 0x0a0b0c0d, 123456),
                new SpaceRoot(8, SpaceDefinition.of("Größe/€"), 0, Extent.of(200, 90), -1, 0)),
            new long[] {64, 10, 100, 0x100000001L},
            List.of(Extent.of(90, 512), Extent.of(95, 513)),
            Extent.of(80, 77));
    Catalog.Location location = catalog.write(file, EPOCH);
    assertThat(HexDump.of(imageOnDisk(location.extent()))).isEqualTo(CATALOG);

    byte[] image = HexDump.parse(CATALOG);
    file.write(location.extent(), ByteBuffer.wrap(image));
    Catalog read = Catalog.read(file, location.extent(), Bytes.i32(image, 4));
    assertThat(read.nextSpaceId()).isEqualTo(9);
    assertThat(read.spaces()).isEqualTo(catalog.spaces());
    assertThat(read.liveRuns()).isEqualTo(catalog.liveRuns());
    assertThat(read.dropped()).isEqualTo(catalog.dropped());
    assertThat(read.previousExtent()).isEqualTo(catalog.previousExtent());
  }

  private static final String CATALOG_OF_TABLES =
      """
      000000  56525670 ae0538b0 05000000 00000000
      000010  70000000 00000000 55443322 11000000
      000020  00000003 00000002 00000001 00037261
      000030  77000000 00000000 0c800001 90000000
      000040  07000000 00000000 00000000 02000573
      000050  746f636b 00000000 00000019 0000005a
      000060  00000008 00000000 00000001 00000000
      000070  00000000 00000000 00000000 00000001
      000080  00000002 00067374 72696e67 0002c3a9
      000090
      """;

  /// What is known of tables follows all else, where older catalogs ended.
  @Test
  void catalogOfTablesHasTheseBytes() throws IOException {
    Catalog catalog =
        new Catalog(
            3,
            List.of(
                new SpaceRoot(1, SpaceDefinition.of("raw"), 0, Extent.of(100, 400), 7, 0),
                new SpaceRoot(
                    2, new SpaceDefinition("stock", "string", "é"), 0, Extent.of(200, 90), 8, 1)),
            new long[0],
            List.of(),
            0);
    Catalog.Location location = catalog.write(file, EPOCH);
    assertThat(HexDump.of(imageOnDisk(location.extent()))).isEqualTo(CATALOG_OF_TABLES);
    byte[] image = HexDump.parse(CATALOG_OF_TABLES);
    Catalog read = Catalog.read(file, location.extent(), Bytes.i32(image, 4));
    assertThat(read.spaces()).isEqualTo(catalog.spaces());
  }

  private static final Superblock ODD =
      new Superblock(
          0x0123456789abcdefL,
          0xfedcba9876543210L,
          5,
          0x55,
          0x7000000008L,
          Extent.of(99, 321),
          0xdeadbeef,
          8192,
          3,
          true);

  private static final String SUPERBLOCK =
      """
      000000  56617276 65444231 01000000 00000000
      000010  efcdab89 67452301 10325476 98badcfe
      000020  05000000 00000000 55000000 00000000
      000030  08000000 70000000 41010060 0c000000
      000040  efbeadde 00200000 03000000 01000000
      000ff0  00000000 00000000 00000000 ed031300
      001000
      """;

  @Test
  void superblockHasTheseBytes() throws IOException {
    ODD.write(file);
    assertThat(HexDump.of(bytesOnDisk(16384, Superblock.BYTES))).isEqualTo(SUPERBLOCK);
    assertThat(Superblock.read(file, 1)).isEqualTo(ODD);
    assertThat(Superblock.read(file, 0)).as("nothing was written there").isNull();

    file.writeSuperblock(0, HexDump.parse(SUPERBLOCK));
    assertThat(Superblock.read(file, 0)).isEqualTo(ODD);
    assertThat(PageFile.FIRST_UNIT * Extent.UNIT_BYTES).isEqualTo(32768);
  }

  @Test
  void superblockOfTheHigherSequenceCounts() throws IOException {
    Superblock even = new Superblock(1, 2, 6, 8, 9, 10, 11, 1024, 12, false);
    ODD.write(file);
    even.write(file);
    assertThat(Superblock.readNewest(file)).isEqualTo(even);
    assertThat(bytesOnDisk(0, 8)).isEqualTo(ascii("VarveDB1"));
    file.writeSuperblock(0, new byte[Superblock.BYTES]);
    assertThat(Superblock.readNewest(file)).isEqualTo(ODD);
  }

  /// Guards against a field that the checksum does not cover.
  @Test
  void everyFlippedBitOfASuperblockIsFound() throws IOException {
    byte[] bytes = HexDump.parse(SUPERBLOCK);
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      bytes[bit / 8] ^= (byte) (1 << (bit % 8));
      file.writeSuperblock(1, bytes);
      assertThat(Superblock.read(file, 1)).isNull();
      bytes[bit / 8] ^= (byte) (1 << (bit % 8));
    }
  }

  /// A bit of an image that no reader checks could change an answer. The bytes at 20 and 10, unused
  /// as yet, count too.
  @Test
  void everyFlippedBitOfAnImageIsFound() throws IOException {
    byte[] image = HexDump.parse(LEAF_IMAGE);
    int checksum = Bytes.i32(image, 4);
    long extent = file.extents().allocate(image.length);
    for (int bit = 0; bit < image.length * 8; bit++) {
      image[bit / 8] ^= (byte) (1 << (bit % 8));
      file.write(extent, ByteBuffer.wrap(image));
      assertThatThrownBy(() -> file.read(extent, Kind.LEAF, checksum))
          .as("bit %d", bit)
          .isInstanceOf(CorruptStoreException.class);
      image[bit / 8] ^= (byte) (1 << (bit % 8));
    }
    file.write(extent, ByteBuffer.wrap(image));
    assertThat(file.read(extent, Kind.LEAF, checksum)).isEqualTo(image);
    assertThatThrownBy(() -> file.read(extent, Kind.INNER, checksum))
        .isInstanceOf(CorruptStoreException.class);
  }

  @Test
  void superblockOfAnotherFormatIsRefusedByNumber() throws IOException {
    byte[] bytes = HexDump.parse(SUPERBLOCK);
    Bytes.putI32(bytes, 8, Superblock.FORMAT + 4);
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, Superblock.BYTES - 4);
    Bytes.putI32(bytes, Superblock.BYTES - 4, (int) crc.getValue());
    file.writeSuperblock(1, bytes);
    assertThatThrownBy(() -> Superblock.readNewest(file))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("format=" + (Superblock.FORMAT + 4));
  }
}
