package io.varve.internal.backup;

import io.varve.internal.page.Bytes;
import io.varve.internal.page.Extent;
import java.util.UUID;
import java.util.zip.CRC32C;

/// The record before each image in a backup file. All integers are little-endian.
///
/// | offset | bytes | field    | meaning                                                           |
/// |-------:|------:|----------|-------------------------------------------------------------------|
/// |      0 |     8 | extent   | where the image is in the page file, and its length             |
/// |      8 |     4 | checksum | of the image, as its header holds it                              |
/// |     12 |     4 | crc      | CRC-32C of the id of the point (high 8, low 8) and the 12 bytes before |
///
/// The id keeps records of one backup from ever checking in another.
record ImageRecord(long extent, int checksum) {
  static final int BYTES = 16;

  int imageBytes() {
    return Extent.bytes(extent);
  }

  byte[] encode(UUID point) {
    byte[] record = new byte[BYTES];
    Bytes.putI64(record, 0, extent);
    Bytes.putI32(record, 8, checksum);
    Bytes.putI32(record, 12, crc(record, point));
    return record;
  }

  static boolean isValid(byte[] record, UUID point) {
    return Bytes.i32(record, 12) == crc(record, point);
  }

  static ImageRecord decode(byte[] record) {
    return new ImageRecord(Bytes.i64(record, 0), Bytes.i32(record, 8));
  }

  private static int crc(byte[] record, UUID point) {
    byte[] id = new byte[16];
    Bytes.putI64(id, 0, point.getMostSignificantBits());
    Bytes.putI64(id, 8, point.getLeastSignificantBits());
    CRC32C crc = new CRC32C();
    crc.update(id);
    crc.update(record, 0, 12);
    return (int) crc.getValue();
  }
}
