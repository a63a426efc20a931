package io.varve.internal.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.CorruptStoreException;
import io.varve.Durability;
import io.varve.internal.crypto.DataKey;
import io.varve.internal.crypto.Session;
import io.varve.internal.crypto.SessionCipher;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.HookedDisk;
import io.varve.internal.wal.format.FrameHeader;
import io.varve.internal.wal.format.LogFiles;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.format.SegmentHeader;
import io.varve.internal.wal.format.StoreId;
import io.varve.internal.wal.segment.LogSettings;
import io.varve.internal.wal.segment.SmallLog;
import io.varve.internal.wal.segment.Tail;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EncryptedLogTest {
  private static final StoreId ID = SmallLog.ID;
  private static final int RING = SmallLog.RING;
  private static final int OVERHEAD = FrameHeader.BODY + SessionCipher.TAG_BYTES;
  private static final LogSettings ENCRYPTED = SmallLog.OPTIONS.dataKey(key());
  private static final byte[] MARKER = "the secret of the log".getBytes(StandardCharsets.UTF_8);

  private static DataKey key() {
    return DataKey.of(HexFormat.of().parseHex("0123456789abcdef".repeat(4)));
  }

  private static Log create(HookedDisk disk) {
    return LogRecovery.createLog(disk, Clock.SYSTEM, ENCRYPTED, ID);
  }

  private static Commits recover(HookedDisk disk) {
    return recover(disk, ENCRYPTED);
  }

  private static Commits recover(HookedDisk disk, LogSettings options) {
    var commits = new Commits();
    LogRecovery.find(disk, options, ID, LogPosition.ORIGIN).replay(commits);
    return commits;
  }

  private static List<String> segments(HookedDisk disk) {
    return disk.list("log").stream()
        .filter(name -> name.endsWith(LogFiles.SUFFIX))
        .map(name -> "log/" + name)
        .toList();
  }

  @Test
  void commitsOfEverySizeComeBack() {
    var sizes = new ArrayList<Long>();
    int frame = FrameHeader.frameBytesMax(RING) - OVERHEAD;
    for (long around : new long[] {40, 4096, frame, 2L * frame, RING, 3L * RING, 9L * RING}) {
      for (long size = around - 20; size < around + 20; size++) {
        sizes.add(size);
      }
    }
    Collections.shuffle(sizes, new java.util.Random(1));
    var disk = new HookedDisk();
    var expected = new ArrayList<Commits.Commit>();
    try (Log log = create(disk)) {
      for (long size : sizes) {
        long start = Commits.reserve(log, size);
        Commits.write(log, start, expected.size(), size);
        expected.add(new Commits.Commit(start, log.endOf(start, size), expected.size(), size));
      }
    }
    assertThat(recover(disk).found).isEqualTo(expected);
  }

  /// A long commit that comes when the term can hold a header and a tag, and for no byte of body,
  /// or just one.
  @Test
  void commitThatIsCutStartsWhereverTheTermEnds() {
    for (int remaining = FrameHeader.FILL; remaining <= 96; remaining += FrameHeader.ALIGNMENT) {
      var tail = new Tail(RING, OVERHEAD, 1L << 40, RING, 0);
      long from = 2L * RING - remaining;
      long start = tail.startOf(from, RING);
      assertThat(start)
          .as("remaining %d", remaining)
          .isEqualTo(remaining > OVERHEAD ? from : 2L * RING);
      assertThat(tail.frameLength(start, RING)).isGreaterThan(OVERHEAD);
    }
    var plain = new Tail(RING, FrameHeader.BODY, 1L << 40, RING, 0);
    assertThat(plain.startOf(2L * RING - FrameHeader.FILL, RING))
        .isEqualTo(2L * RING - FrameHeader.FILL);
  }

  /// The ring is a file, which the system may write at any time.
  @Test
  void noByteOfABodyIsInAnyFile() {
    var disk = new HookedDisk();
    try (Log log = create(disk)) {
      for (int i = 0; i < 30; i++) {
        writeMarkers(log, i % 10 == 0 ? 20_000 : 100);
        requireNoMarker(disk.afterProcessCrash());
      }
    }
    requireNoMarker(disk);
  }

  private static void requireNoMarker(HookedDisk disk) {
    for (String file : disk.list("log")) {
      assertThat(contains(disk.content("log/" + file), MARKER)).as(file).isFalse();
    }
  }

  private static void writeMarkers(Log log, int count) {
    long bytes = (long) count * MARKER.length;
    long start = Commits.reserve(log, bytes);
    RecordSink sink = log.sink(start, bytes);
    for (int i = 0; i < count; i++) {
      sink.putBytes(MARKER, 0, MARKER.length);
    }
    sink.publish();
  }

  private static boolean contains(byte[] content, byte[] wanted) {
    return new String(content, StandardCharsets.ISO_8859_1)
        .contains(new String(wanted, StandardCharsets.ISO_8859_1));
  }

  /// What only the ring holds is encrypted there, and goes to its segment as it is.
  @Test
  void commitsInTheRingAreRecovered() {
    var disk = new HookedDisk();
    Log log = create(disk);
    for (int i = 1; i <= 50; i++) {
      Commits.commit(log, i, 100 + i, Durability.PROCESS_CRASH);
    }
    HookedDisk crashed = disk.afterProcessCrash();
    log.close();
    assertThat(recover(crashed).numbers()).isEqualTo(upTo(50));
    assertThat(recover(crashed).numbers()).isEqualTo(upTo(50));
  }

  private static List<Long> upTo(long last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }

  /// (K2) A loss of power may take a generation's number back, and a copy of a store may go another
  /// way: the same LSN of the same generation is used again, for something else. A session is not.
  @Test
  void everyOpenHasASessionOfItsOwn() {
    Set<Session> sessions = new HashSet<>();
    var disk = new HookedDisk();
    try (Log log = create(disk)) {
      Commits.commit(log, 1, 100, Durability.POWER_LOSS); // else it may leave no segment
    }
    for (int i = 0; i < 10; i++) {
      HookedDisk copy = disk.afterProcessCrash();
      LogRecovery recovery = LogRecovery.find(copy, ENCRYPTED, ID, LogPosition.ORIGIN);
      recovery.replay(new Commits());
      try (Log log = recovery.start(Clock.SYSTEM, LogPosition.ORIGIN)) {
        Commits.commit(log, 1, 100, Durability.POWER_LOSS);
      }
      for (String segment : segments(copy)) {
        SegmentHeader header = SegmentHeader.decode(copy.content(segment), segment);
        assertThat(header).isNotNull();
        if (header.generation() == 2) {
          sessions.add(header.session());
        }
      }
    }
    assertThat(sessions).doesNotContainNull().hasSize(10);
  }

  /// Frames of equal length that were swapped, and given the headers and checks of their new
  /// offsets: all that a person without the key can make right.
  @Test
  void swappedFramesAreRefused() {
    var disk = new HookedDisk();
    long start;
    try (Log log = create(disk)) {
      start = log.tailLsn();
      for (int i = 1; i <= 3; i++) {
        Commits.append(log, i, 100);
      }
    }
    assertThat(recover(disk).numbers()).isEqualTo(upTo(3));
    String segment = segments(disk).getFirst();
    int first = (int) (SegmentHeader.BYTES + start - RING);
    int length = 100 + OVERHEAD;
    int second = first + (length + 7) / 8 * 8;
    byte[] content = disk.content(segment);
    byte[] a = Arrays.copyOfRange(content, first + FrameHeader.BODY, first + length);
    byte[] b = Arrays.copyOfRange(content, second + FrameHeader.BODY, second + length);
    System.arraycopy(b, 0, content, first + FrameHeader.BODY, b.length);
    System.arraycopy(a, 0, content, second + FrameHeader.BODY, a.length);
    remakeCheck(content, first, length);
    remakeCheck(content, second, length);
    requireRefused(disk, "lsn=" + start);
  }

  private static void remakeCheck(byte[] content, int at, int length) {
    int crc =
        FrameHeader.crc(
            ByteBuffer.wrap(content, at + FrameHeader.LSN, length - FrameHeader.LSN).slice());
    ByteBuffer.wrap(content)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(at, FrameHeader.word(length, crc, FrameHeader.salt(ID, 1)));
  }

  @Test
  void changedBytesAndTypesAndLengthsAreRefused() {
    var disk = new HookedDisk();
    long start;
    try (Log log = create(disk)) {
      start = log.tailLsn();
      Commits.commit(log, 1, 100, Durability.POWER_LOSS);
    }
    String segment = segments(disk).getFirst();
    int at = (int) (SegmentHeader.BYTES + start - RING);
    int length = 100 + OVERHEAD;
    for (int i = FrameHeader.BODY; i < length; i++) {
      HookedDisk changed = disk.afterProcessCrash();
      changed.content(segment)[at + i] ^= 8;
      remakeCheck(changed.content(segment), at, length);
      requireRefused(changed, "lsn=" + start);
    }
    for (int shorter : new int[] {length - 1, OVERHEAD, OVERHEAD - 1, FrameHeader.BODY}) {
      HookedDisk changed = disk.afterProcessCrash();
      remakeCheck(changed.content(segment), at, shorter);
      requireRefused(changed, "lsn=" + start);
    }
    HookedDisk changed = disk.afterProcessCrash();
    changed.content(segment)[at + FrameHeader.TYPE] = FrameHeader.FIRST;
    remakeCheck(changed.content(segment), at, length);
    requireRefused(changed, "lsn=" + start);
  }

  private static void requireRefused(HookedDisk disk, String where) {
    assertThatThrownBy(() -> recover(disk))
        .isInstanceOf(CorruptStoreException.class)
        .hasMessageContaining("file=memory:log/")
        .hasMessageContaining(where)
        .hasMessageContaining("not what was encrypted");
  }

  /// An attacker that can write to the files must not slip a log in clear under an encrypted store.
  @Test
  void logsInClearAndEncryptedDoNotMix() {
    var encrypted = new HookedDisk();
    try (Log log = create(encrypted)) {
      writeMarkers(log, 100); // a log may have no segment before it has a commit
    }
    assertThatThrownBy(() -> recover(encrypted, SmallLog.OPTIONS))
        .isInstanceOf(CorruptStoreException.class)
        .hasMessageContaining("not both encrypted");
    var clear = new HookedDisk();
    try (Log log = LogRecovery.createLog(clear, Clock.SYSTEM, SmallLog.OPTIONS, ID)) {
      writeMarkers(log, 100);
    }
    assertThatThrownBy(() -> recover(clear))
        .isInstanceOf(CorruptStoreException.class)
        .hasMessageContaining("not both encrypted");
  }
}
