package io.varve.internal.store;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Entry;
import io.varve.Pieces;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.VarveException;
import io.varve.internal.compress.CodecTable;
import io.varve.internal.compress.Codecs;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.FileOption;
import io.varve.internal.disk.MemoryDisk;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.file.Catalog;
import io.varve.internal.file.Catalog.SpaceRoot;
import io.varve.internal.file.PageFile;
import io.varve.internal.file.SpaceDefinition;
import io.varve.internal.file.Superblock;
import io.varve.internal.page.Bytes;
import io.varve.internal.page.Extent;
import io.varve.internal.page.LargeReference;
import io.varve.internal.page.LeafPage;
import io.varve.internal.page.PageImage;
import io.varve.internal.page.PageImage.Kind;
import io.varve.internal.wal.Log;
import io.varve.internal.wal.LogRecovery;
import io.varve.internal.wal.RecordSink;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.format.StoreId;
import io.varve.internal.wal.segment.LogSettings;
import io.varve.spi.PageCodec;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/// Opens stores whose structures are any bytes, all with checksums that are right: whatever they
/// contain, each call answers or throws a [VarveException]. It is never another exception, an error
/// of the JVM, or a hang.
@Tag("fuzz")
class StoreFuzzTest {
  private static final StoreOptions OPTIONS =
      StoreOptions.defaults()
          .pageBytes(1024)
          .cacheBytes(1 << 20)
          .log(log -> log.bufferBytes(1 << 16).segmentBytes(1 << 18).bytesMax(1 << 20))
          .durability(Durability.PROCESS_CRASH);

  private static final long EPOCH = 1;

  /// One for each input; the fuzzer may give all of them to one instance.
  private MemoryDisk disk = new MemoryDisk();

  /// Pieces: how many entries the leaves claim; the body of an inner page after its children; the
  /// bodies of its leaves.
  @FuzzTest(maxDuration = "3m")
  void tree(byte[] input) throws IOException {
    disk = new MemoryDisk();
    var pieces = new Pieces(input);
    byte[] counts = pieces.next();
    byte[] separators = pieces.next();
    try (PageFile file = PageFile.open(disk, PageFile.NAME)) {
      var leaves = new ArrayList<Image>();
      while (pieces.hasNext() && leaves.size() < 8) {
        leaves.add(write(file, pieces.next(), Kind.LEAF, 0));
      }
      if (leaves.isEmpty()) {
        leaves.add(write(file, separators, Kind.LEAF, 0));
      }
      var all = new ArrayList<>(leaves);
      Image root = leaves.getFirst();
      if (leaves.size() > 1) {
        root = write(file, inner(leaves, counts, separators), Kind.INNER, 1);
        all.add(root);
      }
      writeStore(file, root, leaves.size() > 1 ? 1 : 0, all);
    }
    use();
  }

  private static byte[] inner(List<Image> leaves, byte[] counts, byte[] separators) {
    ByteBuffer body = little(2 + 20 * leaves.size() + separators.length);
    body.putShort((short) leaves.size());
    for (int i = 0; i < leaves.size(); i++) {
      Image leaf = leaves.get(i);
      body.putLong(leaf.extent).putInt(leaf.checksum).putLong(i < counts.length ? counts[i] : 1);
    }
    return body.put(separators).array();
  }

  /// Pieces: the length before compression that the leaf claims, and its number of a codec; its
  /// body as it is stored; the columns of another leaf, which are compressed here.
  @FuzzTest(maxDuration = "3m")
  void compressed(byte[] input) throws IOException {
    disk = new MemoryDisk();
    var pieces = new Pieces(input);
    byte[] claims = Arrays.copyOf(pieces.next(), 5);
    PageCodec deflate = Objects.requireNonNull(Codecs.chosen("deflate"));
    try (PageFile file = PageFile.open(disk, PageFile.NAME, null, deflate)) {
      int clear = Bytes.i32(claims, 0);
      Image claiming = writeCompressed(file, pieces.next(), clear, claims[4]);
      byte[] columns = pieces.next();
      byte[] body = new byte[deflate.compressedBytesMax(columns.length)];
      int bytes = deflate.compress(columns, 0, columns.length, body, 0);
      Image sound = writeCompressed(file, Arrays.copyOf(body, bytes), columns.length, 1);
      var leaves = List.of(sound, claiming);
      Image root = write(file, inner(leaves, new byte[0], new byte[] {1, 0, 'm'}), Kind.INNER, 1);
      writeStore(file, root, 1, List.of(sound, claiming, root));
    }
    use();
  }

