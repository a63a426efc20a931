package io.varve.internal.backup;

import io.varve.UnsupportedFormatException;
import io.varve.internal.compress.CodecTable;
import io.varve.internal.crypto.Keyring;
import io.varve.internal.file.Superblock;
import io.varve.internal.page.Bytes;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The last block of a backup file. All integers are little-endian; an id is its high half (8) and
/// its low half (8). Written when all that it speaks of is there. It was the first block once, and
/// such files can be read still.
///
/// | offset | bytes | field      | meaning                                                         |
/// |-------:|------:|------------|-----------------------------------------------------------------|
/// |      0 |     8 | magic      | `VARVEBAK`                                                      |
/// |      8 |     4 | version    | [#VERSION], and more: see there                                 |
/// |     12 |     4 | pageBytes  | as in the superblock                                            |
/// |     16 |    16 | store      | id of the store                                                 |
/// |     32 |    16 | point      | id of this point, random                                        |
/// |     48 |    16 | base       | id of the point that this one continues from; 0 if it is full     |
/// |     64 |     8 | number     | in the directory, from 1                                        |
/// |     72 |     8 | baseNumber | of the base, or 0                                               |
/// |     80 |     8 | time       | milliseconds since 1970                                         |
/// |     88 |     8 | epoch      | that the checkpoint closed                                      |
/// |     96 |     8 | lsn        | the last commit that the checkpoint holds                       |
/// |    104 |     8 | cut        | LSN from which its log is to be replayed                        |
/// |    112 |     8 | catalog    | extent of its catalog                                           |
/// |    120 |     4 | checksum   | of the catalog's image                                          |
/// |    124 |     4 | generation | of the log at the cut                                           |
/// |    128 |     8 | images     | how many there are                                              |
/// |    136 |     8 | fileBytes  | of the whole file                                               |
/// |    144 |     8 | logFrom    | LSN from which the log was kept whole, at most cut; -1 if not   |
/// |    152 |   256 | codecs     | that images may be compressed with: a [CodecTable]              |
/// |    512 |   512 | keys       | of an encrypted store: a copy of its keys; else 0               |
/// |   4092 |     4 | crc        | CRC-32C of every byte before                                    |
///
/// @param isLast whether this is the last block of the file, rather than the first
/// @param codecs that its images need, and those of the points it is based on
/// @param keys null if the store is not encrypted
public record BackupHeader(
    int pageBytes,
    UUID store,
    UUID point,
    @Nullable UUID base,
    long number,
    long baseNumber,
    long timeMillis,
    long epoch,
    long lsn,
    long cut,
    long catalogExtent,
    int catalogChecksum,
    int generation,
    long imageCount,
    long fileBytes,
    long logFromLsn,
    boolean isLast,
    CodecTable codecs,
    byte @Nullable [] keys) {
  /// The length of the block.
  public static final int BYTES = 4096;

  /// The version of a backup whose images are neither encrypted nor compressed.
  static final int VERSION = 1;

  /// What is added to the version if images are encrypted.
  private static final int ENCRYPTED = 1;

  /// What is added to the version if images may be compressed.
  private static final int COMPRESSED = 2;

  /// What is added to the version if the block is the last one of the file.
  private static final int LAST = 4;

  private static final long MAGIC = 0x4B41424556524156L; // "VARVEBAK", little-endian
  private static final int CODECS = 152;
  private static final int KEYS = 512;
  private static final UUID NO_ID = new UUID(0, 0);

  /// Whether it holds everything, rather than what changed since its base.
  public boolean isFull() {
    return base == null;
  }

  /// Where the images begin, which are in one piece.
  long imagesBegin() {
    return isLast ? 0 : BYTES;
  }

  /// Where the images end.
  long imagesEnd() {
    return isLast ? fileBytes - BYTES : fileBytes;
  }

  byte[] encode() {
    byte[] block = new byte[BYTES];
    Bytes.putI64(block, 0, MAGIC);
    int version =
        VERSION
            + (keys == null ? 0 : ENCRYPTED)
            + (codecs.isEmpty() ? 0 : COMPRESSED)
            + (isLast ? LAST : 0);
    Bytes.putI32(block, 8, version);
    Bytes.putI32(block, 12, pageBytes);
    putId(block, 16, store);
    putId(block, 32, point);
    putId(block, 48, base == null ? NO_ID : base);
    Bytes.putI64(block, 64, number);
    Bytes.putI64(block, 72, baseNumber);
    Bytes.putI64(block, 80, timeMillis);
    Bytes.putI64(block, 88, epoch);
    Bytes.putI64(block, 96, lsn);
    Bytes.putI64(block, 104, cut);
    Bytes.putI64(block, 112, catalogExtent);
    Bytes.putI32(block, 120, catalogChecksum);
    Bytes.putI32(block, 124, generation);
    Bytes.putI64(block, 128, imageCount);
    Bytes.putI64(block, 136, fileBytes);
    Bytes.putI64(block, 144, logFromLsn);
    codecs.encode(block, CODECS);
    if (keys != null) {
      System.arraycopy(keys, 0, block, KEYS, Keyring.COPY_BYTES);
    }
    Bytes.seal(block);
    return block;
  }

  /// The header in a block, or null if it holds none that checks.
  ///
  /// @param file for messages
  /// @throws UnsupportedFormatException if it is of another version
  static @Nullable BackupHeader decode(byte[] block, String file) {
    if (Bytes.i64(block, 0) != MAGIC || !Bytes.isSealed(block)) {
      return null;
    }
    int version = Bytes.i32(block, 8);
    int kind = version - VERSION;
    if (kind < 0 || kind > (ENCRYPTED | COMPRESSED | LAST)) {
      throw new UnsupportedFormatException(
          "unknown version of a backup: file="
              + file
              + ", version="
              + version
              + ", supported="
              + VERSION
              + " to "
              + (VERSION + ENCRYPTED + COMPRESSED + LAST)
              + "; restore it with the version of Varve that wrote it");
    }
    CodecTable codecs = CodecTable.decode(block, CODECS);
    if (codecs == null || codecs.isEmpty() == ((kind & COMPRESSED) != 0)) {
      return null;
    }
    UUID base = id(block, 48);
    BackupHeader header =
        new BackupHeader(
            Bytes.i32(block, 12),
            id(block, 16),
            id(block, 32),
            base.equals(NO_ID) ? null : base,
            Bytes.i64(block, 64),
            Bytes.i64(block, 72),
            Bytes.i64(block, 80),
            Bytes.i64(block, 88),
            Bytes.i64(block, 96),
            Bytes.i64(block, 104),
            Bytes.i64(block, 112),
            Bytes.i32(block, 120),
            Bytes.i32(block, 124),
            Bytes.i64(block, 128),
            Bytes.i64(block, 136),
            Bytes.i64(block, 144),
            (kind & LAST) != 0,
            codecs,
            (kind & ENCRYPTED) != 0
                ? Arrays.copyOfRange(block, KEYS, KEYS + Keyring.COPY_BYTES)
                : null);
    return header.lsn >= 0
            && header.superblock(header.catalogExtent, header.catalogChecksum).makesSense()
        ? header
        : null;
  }

  /// The superblock of the store that was backed up, with a catalog that knows no checkpoint
  /// before.
  Superblock superblock(long catalog, int checksum) {
    return new Superblock(
        store.getMostSignificantBits(),
        store.getLeastSignificantBits(),
        1,
        epoch,
        cut,
        catalog,
        checksum,
        pageBytes,
        generation,
        true);
  }

  private static void putId(byte[] block, int at, UUID id) {
    Bytes.putI64(block, at, id.getMostSignificantBits());
    Bytes.putI64(block, at + 8, id.getLeastSignificantBits());
  }

  private static UUID id(byte[] block, int at) {
    return new UUID(Bytes.i64(block, at), Bytes.i64(block, at + 8));
  }
}
