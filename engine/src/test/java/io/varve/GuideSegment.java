package io.varve;

import static io.varve.FormatGuide.crc;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.FormatGuide.Table;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;

/// A segment of a log, read by the tables of docs/FORMAT.md alone.
record GuideSegment(FormatGuide guide, byte[] bytes) {
  interface Frames {
    void frame(String type, byte[] body);
  }

  void forEach(Frames frames) {
    Table header = guide.table("Segment header", 0);
    assertThat(header.requireWithoutGap()).isEqualTo(4096);
    assertThat(header.text(bytes, 0, "magic")).isEqualTo("VARVELOG");
    assertThat(header.get(bytes, 0, "version")).isEqualTo(1);
    assertThat(header.get(bytes, 0, "crc")).isEqualTo(crc(bytes, 0, header.offset("crc")));
    assertThat(header.raw(bytes, 0, "copy")).isEqualTo(Arrays.copyOf(bytes, 100));
    long firstLsn = header.get(bytes, 0, "firstLsn");
    long termBytes = header.get(bytes, 0, "termBytes");
    Table frame = guide.table("Frames", 0);
    Map<String, String> types = guide.table("Frames", 1).column("type", "name");
    long lsn = firstLsn;
    while (4096 + lsn - firstLsn < bytes.length) {
      long at = 4096 + lsn - firstLsn;
      long length = frame.get(bytes, at, "length");
      if (length == 0) {
        return;
      }
      String type = types.get(String.valueOf(frame.get(bytes, at, "type")));
      boolean isFill = type.equals("MARK") || type.equals("PAD");
      long end = at + (isFill ? 32 : length);
      long check = crc(bytes, at + frame.offset("lsn"), end) ^ salt() ^ (length * 0x85EBCA6BL);
      assertThat(frame.get(bytes, at, "check")).isEqualTo(check & 0xFFFF_FFFFL);
      assertThat(frame.get(bytes, at, "lsn")).isEqualTo(lsn);
      if (type.equals("MARK")) {
        assertThat(frame.get(bytes, at, "durable")).isLessThanOrEqualTo(lsn);
      }
      frames.frame(type, Arrays.copyOfRange(bytes, (int) at + frame.offset("body"), (int) end));
      lsn = (lsn + length + 7) / 8 * 8;
      long left = termBytes - lsn % termBytes;
      if (left < 32) {
        lsn += left;
      }
    }
  }

  private long salt() {
    Table header = guide.table("Segment header", 0);
    ByteBuffer id =
        ByteBuffer.wrap(header.raw(bytes, 0, "store id")).order(ByteOrder.LITTLE_ENDIAN);
    long mixed =
        (id.getLong(0) * FormatGuide.hex("9E3779B97F4A7C15")) ^ Long.rotateLeft(id.getLong(8), 29);
    mixed = (mixed ^ (mixed >>> 32)) * FormatGuide.hex("D6E8FEB86659FD93");
    long generation = header.get(bytes, 0, "generation");
    return ((mixed >>> 32) ^ (generation * 0x9E3779B1L)) & 0xFFFF_FFFFL;
  }
}
