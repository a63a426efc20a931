package io.varve.internal.wal;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.HexDump;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.FileOption;
import io.varve.internal.disk.HookedDisk;
import io.varve.internal.wal.format.LogFiles;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.format.SegmentHeader;
import io.varve.internal.wal.format.StoreId;
import io.varve.internal.wal.segment.LogSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A whole log, byte by byte: a segment with its header, every type of frame, and where they are. A
/// failure here shows that the format changed: logs that exist could not be recovered any more.
@Timeout(60)
class LogFormatTest {
  private static final StoreId ID = new StoreId(0x0123456789abcdefL, 0xfedcba9876543210L);
  private static final int RING = LogSettings.RING_BYTES_MIN;

  /// Nothing is written but what a commit waits for, so that the batches are always the same.
  private static final LogSettings OPTIONS =
      LogSettings.defaults()
          .ringBytes(RING)
          .segmentBytes(4 * RING)
          .prepareBytes(RING)
          .flushIntervalNanos(Duration.ofHours(1).toNanos());

  /// A short commit; one that is cut; and enough more for the last not to fit into the first term,
  /// which then ends in a pad. All but the first are of zeros, which a dump leaves out.
  private static final int[] BODY_BYTES = {
    5, 12_000, 8_000, 8_000, 8_000, 8_000, 8_000, 3_000, 8_000
  };

  /// Header, first term and the start of the second: all that holds anything. How far the file was
  /// made ready past it depends on the timing.
  private static final int LOOKED_AT_BYTES = SegmentHeader.BYTES + RING + RING / 2;

  private static final String NAME = "log/00000000000000000001.log";

  private static final String SEGMENT =
      """
      000000  56415256 454c4f47 01000000 01000000
      000010  efcdab89 67452301 10325476 98badcfe
      000020  01000000 00000000 00000100 00000000
      000030  00000400 00000000 00000100 00000000
      000040  00000000 00000000 00000100 77daf9fa
      000800  56415256 454c4f47 01000000 01000000
      000810  efcdab89 67452301 10325476 98badcfe
      000820  01000000 00000000 00000100 00000000
      000830  00000400 00000000 00000100 00000000
      000840  00000000 00000000 00000100 77daf9fa
      001000  16000000 9ea94bad 00000100 00000000
      001010  01010203 04050000 e80f0000 7a7dd4f9
      001020  18000100 00000000 05000000 00000000
      001030  00000100 00000000 00000000 00000000
      002000  00200000 1ab2a50a 00100100 00000000
      002010  02000000 00000000 00000000 00000000
      004000  020f0000 3461357a 00300100 00000000
      004010  04000000 00000000 00000000 00000000
      004f00  00000000 00000000 f8000000 84587153
      004f10  083f0100 00000000 05000000 00000000
      004f20  00100100 00000000 00000000 00000000
      005000  511f0000 9fca371f 00400100 00000000
      005010  01000000 00000000 00000000 00000000
      006f50  00000000 00000000 a8000000 be61e3ed
      006f60  585f0100 00000000 05000000 00000000
      006f70  00400100 00000000 00000000 00000000
      007000  511f0000 4e974ffe 00600100 00000000
      007010  01000000 00000000 00000000 00000000
      008f50  00000000 00000000 a8000000 ad64cc59
      008f60  587f0100 00000000 05000000 00000000
      008f70  00600100 00000000 00000000 00000000
      009000  511f0000 9bebfe53 00800100 00000000
      009010  01000000 00000000 00000000 00000000
      00af50  00000000 00000000 a8000000 c7e4355b
      00af60  589f0100 00000000 05000000 00000000
      00af70  00800100 00000000 00000000 00000000
      00b000  511f0000 4ab686b2 00a00100 00000000
      00b010  01000000 00000000 00000000 00000000
      00cf50  00000000 00000000 a8000000 d4e11aef
      00cf60  58bf0100 00000000 05000000 00000000
      00cf70  00a00100 00000000 00000000 00000000
      00d000  511f0000 c826e294 00c00100 00000000
      00d010  01000000 00000000 00000000 00000000
      00ef50  00000000 00000000 a8000000 10988736
      00ef60  58df0100 00000000 05000000 00000000
      00ef70  00c00100 00000000 00000000 00000000
      00f000  c90b0000 7d011298 00e00100 00000000
      00f010  01000000 00000000 00000000 00000000
      00fbd0  30140000 ed2e8bca d0eb0100 00000000
      00fbe0  06000000 00000000 00000000 00000000
      011000  511f0000 2df5e3ee 00000200 00000000
      011010  01000000 00000000 00000000 00000000
      012f50  00000000 00000000 a8000000 6fe5d350
      012f60  581f0200 00000000 05000000 00000000
      012f70  00000200 00000000 00000000 00000000
      019000
      """;

  private static byte[] body(int number) {
    byte[] body = new byte[BODY_BYTES[number]];
    if (number == 0) {
      body = new byte[] {1, 2, 3, 4, 5};
    }
    return body;
  }

  private static void commitAll(Disk disk) {
    try (Log log = LogRecovery.createLog(disk, Clock.SYSTEM, OPTIONS, ID)) {
      for (int number = 0; number < BODY_BYTES.length; number++) {
        byte[] body = body(number);
        long start = Commits.reserve(log, body.length);
        RecordSink sink = log.sink(start, body.length);
        sink.putBytes(body, 0, body.length);
        sink.publish();
        // A commit that is awaited ends its block, and so the last but one is not.
        if (number != BODY_BYTES.length - 2) {
          log.await(log.endOf(start, body.length), Durability.POWER_LOSS);
        }
      }
    }
  }

  private static List<byte[]> replay(Disk disk) {
    List<byte[]> bodies = new ArrayList<>();
    LogRecovery.find(disk, OPTIONS, ID, LogPosition.ORIGIN)
        .replay((_, _, body) -> bodies.add(body.getBytes((int) body.length())));
    return bodies;
  }

  private static String firstSegment(Disk disk) throws IOException {
    return disk.list(LogFiles.DIRECTORY).stream()
        .filter(name -> name.endsWith(".log"))
        .map(name -> LogFiles.DIRECTORY + "/" + name)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void segmentHasTheseBytes() throws IOException {
    Disk disk = new HookedDisk();
    commitAll(disk);
    String name = firstSegment(disk);
    byte[] bytes;
    try (DiskFile file = disk.open(name, FileOption.READ_ONLY)) {
      bytes = new byte[LOOKED_AT_BYTES];
      assertThat(file.read(0, ByteBuffer.wrap(bytes))).isEqualTo(bytes.length);
    }
    assertThat(name).isEqualTo(NAME);
    assertThat(HexDump.of(bytes)).isEqualTo(SEGMENT);
  }

  @Test
  void theseBytesAreRecovered() throws IOException {
    Disk disk = new HookedDisk();
    disk.createDirectory(LogFiles.DIRECTORY);
    try (DiskFile file = disk.open(NAME, FileOption.CREATE)) {
      file.write(0, ByteBuffer.wrap(HexDump.parse(SEGMENT)));
      file.force();
    }
    disk.syncDirectory(LogFiles.DIRECTORY);
    List<byte[]> bodies = replay(disk);
    assertThat(bodies).hasSize(BODY_BYTES.length);
    for (int number = 0; number < BODY_BYTES.length; number++) {
      assertThat(bodies.get(number)).isEqualTo(body(number));
    }
  }
}
