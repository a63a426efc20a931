package io.varve.test;

import io.varve.internal.page.Extent;
import io.varve.internal.page.LargeReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The structures of a page file, or of the file of a full backup: each field that is a length, a
/// count, a number or a reference. A field can be set, and all checksums that cover it made right.
final class CraftedImages {
  private static final int HEADER_BYTES = 32;
  private static final int SUPERBLOCK_SPACING = 16384;
  private static final int BLOCK_BYTES = 4096;
  private static final int CATALOG = 5;
  private static final int INDEX = 4;
  private static final int CHUNK = 3;
  private static final int INNER = 2;
  private static final int LEAF = 1;

  /// A number in the file.
  ///
  /// @param what the field is called
  /// @param image that it is in, or null for one that is in none
  record Field(String what, @Nullable Image image, int at, int bytes, boolean isBig) {}

  /// Where the extent and the checksum of an image are.
  ///
  /// @param holder the image that this is in, or null for a superblock or the header of a backup
  private record Reference(int extent, int checksum, boolean isBig, @Nullable Image holder) {}

  /// An image, and what leads to it.
  static final class Image {
    private final int kind;
    private final int at;
    private final int bytes;
    private final List<Reference> references = new ArrayList<>();

    private Image(int kind, int at, int bytes) {
      this.kind = kind;
      this.at = at;
      this.bytes = bytes;
    }
  }

  private final byte[] file;
  private final boolean isBackup;
  private final Map<Long, Image> images = new LinkedHashMap<>();

  /// Where the image of an extent is in a backup.
  private final Map<Long, Integer> places = new LinkedHashMap<>();

  private final Map<String, List<Field>> fields = new LinkedHashMap<>();

  private CraftedImages(byte[] file, boolean isBackup) {
    this.file = file;
    this.isBackup = isBackup;
  }

  /// Reads a page file whose images are neither compressed nor encrypted.
  static CraftedImages ofPages(byte[] file) {
    CraftedImages images = new CraftedImages(file, false);
    for (int at = 0; at <= SUPERBLOCK_SPACING; at += SUPERBLOCK_SPACING) {
      images.fields("superblock", null, at, 8, false, 32, 40, 48, 56);
      images.fields("superblock", null, at, 4, false, 8, 64, 68, 72, 76, 80);
      images.add(CATALOG, new Reference(at + 56, at + 64, false, null));
    }
    return images;
  }

  /// Reads the file of a full backup of such a store.
  static CraftedImages ofBackup(byte[] file) {
    CraftedImages images = new CraftedImages(file, true);
    int header = file.length - BLOCK_BYTES;
    images.fields(
        "header", null, header, 8, false, 48, 64, 72, 80, 88, 96, 104, 112, 128, 136, 144);
    images.fields("header", null, header, 4, false, 8, 12, 120, 124, 152);
    for (int at = 0; at < header; ) {
      long extent = images.get(at, 8, false);
      images.places.put(extent, at + 16);
      images.fields("record", null, at, 8, false, 0);
      at += 16 + Extent.bytes(extent);
    }
    images.add(CATALOG, new Reference(header + 112, header + 120, false, null));
    return images;
  }

  /// The names of all fields.
  List<String> names() {
    return List.copyOf(fields.keySet());
  }

  /// All fields of a name.
  List<Field> fields(String name) {
    return fields.getOrDefault(name, List.of());
  }

  long get(Field field) {
    return get(field.at, field.bytes, field.isBig);
  }

  /// A copy of the file in which a field has another value, with checksums that are right.
  byte[] with(Field field, long value) {
    CraftedImages copy = isBackup ? ofBackup(file.clone()) : ofPages(file.clone());
    copy.put(field.at, field.bytes, field.isBig, value);
    if (field.what.startsWith("record")) {
      copy.repairRecord(field.at);
    }
    copy.repair(field.image == null ? null : copy.find(field.image.at));
    return copy.file;
  }

  private Image find(int at) {
    return images.values().stream().filter(image -> image.at == at).findFirst().orElseThrow();
  }

  private long get(int at, int bytes, boolean isBig) {
    ByteBuffer buffer = order(isBig);
    return switch (bytes) {
      case 1 -> file[at];
      case 2 -> Short.toUnsignedLong(buffer.getShort(at));
      case 4 -> buffer.getInt(at);
      default -> buffer.getLong(at);
    };
  }

  private void put(int at, int bytes, boolean isBig, long value) {
    ByteBuffer buffer = order(isBig);
    switch (bytes) {
      case 1 -> file[at] = (byte) value;
      case 2 -> buffer.putShort(at, (short) value);
      case 4 -> buffer.putInt(at, (int) value);
      default -> buffer.putLong(at, value);
    }
  }

  private ByteBuffer order(boolean isBig) {
    return ByteBuffer.wrap(file).order(isBig ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
  }

  private static int crc(byte[] bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, to - from);
    return (int) crc.getValue();
  }

  private void repair(@Nullable Image image) {
    if (image != null) {
      int crc = crc(file, image.at + 8, image.at + image.bytes);
      put(image.at + 4, 4, false, crc);
      if (isBackup) {
        put(image.at - 8, 4, false, crc);
        repairRecord(image.at - 16);
      }
      for (Reference reference : image.references) {
        put(reference.checksum, 4, reference.isBig, crc);
        repair(reference.holder);
      }
    }
    if (isBackup) {
      put(file.length - 4, 4, false, crc(file, file.length - BLOCK_BYTES, file.length - 4));
    } else {
      for (int at = 0; at <= SUPERBLOCK_SPACING; at += SUPERBLOCK_SPACING) {
        put(at + BLOCK_BYTES - 4, 4, false, crc(file, at, at + BLOCK_BYTES - 4));
      }
    }
  }

