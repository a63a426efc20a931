package io.varve.internal.file;

import static io.varve.internal.page.MalformedImageException.require;

import io.varve.StoreFullException;
import io.varve.internal.page.Extent;
import io.varve.internal.page.Inner;
import io.varve.internal.page.MalformedImageException;
import io.varve.internal.page.PageImage;
import io.varve.internal.page.PageImage.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What a checkpoint consists of: the roots of all spaces and the accounts of space. One image in
/// an extent of its own, named by the superblock. Its body, big-endian: next space id (4); spaces
/// (count 4, then each id 4, name length 2 and UTF-8 bytes, level 4, root extent 8, checksum 4,
/// entries 8); runs of live units (count 4, then each first unit 8 and units 8); extents that the
/// checkpoint before reaches and this one does not (count 4, then each 8); the checkpoint before's
/// catalog extent (8). If codecs of tables are known, then those, too: count 4, then each id 4, and
/// for keys and for values the length 2 and UTF-8 bytes of the codec's id.
///
/// @param nextSpaceId the id that no space ever had
/// @param spaces the roots
/// @param liveRuns unit and count of each run of units that the checkpoint reaches
/// @param dropped extents that only the checkpoint before reaches
/// @param previousExtent the catalog of the checkpoint before, or 0
public record Catalog(
    int nextSpaceId,
    List<SpaceRoot> spaces,
    long[] liveRuns,
    List<Long> dropped,
    long previousExtent) {
  /// The bytes of a space without its name.
  private static final int SPACE_BYTES_MIN = 30;

  /// The bytes of a table without the ids of its codecs.
  private static final int TABLE_BYTES_MIN = 8;

  /// The bytes of all else that is there once: an id, four counts, an extent.
  private static final int FIXED_BYTES = 28;

  /// The bytes of a character of a name, at most.
  private static final long UTF_8_BYTES_MAX = 3;

  /// The root of one space as of a checkpoint.
  public record SpaceRoot(
      int id, SpaceDefinition definition, int level, long extent, int checksum, long entryCount) {
    /// The name of the space.
    public String name() {
      return definition.name();
    }

    SpaceRoot with(SpaceDefinition other) {
      return new SpaceRoot(id, other, level, extent, checksum, entryCount);
    }
  }

  /// Copies the lists.
  public Catalog {
    spaces = List.copyOf(spaces);
    dropped = List.copyOf(dropped);
  }

  /// Where a catalog was written, for the superblock.
  public record Location(long extent, int checksum) {}

  /// Writes this catalog into a new extent.
  ///
  /// @throws StoreFullException if it is longer than an extent; nothing was written
  public Location write(PageFile file, long epoch) throws IOException {
    requireStorable(file, imageBytes());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(new byte[PageImage.HEADER_BYTES]);
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(nextSpaceId);
    out.writeInt(spaces.size());
    for (SpaceRoot space : spaces) {
      out.writeInt(space.id);
      writeText(out, space.name());
      out.writeInt(space.level);
      out.writeLong(space.extent);
      out.writeInt(space.checksum);
      out.writeLong(space.entryCount);
    }
    out.writeInt(liveRuns.length / 2);
    for (long value : liveRuns) {
      out.writeLong(value);
    }
    out.writeInt(dropped.size());
    for (long extent : dropped) {
      out.writeLong(extent);
    }
    out.writeLong(previousExtent);
    writeTables(out);
    byte[] image = bytes.toByteArray();
    PageImage.seal(image, image.length, Kind.CATALOG, 0, 0, epoch);
    long extent = file.extents().allocate(file.storedBytes(image.length));
    byte[] stored = file.stored(image, image.length, extent);
    try {
      file.write(extent, ByteBuffer.wrap(stored));
    } catch (IOException e) {
      file.extents().discard(extent);
      throw e;
    }
    return new Location(extent, PageImage.storedChecksum(stored));
  }

  private void writeTables(DataOutputStream out) throws IOException {
    List<SpaceRoot> tables = spaces.stream().filter(space -> space.definition.isTable()).toList();
    if (tables.isEmpty()) {
      return; // as catalogs were before they held codecs
    }
    out.writeInt(tables.size());
    for (SpaceRoot table : tables) {
      out.writeInt(table.id);
      writeText(out, table.definition.keyCodec());
      writeText(out, table.definition.valueCodec());
    }
  }

  private static void writeText(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeShort(bytes.length);
    out.write(bytes);
  }

  private static String readText(DataInputStream in) throws IOException {
    return new String(in.readNBytes(in.readUnsignedShort()), StandardCharsets.UTF_8);
  }

  /// At most the bytes of this catalog's image.
  private long imageBytes() {
    long bytes = PageImage.HEADER_BYTES + FIXED_BYTES;
    for (SpaceRoot space : spaces) {
      SpaceDefinition definition = space.definition;
      long chars =
          (long) definition.name().length()
              + definition.keyCodec().length()
              + definition.valueCodec().length();
      bytes += SPACE_BYTES_MIN + TABLE_BYTES_MIN + UTF_8_BYTES_MAX * chars;
    }
    return bytes + (long) Long.BYTES * liveRuns.length + (long) Long.BYTES * dropped.size();
  }

  /// Checks that an image of a catalog fits an extent, before anything is written of the checkpoint
  /// that it would end: a superblock that named a part of it would lead to no data.
  static void requireStorable(PageFile file, long imageBytes) {
    long max = (long) Extent.BYTES_MAX - file.storedBytes(0);
    if (imageBytes > max) {
      throw new StoreFullException(
          "the catalog of a checkpoint is too long, since the live space is in too many pieces:"
              + " file="
              + file.where()
              + ", catalogBytes="
              + imageBytes
              + ", max="
              + max
              + "; the checkpoint before stays in force and the log is kept: dump this store and"
              + " load it into a new one, or into several");
    }
  }

  /// Reads a catalog.
  ///
  /// @throws io.varve.CorruptStoreException if it is not what the superblock means
  public static Catalog read(PageFile file, long extent, int checksum) {
    byte[] image = file.read(extent, Kind.CATALOG, checksum);
    try {
      return decode(image);
    } catch (MalformedImageException e) {
      throw file.malformed(extent, e);
    }
  }

  /// Reads a catalog from its image.
  ///
  /// @throws MalformedImageException if the image makes no sense
  public static Catalog decode(byte[] image) {
    try (DataInputStream in =
        new DataInputStream(
            new ByteArrayInputStream(
                image, PageImage.HEADER_BYTES, image.length - PageImage.HEADER_BYTES))) {
      int nextSpaceId = in.readInt();
      List<SpaceRoot> spaces = new ArrayList<>();
      for (int i = count(in, SPACE_BYTES_MIN); i > 0; i--) {
        spaces.add(
            new SpaceRoot(
                in.readInt(),
                SpaceDefinition.of(readText(in)),
                in.readInt(),
                in.readLong(),
                in.readInt(),
                in.readLong()));
      }
      long[] liveRuns = new long[2 * count(in, 2 * Long.BYTES)];
      for (int i = 0; i < liveRuns.length; i++) {
        liveRuns[i] = in.readLong();
      }
      List<Long> dropped = new ArrayList<>();
      for (int i = count(in, Long.BYTES); i > 0; i--) {
        dropped.add(in.readLong());
      }
      long previousExtent = in.readLong();
      readTables(in, spaces);
      Catalog catalog = new Catalog(nextSpaceId, spaces, liveRuns, dropped, previousExtent);
      catalog.check();
      return catalog;
    } catch (IOException e) {
      throw new MalformedImageException("catalog ends early");
    }
  }

  private static void readTables(DataInputStream in, List<SpaceRoot> spaces) throws IOException {
    if (in.available() == 0) {
      return; // none is known
    }
    Map<Integer, Integer> indexes = new HashMap<>();
    for (int index = 0; index < spaces.size(); index++) {
      indexes.put(spaces.get(index).id, index);
    }
    for (int i = count(in, TABLE_BYTES_MIN); i > 0; i--) {
      Integer index = indexes.remove(in.readInt());
      if (index == null) {
        throw new MalformedImageException("codecs of no space, or twice of one");
      }
      SpaceRoot space = spaces.get(index);
      spaces.set(index, space.with(new SpaceDefinition(space.name(), readText(in), readText(in))));
    }
  }

  /// Reads how many elements follow, of so many bytes at least.
  private static int count(DataInputStream in, int elementBytesMin) throws IOException {
    int count = in.readInt();
    // All bytes of an array are available immediately.
    require(count >= 0 && count <= in.available() / elementBytesMin, "more elements than bytes");
    return count;
  }

  private void check() {
    Set<Integer> ids = new HashSet<>();
    Set<String> names = new HashSet<>();
    for (SpaceRoot space : spaces) {
      require(space.id > 0 && ids.add(space.id), "space without an id of its own");
      require(
          !space.name().isEmpty() && names.add(space.name()), "space without a name of its own");
      require(space.level >= 0 && space.level <= Inner.LEVEL_MAX, "root of an impossible level");
      require(space.entryCount >= 0, "negative number of entries");
    }
  }

  /// Checks that what this checkpoint reaches can be in the file, before memory is taken for it.
  ///
  /// @throws io.varve.CorruptStoreException if it cannot
  public void requireWithin(PageFile file) {
    for (int i = 0; i < liveRuns.length; i += 2) {
      file.requireWithin(liveRuns[i], liveRuns[i + 1]);
    }
  }

  /// Checks that what only the checkpoint before reaches can be in the file.
  ///
  /// @throws io.varve.CorruptStoreException if it cannot
  public void requirePreviousWithin(PageFile file) {
    for (long one : dropped) {
      file.requireWithin(one);
    }
    if (previousExtent != 0) {
      file.requireWithin(previousExtent);
    }
  }

  /// Takes the units that this checkpoint reaches, on opening.
  ///
  /// @param own where this catalog is
  /// @throws io.varve.CorruptStoreException if they overlap
  public void reserve(Extents extents, long own) {
    extents.reserve(own);
    for (int i = 0; i < liveRuns.length; i += 2) {
      extents.reserveLive(liveRuns[i], liveRuns[i + 1]);
    }
  }

  /// Takes the units that only the checkpoint before reaches, on opening. If its superblock is
  /// gone, they are free already: a value that the log names may be there, or the file was cut.
  ///
  /// @param epoch the epoch of this checkpoint, in which what was dropped was retired at the latest
  /// @throws io.varve.CorruptStoreException if they overlap
  public void reservePrevious(Extents extents, long epoch) {
    for (long extent : dropped) {
      extents.reserve(extent);
      extents.retire(extent, epoch);
    }
    if (previousExtent != 0) {
      extents.reserve(previousExtent);
      extents.retire(previousExtent, epoch);
    }
  }
}
