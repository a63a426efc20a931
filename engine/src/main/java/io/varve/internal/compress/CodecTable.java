package io.varve.internal.compress;

import io.varve.spi.PageCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which codecs the images of a file may need, so that an open can report immediately what is
/// missing. [#BYTES] bytes: up to [#ENTRIES_MAX] entries, the rest zero.
///
/// | offset | bytes | field  | meaning                      |
/// |-------:|------:|--------|------------------------------|
/// |      0 |     1 | id     | of the codec; 0: no more     |
/// |      1 |     1 | length | of its name, 1 to 30         |
/// |      2 |    30 | name   | ASCII                        |
///
/// @param entries the codecs, in the order in which they came into use
public record CodecTable(List<Entry> entries) {
  /// The length of a table.
  public static final int BYTES = 256;

  /// That of a file whose images are not compressed.
  public static final CodecTable EMPTY = new CodecTable(List.of());

  /// The name of no compression.
  static final String NO_CODEC = "none";

  private static final int ENTRY_BYTES = 32;
  private static final int NAME_BYTES_MAX = ENTRY_BYTES - 2;
  private static final int ENTRIES_MAX = BYTES / ENTRY_BYTES;
  private static final int ID_MAX = 255;

  /// A codec.
  public record Entry(int id, String name) {}

  /// Copies the list.
  public CodecTable {
    entries = List.copyOf(entries);
  }

  /// Whether no image is compressed.
  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /// Whether a codec is in the table.
  public boolean contains(PageCodec codec) {
    return entries.contains(new Entry(codec.id(), codec.name()));
  }

  /// This table, and that codec.
  ///
  /// @throws IllegalArgumentException if it is full, or another codec has the same number
  public CodecTable with(PageCodec codec) {
    if (contains(codec)) {
      return this;
    }
    if (entries.size() == ENTRIES_MAX
        || entries.stream().anyMatch(entry -> entry.id == codec.id())) {
      throw new IllegalArgumentException(
          "compression cannot be added to this store: compression="
              + codec.name()
              + ", codec="
              + codec.id()
              + ", used="
              + entries
              + ", max="
              + ENTRIES_MAX
              + "; load its data into a new store");
    }
    List<Entry> more = new ArrayList<>(entries);
    more.add(new Entry(codec.id(), codec.name()));
    return new CodecTable(more);
  }

  /// Checks that a codec follows the rules of [PageCodec] for names and numbers.
  static void check(PageCodec codec) {
    if (!isEntry(codec.id(), codec.name())) {
      throw new IllegalArgumentException(
          "codec with an impossible name or number: class="
              + codec.getClass().getName()
              + ", compression="
              + codec.name()
              + ", codec="
              + codec.id());
    }
  }

  private static boolean isEntry(int id, String name) {
    return id > 0
        && id <= ID_MAX
        && !name.equals(NO_CODEC)
        && name.length() <= NAME_BYTES_MAX
        && name.matches("[A-Za-z0-9_-]+");
  }

  /// Writes this table.
  public void encode(byte[] block, int offset) {
    int at = offset;
    for (Entry entry : entries) {
      byte[] name = entry.name.getBytes(StandardCharsets.US_ASCII);
      block[at] = (byte) entry.id;
      block[at + 1] = (byte) name.length;
      System.arraycopy(name, 0, block, at + 2, name.length);
      at += ENTRY_BYTES;
    }
  }

  /// Reads a table.
  ///
  /// @return null if these bytes are none
  public static @Nullable CodecTable decode(byte[] block, int offset) {
    List<Entry> entries = new ArrayList<>();
    for (int at = offset; at < offset + BYTES && block[at] != 0; at += ENTRY_BYTES) {
      int id = block[at] & 0xff;
      int length = block[at + 1];
      if (length < 0 || length > NAME_BYTES_MAX) {
        return null;
      }
      String name = new String(block, at + 2, length, StandardCharsets.US_ASCII);
      if (!isEntry(id, name) || entries.stream().anyMatch(entry -> entry.id == id)) {
        return null;
      }
      entries.add(new Entry(id, name));
    }
    return new CodecTable(entries);
  }
}
