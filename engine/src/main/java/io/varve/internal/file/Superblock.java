package io.varve.internal.file;

import static io.varve.internal.page.Bytes.i32;
import static io.varve.internal.page.Bytes.i64;
import static io.varve.internal.page.Bytes.isSealed;
import static io.varve.internal.page.Bytes.putI32;
import static io.varve.internal.page.Bytes.putI64;
import static io.varve.internal.page.Bytes.seal;

import io.varve.CorruptStoreException;
import io.varve.UnsupportedFormatException;
import io.varve.internal.compress.CodecTable;
import io.varve.internal.wal.format.SegmentHeader;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The root of trust: names the newest checkpoint. Two slots are written in turn, so a torn write
/// leaves the other. All integers are little-endian.
///
/// | offset | bytes | field        | meaning                                                   |
/// |-------:|------:|--------------|-----------------------------------------------------------|
/// |      0 |     8 | magic        | `VarveDB1`                                                |
/// |      8 |     4 | format       | [#FORMAT], and more: see there                            |
/// |     12 |     4 | zero         |                                                           |
/// |     16 |    16 | store id     | random, made with the store                               |
/// |     32 |     8 | sequence     | of the checkpoint, from 1; its parity is the slot         |
/// |     40 |     8 | epoch        | that the checkpoint closed                                |
/// |     48 |     8 | cut          | LSN from which the log is replayed                        |
/// |     56 |     8 | catalog      | extent of the catalog                                     |
/// |     64 |     4 | checksum     | of the catalog                                            |
/// |     68 |     4 | pageBytes    | size of a page when the store was made                    |
/// |     72 |     4 | generation   | of the log at the cut                                     |
/// |     76 |     4 | may end      | 1 if a log that holds nothing from the cut on is complete |
/// |     80 |   256 | codecs       | that images may be compressed with: a [CodecTable]        |
/// |   4092 |     4 | crc          | CRC-32C of every byte before                              |
public record Superblock(
    long idHigh,
    long idLow,
    long sequence,
    long epoch,
    long cut,
    long catalogExtent,
    int catalogChecksum,
    int pageBytes,
    int generation,
    boolean mayEnd) {
  public static final int BYTES = 4096;

  /// The format of a store whose images are neither encrypted nor compressed.
  public static final int FORMAT = 1;

  /// What is added to the format if images are encrypted.
  public static final int ENCRYPTED = 1;

  /// What is added to the format if images may be compressed.
  public static final int COMPRESSED = 2;

  private static final long MAGIC = 0x3142446576726156L;
  private static final int CODECS = 80;

  /// More than anything here is ever counted to.
  private static final long COUNT_MAX = 1L << 62;

  private byte[] encode(int format, CodecTable codecs) {
    byte[] bytes = new byte[BYTES];
    putI64(bytes, 0, MAGIC);
    putI32(bytes, 8, format);
    putI64(bytes, 16, idHigh);
    putI64(bytes, 24, idLow);
    putI64(bytes, 32, sequence);
    putI64(bytes, 40, epoch);
    putI64(bytes, 48, cut);
    putI64(bytes, 56, catalogExtent);
    putI32(bytes, 64, catalogChecksum);
    putI32(bytes, 68, pageBytes);
    putI32(bytes, 72, generation);
    putI32(bytes, 76, mayEnd ? 1 : 0);
    codecs.encode(bytes, CODECS);
    seal(bytes);
    return bytes;
  }

  /// Writes this superblock into its slot, durably.
  ///
  /// @throws IllegalStateException if no open would accept it; nothing was written
  public void write(PageFile file) throws IOException {
    if (!makesSense() || catalogExtent == 0) {
      throw new IllegalStateException(
          "superblock out of range: file=" + file.where() + ", superblock=" + this);
    }
    CodecTable codecs = file.codecs();
    int format =
        FORMAT + (file.isEncrypted() ? ENCRYPTED : 0) + (codecs.isEmpty() ? 0 : COMPRESSED);
    file.writeSuperblock((int) (sequence & 1), encode(format, codecs));
    file.needCodecs(codecs); // (Z1)
  }

  /// Reads the newer of the slots that are whole.
  ///
  /// @return null if neither is
  /// @throws UnsupportedFormatException if a newer version of Varve wrote them, or a codec is
  ///   missing
  /// @throws CorruptStoreException if one makes no sense though its checksum is right; also if the
  ///   store is encrypted but there are no keys, or there are keys but it is not
  public static @Nullable Superblock readNewest(PageFile file) throws IOException {
    Superblock even = read(file, 0);
    Superblock odd = read(file, 1);
    if (even == null || odd == null) {
      return even == null ? odd : even;
    }
    return even.sequence > odd.sequence ? even : odd;
  }

  /// Reads the other slot: the checkpoint before this one.
  ///
  /// @return null if it is not whole
  public @Nullable Superblock readBefore(PageFile file) throws IOException {
    return read(file, (int) (sequence + 1 & 1));
  }

  /// Reads the slot of that parity.
  ///
  /// @return null if it is not whole
  public static @Nullable Superblock read(PageFile file, int slot) throws IOException {
    byte[] bytes = new byte[BYTES];
    int found = file.readRaw((long) slot * PageFile.SUPERBLOCK_SPACING, bytes);
    if (found != BYTES || i64(bytes, 0) != MAGIC || !isSealed(bytes)) {
      return null;
    }
    int format = i32(bytes, 8);
    int kind = format - FORMAT;
    if (kind < 0 || kind > (ENCRYPTED | COMPRESSED)) {
      throw new UnsupportedFormatException(
          "unknown format: file="
              + file.where()
              + ", format="
              + format
              + ", supported="
              + FORMAT
              + " to "
              + (FORMAT + ENCRYPTED + COMPRESSED)
              + "; open this store with the version of Varve that wrote it");
    }
    if (((kind & ENCRYPTED) != 0) != file.isEncrypted()) {
      throw new CorruptStoreException(
          (file.isEncrypted()
                  ? "there is a keys file, but the store is not encrypted"
                  : "the store is encrypted, but its keys file is missing")
              + ": file="
              + file.where()
              + ", format="
              + format
              + "; put the files of one store together, or restore it from a backup");
    }
    CodecTable codecs = CodecTable.decode(bytes, CODECS);
    Superblock read =
        new Superblock(
            i64(bytes, 16),
            i64(bytes, 24),
            i64(bytes, 32),
            i64(bytes, 40),
            i64(bytes, 48),
            i64(bytes, 56),
            i32(bytes, 64),
            i32(bytes, 68),
            i32(bytes, 72),
            i32(bytes, 76) == 1);
    if (!read.makesSense() || codecs == null || codecs.isEmpty() == ((kind & COMPRESSED) != 0)) {
      throw new CorruptStoreException(
          "superblock makes no sense though its checksum is right: file="
              + file.where()
              + ", offset="
              + (long) slot * PageFile.SUPERBLOCK_SPACING
              + ", superblock="
              + read
              + "; restore this store from a backup");
    }
    file.needCodecs(codecs);
    return read;
  }

  /// Whether these are numbers that a store can have counted to.
  public boolean makesSense() {
    return sequence >= 0
        && sequence < COUNT_MAX
        && epoch >= 0
        && epoch < COUNT_MAX
        && cut >= 0
        && cut < COUNT_MAX
        && generation >= 0
        && generation < SegmentHeader.GENERATION_MAX;
  }
}
