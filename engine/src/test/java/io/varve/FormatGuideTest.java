package io.varve;

import static io.varve.FormatGuide.crc;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.FormatGuide.Table;
import io.varve.admin.Backups;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Reads the files of stores by the tables of docs/FORMAT.md alone, and finds what was stored. So a
/// size, offset, magic or code that the page has wrong fails here.
class FormatGuideTest {
  private static final int ENTRIES = 3000;
  private static final int LARGE_BYTES = 3_000_000;

  private static FormatGuide guide;

  @TempDir Path directory;
  private final NavigableMap<String, byte[]> stored = new TreeMap<>();
  private final byte[] large = new byte[LARGE_BYTES];
  private byte[] pages;
  private int compressedLeaves;

  @BeforeAll
  static void readGuide() throws IOException {
    guide = FormatGuide.read();
  }

  @BeforeEach
  void makeLargeValue() {
    new SplittableRandom(1).nextBytes(large);
  }

  private static StoreOptions options() {
    return StoreOptions.defaults()
        .pageBytes(1024)
        .archiveLog(true)
        .log(log -> log.bufferBytes(1 << 16).segmentBytes(1 << 20).bytesMax(16 << 20));
  }

  /// Commits each kind of change there is.
  private void fill(Path path, StoreOptions options) throws IOException {
    try (Store store = Store.open(path, options)) {
      Space space = store.space("s");
      store.transact(transaction -> {
        for (int i = 0; i < ENTRIES; i++) {
          byte[] value = {(byte) i, (byte) (i >> 8), 3, 4, 5};
          transaction.put(space, key(i), value);
          stored.put(new String(key(i), StandardCharsets.UTF_8), value);
        }
      });
      space.delete(key(7));
      stored.remove(new String(key(7), StandardCharsets.UTF_8));
      space.put(bytes("large"), new ByteArrayInputStream(large), large.length);
      Space gone = store.space("gone");
      for (int i = 0; i < 60; i++) { // frames that do not fit at the end of a term
        gone.with(Durability.BACKGROUND).put(bytes("gone-" + i), new byte[5000]);
      }
      store.dropSpace("gone");
      store.map("m", Codec.string(), Codec.int64()).put("one", 1L);
    }
    pages = Files.readAllBytes(path.resolve("pages"));
  }