  private void repairRecord(int at) {
    ByteBuffer covered = ByteBuffer.allocate(28).put(file, file.length - BLOCK_BYTES + 32, 16);
    covered.put(file, at, 12);
    put(at + 12, 4, false, crc(covered.array(), 0, 28));
  }

  private void fields(
      String owner, @Nullable Image image, int at, int bytes, boolean isBig, int... offsets) {
    for (int offset : offsets) {
      field(owner + "+" + offset, image, at + offset, bytes, isBig);
    }
  }

  private void field(String what, @Nullable Image image, int at, int bytes, boolean isBig) {
    fields
        .computeIfAbsent(what, _ -> new ArrayList<>())
        .add(new Field(what, image, at, bytes, isBig));
  }

  private void add(int kind, Reference reference) {
    long extent = get(reference.extent, 8, reference.isBig);
    Image known = images.get(extent);
    if (known != null) {
      known.references.add(reference);
      return;
    }
    Integer place = isBackup ? places.get(extent) : (Integer) (int) Extent.offset(extent);
    if (place == null) {
      return; // of a catalog that this changed
    }
    Image image = new Image(kind, place, Extent.bytes(extent));
    image.references.add(reference);
    images.put(extent, image);
    String owner = List.of("", "leaf", "inner", "chunk", "index", "catalog").get(kind);
    fields(owner, image, image.at, 1, false, 8, 9, 10, 11);
    fields(owner, image, image.at, 4, false, 12, 16, 20);
    fields(owner, image, image.at, 8, false, 24);
    switch (kind) {
      case LEAF -> addLeaf(image);
      case INNER -> addInner(image);
      case INDEX -> addIndex(image);
      case CATALOG -> addCatalog(image);
      default -> {}
    }
  }

  private void addLeaf(Image image) {
    int body = image.at + HEADER_BYTES;
    field("leaf.pageLength", image, body, 4, false);
    field("leaf.count", image, body + 4, 2, false);
    field("leaf.prefix", image, body + 6, 2, false);
    int base = image.at + image.bytes - (int) get(body, 4, false);
    for (int i = 0, count = (int) get(body + 4, 2, false); i < count; i++) {
      int slot = body + 8 + 6 * i;
      int record = base + (int) get(slot + 4, 2, false);
      boolean isLarge = (get(record + 2, 2, false) & 0x8000) != 0;
      if (i == 0 || i == count - 1 || isLarge) {
        field("leaf.head", image, slot, 4, false);
        field("leaf.offset", image, slot + 4, 2, false);
        field("leaf.suffix", image, record, 2, false);
        field("leaf.tag", image, record + 2, 2, false);
      }
      if (isLarge) {
        int reference = record + 4 + (int) get(record, 2, false);
        long length = get(reference, 8, false);
        field("large.length", image, reference, 8, false);
        field("large.extent", image, reference + 8, 8, false);
        add(
            length > LargeReference.CHUNK_BYTES ? INDEX : CHUNK,
            new Reference(reference + 8, reference + 16, false, image));
      }
    }
  }

  private void addInner(Image image) {
    int body = image.at + HEADER_BYTES;
    int count = (int) get(body, 2, false);
    field("inner.count", image, body, 2, false);
    for (int i = 0; i < count; i++) {
      int reference = body + 2 + 20 * i;
      if (i == 0 || i == count - 1) {
        field("inner.extent", image, reference, 8, false);
        field("inner.entries", image, reference + 12, 8, false);
      }
      int kind = file[image.at + 9] == 1 ? LEAF : INNER;
      add(kind, new Reference(reference, reference + 8, false, image));
    }
    int separator = body + 2 + 20 * count;
    for (int i = 0; i < count - 1; i++) {
      field("inner.separatorLength", image, separator, 2, false);
      field("inner.separator", image, separator + 2, 1, false);
      separator += 2 + (int) get(separator, 2, false);
    }
  }

  private void addIndex(Image image) {
    for (int at = image.at + HEADER_BYTES; at < image.at + image.bytes; at += 12) {
      field("index.extent", image, at, 8, false);
      add(CHUNK, new Reference(at, at + 8, false, image));
    }
  }

  private void addCatalog(Image image) {
    int at = image.at + HEADER_BYTES;
    field("catalog.nextSpace", image, at, 4, true);
    field("catalog.spaces", image, at + 4, 4, true);
    int spaces = (int) get(at + 4, 4, true);
    at += 8;
    for (int i = 0; i < spaces; i++) {
      field("catalog.id", image, at, 4, true);
      field("catalog.nameLength", image, at + 4, 2, true);
      at += 6 + (int) get(at + 4, 2, true);
      field("catalog.level", image, at, 4, true);
      field("catalog.extent", image, at + 4, 8, true);
      field("catalog.entries", image, at + 16, 8, true);
      add(get(at, 4, true) == 0 ? LEAF : INNER, new Reference(at + 4, at + 12, true, image));
      at += 24;
    }
    int runs = (int) get(at, 4, true);
    field("catalog.runs", image, at, 4, true);
    field("catalog.runUnit", image, at + 4, 8, true);
    field("catalog.runUnits", image, at + 12, 8, true);
    at += 4 + 16 * runs;
    int dropped = (int) get(at, 4, true);
    field("catalog.dropped", image, at, 4, true);
    at += 4 + 8 * dropped;
    field("catalog.previous", image, at, 8, true);
  }
}