  private Image writeCompressed(PageFile file, byte[] body, int clearBytes, int codec)
      throws IOException {
    byte[] image = new byte[PageImage.HEADER_BYTES + body.length];
    image[11] = (byte) codec;
    Bytes.putI32(image, 20, clearBytes);
    System.arraycopy(body, 0, image, PageImage.HEADER_BYTES, body.length);
    return writeImage(file, image, Kind.LEAF, 0);
  }

  /// The body of the catalog.
  @FuzzTest(maxDuration = "3m")
  void catalog(byte[] input) throws IOException {
    disk = new MemoryDisk();
    try (PageFile file = PageFile.open(disk, PageFile.NAME)) {
      Image catalog = write(file, input, Kind.CATALOG, 0);
      superblock(new Catalog.Location(catalog.extent, catalog.checksum)).write(file);
    }
    use();
  }

  /// The superblock except its checksum.
  @FuzzTest(maxDuration = "3m")
  void superblock(byte[] input) throws IOException {
    disk = new MemoryDisk();
    try (PageFile file = PageFile.open(disk, PageFile.NAME)) {
      writeStore(file, write(file, leafOf(new byte[] {1}, 1), Kind.LEAF, 0), 0, List.of());
    }
    byte[] block = new byte[Superblock.BYTES];
    try (DiskFile raw = disk.open(PageFile.NAME)) {
      raw.read(0, ByteBuffer.wrap(block));
      System.arraycopy(input, 0, block, 0, Math.min(input.length, 80 + CodecTable.BYTES));
      var crc = new CRC32C();
      crc.update(block, 0, Superblock.BYTES - 4);
      Bytes.putI32(block, Superblock.BYTES - 4, (int) crc.getValue());
      raw.write(0, ByteBuffer.wrap(block));
    }
    use();
  }

  /// Pieces: the length that the reference to a large value names; the body of its index, or, if
  /// that is empty, none; the body of its one chunk.
  @FuzzTest(maxDuration = "3m")
  void largeValue(byte[] input) throws IOException {
    disk = new MemoryDisk();
    var pieces = new Pieces(input);
    byte[] length = pieces.next();
    byte[] index = pieces.next();
    byte[] reference = new byte[LargeReference.BYTES];
    System.arraycopy(length, 0, reference, 0, Math.min(length.length, Long.BYTES));
    try (PageFile file = PageFile.open(disk, PageFile.NAME)) {
      Image chunk = write(file, pieces.next(), Kind.LARGE_CHUNK, 0);
      var all = new ArrayList<>(List.of(chunk));
      Image named = chunk;
      if (index.length >= 12) {
        Bytes.putI64(index, 0, chunk.extent);
        Bytes.putI32(index, 8, chunk.checksum);
        named = write(file, index, Kind.LARGE_INDEX, 0);
        all.add(named);
      }
      Bytes.putI64(reference, 8, named.extent);
      Bytes.putI32(reference, 16, named.checksum);
      byte[] leaf = leafOf(reference, reference.length | LeafPage.LARGE);
      Image root = write(file, leaf, Kind.LEAF, 0);
      all.add(root);
      writeStore(file, root, 0, all);
    }
    use();
  }

  /// Pieces: the bodies of commits in the log.
  @FuzzTest(maxDuration = "3m")
  void commits(byte[] input) throws IOException {
    disk = new MemoryDisk();
    try (PageFile file = PageFile.open(disk, PageFile.NAME)) {
      Image root = write(file, leafOf(new byte[] {1}, 1), Kind.LEAF, 0);
      writeStore(file, root, 0, List.of(root));
    }
    LogSettings small = LogSettings.defaults().ringBytes(1 << 16).segmentBytes(1 << 18);
    try (Log log =
        LogRecovery.createLog(disk, Clock.SYSTEM, small.logBytesMax(1 << 20), new StoreId(1, 2))) {
      var pieces = new Pieces(input);
      while (pieces.hasNext()) {
        byte[] body = pieces.next();
        long start = log.tryReserve(body.length);
        if (start == Log.NO_CAPACITY) {
          log.awaitCapacity(body.length);
          start = log.tryReserve(body.length);
        }
        RecordSink sink = log.sink(start, body.length);
        sink.putBytes(body, 0, body.length);
        sink.publish();
      }
      log.force();
    }
    use();
  }

  private record Image(long extent, int checksum) {}

  private Image write(PageFile file, byte[] body, Kind kind, int level) throws IOException {
    byte[] image = new byte[PageImage.HEADER_BYTES + body.length];
    System.arraycopy(body, 0, image, PageImage.HEADER_BYTES, body.length);
    return writeImage(file, image, kind, level);
  }