  private static byte[] key(int i) {
    return bytes("customer-%06d".formatted(i));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  // --- the page file
  // ------------------------------------------------------------------------------

  private static long newestSlot(byte[] pages) {
    Table superblock = guide.table("Superblock", 0);
    return superblock.get(pages, 0, "sequence") > superblock.get(pages, 16384, "sequence")
        ? 0
        : 16384;
  }

  @Test
  void superblocksAreAsTheGuideShows() throws IOException {
    Table superblock = guide.table("Superblock", 0);
    assertThat(superblock.requireWithoutGap()).isEqualTo(4096);
    fill(directory.resolve("plain"), options());
    for (int slot : new int[] {0, 16384}) {
      assertThat(superblock.text(pages, slot, "magic")).isEqualTo("VarveDB1");
      assertThat(superblock.get(pages, slot, "format")).isEqualTo(1);
      assertThat(superblock.get(pages, slot, "pageBytes")).isEqualTo(1024);
      assertThat(superblock.get(pages, slot, "sequence") % 2).isEqualTo(slot == 0 ? 0 : 1);
      assertThat(superblock.get(pages, slot, "may end")).as("after a clean close").isEqualTo(1);
      assertThat(superblock.get(pages, slot, "crc")).isEqualTo(crc(pages, slot, slot + 4092));
    }
    fill(directory.resolve("compressed"), options().compression("deflate"));
    long codecs = newestSlot(pages) + superblock.offset("codecs");
    Table entry = guide.table("Compression", 1);
    assertThat(superblock.get(pages, newestSlot(pages), "format")).isEqualTo(3);
    assertThat(superblock.bytes("codecs")).isEqualTo(8 * entry.requireWithoutGap());
    String id = String.valueOf(entry.get(pages, codecs, "id"));
    assertThat(guide.table("Compression", 0).column("codec", "name").get(id))
        .isEqualTo("`deflate`");
    int length = (int) entry.get(pages, codecs, "length");
    assertThat(entry.text(pages, codecs, "name").substring(0, length)).isEqualTo("deflate");
  }

  @Test
  void openRecordsAreAsTheGuideShows() throws IOException {
    Table open = guide.table("Open record", 0);
    assertThat(open.requireWithoutGap()).isEqualTo(512);
    fill(directory.resolve("store"), options());
    assertThat(open.text(pages, 8192, "magic")).isEqualTo("VarveOPN");
    assertThat(open.get(pages, 8192, "generation")).as("after a clean close").isZero();
    assertThat(open.get(pages, 8192, "pid")).isEqualTo(ProcessHandle.current().pid());
    assertThat(open.get(pages, 8192, "opened")).isBetween(1_700_000_000_000L, 9_000_000_000_000L);
    assertThat(open.get(pages, 8192, "crc")).isEqualTo(crc(pages, 8192, 8192 + 508));
  }

  /// An image that is referred to: where it is, and where its body is.
  private record Image(long at, long body, int bodyBytes) {}

  private Image image(long extent, long checksum, int kind) {
    Map<String, String> bits = guide.table("Extents", 0).column("field", "bits");
    int lengthBits = Integer.parseInt(bits.get("length").split(" to ")[0]) + 1;
    assertThat(bits.get("unit")).isEqualTo("63 to " + lengthBits);
    long at = (extent >>> lengthBits) * 512;
    long length = extent & ((1L << lengthBits) - 1);
    Table header = guide.table("Page image", 0);
    int headerBytes = header.requireWithoutGap();
    assertThat(header.offset("body")).isEqualTo(headerBytes);
    assertThat(header.text(pages, at, "magic")).isEqualTo("VRVp");
    assertThat(header.get(pages, at, "checksum")).isEqualTo(checksum);
    assertThat(crc(pages, at + header.offset("kind"), at + length)).isEqualTo(checksum);
    assertThat(header.get(pages, at, "kind")).isEqualTo(kind);
    assertThat(header.get(pages, at, "length")).isEqualTo(length - headerBytes);
    return new Image(at, at + headerBytes, (int) (length - headerBytes));
  }

  /// The number of a kind of image, by its name.
  private static int kind(String name) {
    return Stream.of(guide.table("Page image", 0).meaning("kind").split(", "))
        .filter(kind -> kind.endsWith(" " + name))
        .mapToInt(kind -> Integer.parseInt(kind.split(" ")[0]))
        .findFirst()
        .orElseThrow();
  }

  /// The root of a space that the catalog names.
  private record Root(int level, long extent, long checksum, long entries) {}

  private Map<String, Root> catalog() {
    Table superblock = guide.table("Superblock", 0);
    long slot = newestSlot(pages);
    Image image =
        image(
            superblock.get(pages, slot, "catalog"),
            superblock.get(pages, slot, "checksum"),
            kind("catalog"));
    assertThat(guide.table("Page image", 0).get(pages, image.at, "epoch"))
        .isEqualTo(superblock.get(pages, slot, "epoch"));
    assertThat(guide.table("Catalog", 0).column("field", "bytes").values())
        .containsExactly("4", "4", "", "4", "16 x", "4", "8 x", "8", "4", "");
    assertThat(guide.table("Catalog", 1).column("field", "bytes of a space").toString())
        .isEqualTo("{id=4, name=2 + n, level=4, extent=8, checksum=4, entries=8}");
    ByteBuffer body = ByteBuffer.wrap(pages, (int) image.body, image.bodyBytes);
    body.getInt(); // nextSpaceId
    Map<String, Root> roots = new HashMap<>();
    Map<Integer, String> names = new HashMap<>();
    for (int i = body.getInt(); i > 0; i--) {
      int id = body.getInt();
      names.put(id, text(body));
      int level = body.getInt();
      long extent = body.getLong();
      long checksum = Integer.toUnsignedLong(body.getInt());
      roots.put(names.get(id), new Root(level, extent, checksum, body.getLong()));
    }
    int runs = body.getInt();
    assertThat(runs).isPositive();
    body.position(body.position() + 16 * runs);
    int dropped = body.getInt();
    body.position(body.position() + 8 * dropped);
    body.getLong(); // previousExtent
    Map<String, List<String>> codecs = new HashMap<>();
    for (int i = body.getInt(); i > 0; i--) {
      codecs.put(names.get(body.getInt()), List.of(text(body), text(body)));
    }
    assertThat(codecs).containsKey("m");
    assertThat(body.hasRemaining()).isFalse();
    return roots;
  }

  private static String text(ByteBuffer body) {
    byte[] text = new byte[body.getShort()];
    body.get(text);
    return new String(text, StandardCharsets.UTF_8);
  }

  @Test
  void whatWasStoredIsWhereTheGuideReports() throws IOException {
    fill(directory.resolve("store"), options());
    requireStored();
    assertThat(compressedLeaves).isZero();
  }

  @Test
  void compressedImagesAreAsTheGuideShows() throws IOException {
    fill(directory.resolve("store"), options().compression("deflate"));
    requireStored();
    assertThat(compressedLeaves).isPositive();
  }

  /// Finds what was stored from the catalog on.
  private void requireStored() {
    Map<String, Root> roots = catalog();
    // The space that was dropped is there under another name, until its last page is removed.
    assertThat(roots.keySet())
        .filteredOn(name -> !name.matches("\u0000dropped:\\d+"))
        .containsExactlyInAnyOrder("s", "m");
    Root root = roots.get("s");
    assertThat(root.entries).isEqualTo(stored.size() + 1);
    assertThat(root.level).isPositive();
    Map<String, byte[]> found = new TreeMap<>();
    walk(root.level, root.extent, root.checksum, found);
    assertThat(found.remove("large")).isEqualTo(large);
    assertThat(found.keySet()).isEqualTo(stored.keySet());
    found.forEach((key, value) -> assertThat(value).as(key).isEqualTo(stored.get(key)));
  }

  private void walk(int level, long extent, long checksum, Map<String, byte[]> found) {
    Table header = guide.table("Page image", 0);
    if (level == 0) {
      Image leaf = image(extent, checksum, kind("leaf"));
      if (header.get(pages, leaf.at, "codec") == 0) {
        readLeaf(leaf, found);
      } else {
        readColumns(body(leaf), found);
        compressedLeaves++;
      }
      return;
    }
    Image image = image(extent, checksum, kind("inner page"));
    assertThat(header.get(pages, image.at, "level")).isEqualTo(level);
    ByteBuffer body = body(image);
    int count = body.getShort(0);
    assertThat(guide.table("Inner page", 0).column("field", "bytes"))
        .containsEntry("count", "2")
        .containsEntry("children", "20 x count");
    for (int i = 0; i < count; i++) {
      int child = 2 + 20 * i;
      walk(level - 1, body.getLong(child), Integer.toUnsignedLong(body.getInt(child + 8)), found);
    }
  }

  /// The body of an image, decompressed if it is compressed.
  private ByteBuffer body(Image image) {
    Table header = guide.table("Page image", 0);
    byte[] body = Arrays.copyOfRange(pages, (int) image.body, (int) image.body + image.bodyBytes);
    String codec = String.valueOf(header.get(pages, image.at, "codec"));
    if (!codec.equals("0")) {
      assertThat(guide.table("Compression", 0).column("codec", "name").get(codec))
          .isEqualTo("`deflate`");
      body = inflated(body, (int) header.get(pages, image.at, "clear"));
    }
    return ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] inflated(byte[] stream, int clear) {
    byte[] body = new byte[clear];
    try (var inflater = new Inflater(/* nowrap= */ true)) {
      inflater.setInput(stream);
      assertThat(inflater.inflate(body)).isEqualTo(clear);
      return body;
    } catch (DataFormatException e) {
      throw new AssertionError(e);
    }
  }

  /// Reads what is compressed of a leaf, in the order of the guide.
  private void readColumns(ByteBuffer columns, Map<String, byte[]> found) {
    assertThat(guide.table("Compression", 2).column("field", "bytes").toString())
        .isEqualTo(
            "{pageLength=4, count=2, prefix=2, =prefix, shared=, rest=, tags=, keys=, values=}");
    columns.getInt(); // pageLength
    int count = columns.getShort();
    byte[] prefix = bytes(columns, columns.getShort());
    long[] shared = varints(columns, count);
    long[] rest = varints(columns, count);
    long[] tags = varints(columns, count);
    List<String> keys = new ArrayList<>();
    String suffix = "";
    for (int i = 0; i < count; i++) {
      String further = new String(bytes(columns, rest[i]), StandardCharsets.UTF_8);
      suffix = suffix.substring(0, (int) shared[i]) + further;
      keys.add(new String(prefix, StandardCharsets.UTF_8) + suffix);
    }
    for (int i = 0; i < count; i++) {
      boolean isLarge = tags[i] >= 32_768;
      byte[] value = bytes(columns, isLarge ? tags[i] - 32_768 : tags[i]);
      found.put(keys.get(i), isLarge ? largeValue(value) : value);
    }
  }

  private static long[] varints(ByteBuffer columns, int count) {
    return LongStream.generate(() -> varint(columns)).limit(count).toArray();
  }

  private void readLeaf(Image image, Map<String, byte[]> found) {
    assertThat(guide.table("Leaf", 0).requireWithoutGap()).isEqualTo(80);
    Table leaf = guide.table("Leaf", 3);
    Table slot = guide.table("Leaf", 1);
    Table record = guide.table("Leaf", 2);
    int slotBytes = slot.requireWithoutGap();
    assertThat(leaf.row("slots").get(1)).isEqualTo(slotBytes + " x count");
    long pageLength = leaf.get(pages, image.body, "pageLength");
    int count = (int) leaf.get(pages, image.body, "count");
    int prefixBytes = (int) leaf.get(pages, image.body, "prefix");
    int end = (int) image.body + image.bodyBytes;
    byte[] prefix = Arrays.copyOfRange(pages, end - prefixBytes, end);
    for (int i = 0; i < count; i++) {
      long at = image.body + leaf.offset("slots") + (long) i * slotBytes;
      long offset = slot.get(pages, at, "offset");
      long from = image.body + image.bodyBytes - (pageLength - offset);
      int suffix = (int) record.get(pages, from, "suffix");
      int tag = (int) record.get(pages, from, "tag");
      int begin = (int) from + record.offset("key");
      String key =
          new String(prefix, StandardCharsets.UTF_8)
              + new String(pages, begin, suffix, StandardCharsets.UTF_8);
      int valueBytes = tag < 32_768 ? tag : tag - 32_768;
      byte[] value = Arrays.copyOfRange(pages, begin + suffix, begin + suffix + valueBytes);
      found.put(key, tag < 32_768 ? value : largeValue(value));
    }
  }

  private byte[] largeValue(byte[] held) {
    Table reference = guide.table("Large values", 1);
    Table index = guide.table("Large values", 0);
    assertThat(reference.requireWithoutGap()).isEqualTo(held.length).isEqualTo(20);
    long length = reference.get(held, 0, "length");
    assertThat(index.column("field", "bytes"))
        .containsExactlyInAnyOrderEntriesOf(Map.of("extent", "8", "checksum", "4"));
    Image image =
        image(
            reference.get(held, 0, "extent"),
            reference.get(held, 0, "checksum"),
            kind("index of a large value"));
    ByteBuffer body = body(image);
    var value = new ByteArrayOutputStream();
    for (int at = 0; at < image.bodyBytes; at += 12) {
      Image chunk =
          image(
              body.getLong(at),
              Integer.toUnsignedLong(body.getInt(at + 8)),
              kind("chunk of a large value"));
      assertThat(chunk.bodyBytes).isLessThanOrEqualTo(1_048_544);
      value.write(pages, (int) chunk.body, chunk.bodyBytes);
    }
    assertThat(length).isEqualTo(value.size());
    return value.toByteArray();
  }

  @Test
  void keysAndEncryptedImagesAreAsTheGuideShows() throws IOException {
    Path path = directory.resolve("store");
    fill(path, options().encryption(KeySource.of(new byte[KeySource.KEY_BYTES])));
    Table superblock = guide.table("Superblock", 0);
    long slot = newestSlot(pages);
    assertThat(superblock.get(pages, slot, "format")).isEqualTo(2);
    Image image =
        image(
            superblock.get(pages, slot, "catalog"),
            superblock.get(pages, slot, "checksum"),
            kind("catalog"));
    assertThat(guide.table("Page image", 0).get(pages, image.at, "cipher")).isEqualTo(1);
    Table text = guide.table("An encrypted image", 0);
    assertThat(text.requireWithoutGap()).isEqualTo(text.offset("text"));
    Table key = guide.table("Keys", 0);
    byte[] keys = Files.readAllBytes(path.resolve("keys"));
    for (int at : new int[] {0, 4096}) {
      assertThat(key.text(keys, at, "magic")).isEqualTo("VARVEKEY");
      assertThat(key.get(keys, at, "version")).isEqualTo(1);
      assertThat(key.get(keys, at, "changes")).isZero();
      assertThat(key.raw(keys, at, "storeId"))
          .isEqualTo(
              Arrays.copyOfRange(
                  pages,
                  (int) slot + superblock.offset("id, high"),
                  (int) slot + superblock.offset("id, high") + 16));
      assertThat(key.get(keys, at, "length")).isLessThanOrEqualTo(255);
      assertThat(key.get(keys, at, "crc")).isEqualTo(crc(keys, at, at + 508));
    }
  }

  // --- the log
  // ------------------------------------------------------------------------------------

  @Test
  void commitsAreInTheLogAsTheGuideShows() throws IOException {
    Path path = directory.resolve("store");
    fill(path, options());
    Map<String, String> codes = guide.table("The body of a commit", 0).column("code", "change");
    var changes = new TreeSet<String>();
    var types = new TreeSet<String>();
    var commit = new ByteArrayOutputStream();
    Map<String, byte[]> put = new TreeMap<>();
    try (Stream<Path> files = Files.list(path.resolve("log").resolve("kept"))) {
      for (Path file : files.sorted().toList()) {
        new GuideSegment(guide, Files.readAllBytes(file))
            .forEach((type, body) -> {
              types.add(type);
              if (type.equals("MARK") || type.equals("PAD")) {
                return;
              }
              commit.writeBytes(body);
              if (type.equals("COMMIT") || type.equals("LAST")) {
                readChanges(ByteBuffer.wrap(commit.toByteArray()), codes, changes, put);
                commit.reset();
              }
            });
      }
    }
    assertThat(changes).containsExactlyInAnyOrderElementsOf(codes.values());
    assertThat(types).contains("COMMIT", "FIRST", "MIDDLE", "LAST", "MARK", "PAD");
    put.keySet().retainAll(stored.keySet());
    assertThat(put.keySet()).isEqualTo(stored.keySet());
    put.forEach((key, value) -> assertThat(value).as(key).isEqualTo(stored.get(key)));
  }

  private static long varint(ByteBuffer body) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = body.get();
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }

  private static byte[] bytes(ByteBuffer body, long count) {
    byte[] bytes = new byte[(int) count];
    body.get(bytes);
    return bytes;
  }

  private static void readChanges(
      ByteBuffer body,
      Map<String, String> codes,
      TreeSet<String> changes,
      Map<String, byte[]> put) {
    while (body.hasRemaining()) {
      String change = codes.get(String.valueOf(body.get()));
      changes.add(change);
      varint(body); // the space; of a time 0
      switch (change) {
        case "put" -> {
          long keyBytes = varint(body);
          long valueBytes = varint(body);
          String key = new String(bytes(body, keyBytes), StandardCharsets.UTF_8);
          put.put(key, bytes(body, valueBytes));
        }
        case "put large" -> {
          bytes(body, varint(body));
          assertThat(bytes(body, varint(body))).hasSize(20);
        }
        case "delete" -> assertThat(bytes(body, varint(body))).isEqualTo(key(7));
        case "create space" ->
            assertThat(new String(bytes(body, varint(body)), StandardCharsets.UTF_8))
                .isIn("s", "gone", "m");
        case "drop space" -> {}
        case "time" -> assertThat(varint(body)).isBetween(1_700_000_000_000L, 9_000_000_000_000L);
        case "image piece" -> {
          varint(body); // extent
          assertThat(varint(body) % (128 << 10)).isZero();
          assertThat(bytes(body, varint(body)).length).isBetween(1, 128 << 10);
        }
        case "define space" -> {
          for (int i = 0; i < 3; i++) {
            bytes(body, varint(body));
          }
        }
        default -> throw new AssertionError("a change that the guide does not name: " + change);
      }
    }
  }

