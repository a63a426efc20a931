package io.varve.internal.txn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.HexDump;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.MemoryDisk;
import io.varve.internal.file.SpaceDefinition;
import io.varve.internal.tree.StoredValue;
import io.varve.internal.wal.Log;
import io.varve.internal.wal.LogRecovery;
import io.varve.internal.wal.RecordSink;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.format.StoreId;
import io.varve.internal.wal.segment.LogSettings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// The bodies of commits in the log, byte by byte, written and read. A failure here shows that the
/// format changed: logs that exist could not be replayed any more.
class LogRecordTest {
  private static final StoreId ID = new StoreId(1, 2);
  private static final LogSettings SMALL =
      LogSettings.defaults().ringBytes(1 << 16).segmentBytes(1 << 18).logBytesMax(1 << 20);

  /// Writes down what is read.
  private static final class Reading implements LogRecord.Visitor {
    final List<String> changes = new ArrayList<>();

    private static String hex(byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    }

    @Override
    public void put(int space, byte[] key, byte[] value) {
      changes.add("put " + space + " " + hex(key) + " " + hex(value));
    }

    @Override
    public void putLarge(int space, byte[] key, StoredValue reference) {
      assertThat(reference.large()).isTrue();
      changes.add("putLarge " + space + " " + hex(key) + " " + hex(reference.bytes()));
    }

    @Override
    public void delete(int space, byte[] key) {
      changes.add("delete " + space + " " + hex(key));
    }

    @Override
    public void createSpace(int space, String name) {
      changes.add("createSpace " + space + " " + name);
    }

    @Override
    public void defineSpace(int space, SpaceDefinition definition) {
      changes.add(
          "defineSpace "
              + space
              + " "
              + definition.name()
              + " "
              + definition.keyCodec()
              + " "
              + definition.valueCodec());
    }

    @Override
    public void dropSpace(int space) {
      changes.add("dropSpace " + space);
    }

    @Override
    public void time(long millis) {
      changes.add("time " + millis);
    }