  private Image writeImage(PageFile file, byte[] image, Kind kind, int level) throws IOException {
    int checksum = PageImage.seal(image, image.length, kind, level, 1, EPOCH);
    long extent = file.extents().allocate(image.length);
    try (DiskFile raw = disk.open(PageFile.NAME, FileOption.CREATE)) {
      raw.write(Extent.offset(extent), ByteBuffer.wrap(image));
    }
    return new Image(extent, checksum);
  }

  /// The body of a leaf with the one key `k`.
  private static byte[] leafOf(byte[] value, int tag) {
    ByteBuffer body = little(8 + 6 + 4 + 1 + value.length);
    body.putInt(1024).putShort((short) 1).putShort((short) 0);
    body.putInt('k' << 24 ^ Integer.MIN_VALUE).putShort((short) (1024 - 5 - value.length));
    return body.putShort((short) 1).putShort((short) tag).put((byte) 'k').put(value).array();
  }

  private static ByteBuffer little(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void writeStore(PageFile file, Image root, int level, List<Image> live)
      throws IOException {
    long[] runs = new long[2 * live.size()];
    for (int i = 0; i < live.size(); i++) {
      runs[2 * i] = Extent.unit(live.get(i).extent);
      runs[2 * i + 1] = Extent.units(live.get(i).extent);
    }
    var space = new SpaceRoot(1, SpaceDefinition.of("s"), level, root.extent, root.checksum, 1);
    var catalog = new Catalog(2, List.of(space), runs, List.of(), 0);
    superblock(catalog.write(file, EPOCH)).write(file);
  }

  private static Superblock superblock(Catalog.Location catalog) {
    LogPosition position = LogPosition.ORIGIN;
    return new Superblock(
        1,
        2,
        2,
        EPOCH,
        position.lsn(),
        catalog.extent(),
        catalog.checksum(),
        1024,
        position.generation(),
        position.mayEnd());
  }

  /// Opens the store and makes every kind of call.
  private void use() {
    Store store =
        orRefused(() -> StoreOpener.open(disk, Clock.SYSTEM, StoreThreads.PLATFORM, OPTIONS));
    if (store == null) {
      return;
    }
    try {
      for (String name : store.spaceNames()) {
        Space space = store.findSpace(name);
        if (space != null) {
          read(store, space);
          change(store, space);
        }
      }
      orRefused(store::verify);
    } finally {
      orRefused(() -> {
        store.close();
        return null;
      });
    }
  }

  private static void read(Store store, Space space) {
    var keys = new ArrayList<byte[]>(List.of(new byte[0], new byte[] {'k'}, new byte[] {-1, -1}));
    orRefused(() -> {
      space.scan(Range.all()).forEach(entry -> keys.add(entry.key()));
      return null;
    });
    orRefused(() -> walkBack(space));
    for (byte[] key : keys.subList(0, Math.min(keys.size(), 20))) {
      orRefused(() -> space.get(key));
      orRefused(() -> drain(space, key));
      orRefused(() -> space.count(Range.prefix(key)));
    }
    try (Snapshot snapshot = store.snapshot()) {
      orRefused(() -> {
        snapshot.scan(space, Range.all()).forEach(Entry::value);
        return null;
      });
    }
  }

  private static int walkBack(Space space) {
    int entries = 0;
    try (Cursor cursor = space.cursor(Range.all())) {
      for (boolean on = cursor.last(); on; on = cursor.previous()) {
        entries++;
      }
    }
    return entries;
  }

  private static long drain(Space space, byte[] key) throws IOException {
    try (InputStream value = space.read(key)) {
      return value == null ? 0 : value.transferTo(OutputStream.nullOutputStream());
    }
  }

  private static void change(Store store, Space space) {
    for (int i = 0; i < 40; i++) {
      byte[] key = {(byte) (i * 37), (byte) i};
      orRefused(() -> {
        space.put(key, new byte[100]);
        return null;
      });
    }
    orRefused(() -> {
      space.delete(new byte[] {'k'});
      return null;
    });
    orRefused(() -> {
      store.checkpoint();
      return null;
    });
    orRefused(store::compact);
  }

  private interface Call<T> {
    @Nullable T run() throws IOException;
  }

  private static <T> @Nullable T orRefused(Call<T> call) {
    try {
      return call.run();
    } catch (VarveException e) {
      return null; // what damage may lead to
    } catch (IOException e) {
      if (e.getCause() instanceof VarveException) {
        return null;
      }
      throw new AssertionError(e);
    }
  }
}