  // --- backups
  // ------------------------------------------------------------------------------------

  @Test
  void pointsAreAsTheGuideShows() throws IOException {
    Path path = directory.resolve("store");
    fill(path, options());
    long lsn;
    Path backups = directory.resolve("backups");
    try (Store store = Store.open(path, options())) {
      Backups.at(backups).take(store);
      lsn = store.lastCommit().lsn();
    }
    byte[] point = Files.readAllBytes(backups.resolve("00000000000000000001.vbk"));
    Table header = guide.table("A point", 0);
    Table record = guide.table("A point", 1);
    assertThat(header.requireWithoutGap()).isEqualTo(4096);
    int at = point.length - 4096;
    assertThat(header.text(point, at, "magic")).isEqualTo("VARVEBAK");
    assertThat(header.get(point, at, "version")).isEqualTo(5);
    assertThat(header.get(point, at, "pageBytes")).isEqualTo(1024);
    assertThat(header.get(point, at, "number")).isEqualTo(1);
    assertThat(header.get(point, at, "fileBytes")).isEqualTo(point.length);
    assertThat(header.get(point, at, "lsn")).isEqualTo(lsn);
    assertThat(header.get(point, at, "crc")).isEqualTo(crc(point, at, at + 4092));
    assertThat(record.row("extent").getFirst()).isEqualTo("0");
    long images = header.get(point, at, "images");
    int image = 0;
    for (long i = 0; i < images; i++) {
      var checked = ByteBuffer.allocate(28).put(header.raw(point, at, "point"));
      checked.put(point, image, 12);
      assertThat(record.get(point, image, "crc")).isEqualTo(crc(checked.array(), 0, 28));
      if (i == 0) {
        assertThat(record.get(point, image, "extent")).isEqualTo(header.get(point, at, "catalog"));
        assertThat(record.get(point, image, "checksum"))
            .isEqualTo(header.get(point, at, "checksum"));
      }
      long length = record.get(point, image, "extent") & ((1L << 29) - 1);
      image += record.offset("image") + (int) length;
    }
    assertThat(image).as("the images end where the header begins").isEqualTo(at);
  }
}