    @Override
    public void imagePiece(int space, long extent, int offset, byte[] bytes) {
      changes.add("imagePiece " + space + " " + extent + " " + offset + " " + hex(bytes));
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /// Writes a commit in a log and gives the body that a recovery finds.
  private static byte[] body(long bodyBytes, Consumer<RecordSink> record) {
    List<byte[]> found = new ArrayList<>();
    commitAndReplay(bodyBytes, record, body -> found.add(body.getBytes((int) body.length())));
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  private static List<String> read(byte[] body) {
    Reading reading = new Reading();
    commitAndReplay(
        body.length,
        sink -> sink.putBytes(body, 0, body.length),
        source -> LogRecord.read(source, reading));
    return reading.changes;
  }

  private static void commitAndReplay(
      long bodyBytes,
      Consumer<RecordSink> record,
      Consumer<io.varve.internal.wal.format.RecordSource> reader) {
    Disk disk = new MemoryDisk();
    try (Log log = LogRecovery.createLog(disk, Clock.SYSTEM, SMALL, ID)) {
      long start;
      while ((start = log.tryReserve(bodyBytes)) == Log.NO_CAPACITY) {
        log.awaitCapacity(bodyBytes);
      }
      RecordSink sink = log.sink(start, bodyBytes);
      record.accept(sink);
      sink.publish();
    }
    LogRecovery.find(disk, SMALL, ID, LogPosition.ORIGIN)
        .replay((_, _, body) -> reader.accept(body));
  }

  private static void requireBytes(
      String dump, long bodyBytes, Consumer<RecordSink> record, String... changes) {
    byte[] body = body(bodyBytes, record);
    assertThat(HexDump.of(body)).isEqualTo(dump);
    assertThat(read(HexDump.parse(dump))).containsExactly(changes);
  }

  @Test
  void putHasTheseBytes() {
    byte[] key = ascii("key");
    byte[] value = ascii("value");
    requireBytes(
        """
        000000  01ac0203 056b6579 76616c75 65
        00000d
        """,
        LogRecord.putBytes(300, key, value),
        sink -> LogRecord.put(sink, 300, key, value),
        "put 300 6b6579 76616c7565");
  }

  @Test
  void putOfNothingHasTheseBytes() {
    requireBytes(
        """
        000000  01010000
        000004
        """,
        LogRecord.putBytes(1, new byte[0], new byte[0]),
        sink -> LogRecord.put(sink, 1, new byte[0], new byte[0]),
        "put 1  ");
  }

  @Test
  void putLargeHasTheseBytes() {
    byte[] key = {(byte) 0xff};
    byte[] reference = HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f10111213");
    requireBytes(
        """
        000000  027f01ff 14000102 03040506 0708090a
        000010  0b0c0d0e 0f101112 13
        000019
        """,
        LogRecord.putLargeBytes(127, key, reference),
        sink -> LogRecord.putLarge(sink, 127, key, reference),
        "putLarge 127 ff 000102030405060708090a0b0c0d0e0f10111213");
  }

  @Test
  void deleteHasTheseBytes() {
    byte[] key = ascii("gone");
    requireBytes(
        """
        000000  03800104 676f6e65
        000008
        """,
        LogRecord.deleteBytes(128, key),
        sink -> LogRecord.delete(sink, 128, key),
        "delete 128 676f6e65");
  }

  @Test
  void createSpaceHasTheseBytes() {
    byte[] name = "Größe/€".getBytes(StandardCharsets.UTF_8);
    requireBytes(
        """
        000000  0480a8d6 b9070b47 72c3b6c3 9f652fe2
        000010  82ac
        000012
        """,
        LogRecord.createSpaceBytes(2_000_000_000, name),
        sink -> LogRecord.createSpace(sink, 2_000_000_000, name),
        "createSpace 2000000000 Größe/€");
  }

  @Test
  void timeHasTheseBytes() {
    requireBytes(
        """
        000000  0600ac02
        000004
        """,
        LogRecord.timeBytes(300),
        sink -> LogRecord.time(sink, 300),
        "time 300");
  }

  @Test
  void imagePieceHasTheseBytes() {
    byte[] image = {9, 10, 11, 12};
    requireBytes(
        """
        000000  0705ac02 01020a0b
        000008
        """,
        LogRecord.imagePieceBytes(5, 300, 1, 2),
        sink -> LogRecord.imagePiece(sink, 5, 300, image, 1, 2),
        "imagePiece 5 300 1 0a0b");
  }

  @Test
  void defineSpaceHasTheseBytes() {
    SpaceDefinition definition = new SpaceDefinition("stöck", "string", "");
    requireBytes(
        """
        000000  08ac0206 7374c3b6 636b0673 7472696e
        000010  6700
        000012
        """,
        LogRecord.defineSpaceBytes(300, definition),
        sink -> LogRecord.defineSpace(sink, 300, definition),
        "defineSpace 300 stöck string ");
  }

  @Test
  void dropSpaceHasTheseBytes() {
    requireBytes(
        """
        000000  0505
        000002
        """,
        LogRecord.dropSpaceBytes(5),
        sink -> LogRecord.dropSpace(sink, 5),
        "dropSpace 5");
  }

  @Test
  void changesOfOneCommitFollowEachOther() {
    byte[] key = ascii("k");
    requireBytes(
        """
        000000  0401016b 01010101 6b6b0302 016b0503
        000010
        """,
        LogRecord.createSpaceBytes(1, key)
            + LogRecord.putBytes(1, key, key)
            + LogRecord.deleteBytes(2, key)
            + LogRecord.dropSpaceBytes(3),
        sink -> {
          LogRecord.createSpace(sink, 1, key);
          LogRecord.put(sink, 1, key, key);
          LogRecord.delete(sink, 2, key);
          LogRecord.dropSpace(sink, 3);
        },
        "createSpace 1 k",
        "put 1 6b 6b",
        "delete 2 6b",
        "dropSpace 3");
  }

  /// A newer Varve may have written it; passing over it would lose what it changed.
  @Test
  void changeOfAnUnknownKindIsRefused() {
    assertThatThrownBy(() -> read(new byte[] {9, 1}))
        .isInstanceOf(RuntimeException.class)
        .hasMessageContaining("code=9");
  }
}
