package io.varve.internal.wal.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.internal.wal.segment.SmallLog;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class FrameHeaderTest {
  private static final int TERM = 1 << 16;
  private static final StoreId ID = new StoreId(0x0123456789abcdefL, 0xfedcba9876543210L);
  private static final int SALT = FrameHeader.salt(ID, 7);

  private static byte[] commitFrame() {
    var ring = SmallLog.ring(Arena.ofAuto().allocate(TERM, 8), SALT);
    ring.putHeader(TERM + 64, FrameHeader.COMMIT);
    byte[] body = {1, 2, 3, 4, 5};
    for (int i = 0; i < body.length; i++) {
      ring.memory(0).set(ValueLayout.JAVA_BYTE, 64 + FrameHeader.BODY + i, body[i]);
    }
    ring.publish(TERM + 64, FrameHeader.COMMIT, FrameHeader.BODY + body.length);
    return Arrays.copyOfRange(ring.memory(0).toArray(ValueLayout.JAVA_BYTE), 64, 64 + 64);
  }

  @Test
  void commitFrameHasTheseBytes() {
    assertThat(HexFormat.of().formatHex(commitFrame(), 0, 24))
        .isEqualTo("160000005d10b72d40000100000000000101020304050000");
  }

  @Test
  void markHasTheseBytes() {
    var ring = SmallLog.ring(Arena.ofAuto().allocate(TERM, 8), SALT);
    ring.publishFill(TERM + 64, FrameHeader.MARK, 4096 - 64, 0x10040);
    byte[] bytes = ring.memory(0).toArray(ValueLayout.JAVA_BYTE);
    assertThat(HexFormat.of().formatHex(bytes, 64, 64 + FrameHeader.FILL))
        .isEqualTo("c00f0000a67da419400001000000000005000000000000004000010000000000");
    assertThat(FrameHeader.validLength(bytes, 64, 4096 - 64, TERM + 64, SALT, TERM))
        .isEqualTo(4096 - 64);
    assertThat(FrameHeader.durableAt(bytes, 64)).isEqualTo(0x10040);
  }

  @Test
  void aBatchEndsWithItsBlock() {
    assertThat(FrameHeader.blockCeil(0)).isZero();
    assertThat(FrameHeader.blockCeil(1)).isEqualTo(4096);
    assertThat(FrameHeader.blockCeil(4096)).isEqualTo(4096);
    assertThat(FrameHeader.blockCeil(4097)).isEqualTo(8192);
  }

  @Test
  void aHeaderIsReadWhereAPadFitsAndNoMore() {
    byte[] frame = commitFrame();
    int pad = FrameHeader.FILL;
    assertThat(FrameHeader.claimedLength(frame, 0, pad, TERM + 64, TERM)).isEqualTo(22);
    assertThat(FrameHeader.claimedLength(frame, 0, pad - 1, TERM + 64, TERM)).isZero();
  }

  /// Guards against a field that the check does not cover.
  @Test
  void everyFlippedBitIsFound() {
    byte[] frame = commitFrame();
    int length = FrameHeader.validLength(frame, 0, frame.length, TERM + 64, SALT, TERM);
    assertThat(length).isEqualTo(22);
    for (int bit = 0; bit < length * 8; bit++) {
      frame[bit / 8] ^= (byte) (1 << (bit % 8));
      assertThat(FrameHeader.validLength(frame, 0, frame.length, TERM + 64, SALT, TERM)).isZero();
      frame[bit / 8] ^= (byte) (1 << (bit % 8));
    }
  }

  @Test
  void aFrameOfAnotherPlaceOrLifeIsNone() {
    byte[] frame = commitFrame();
    assertThat(FrameHeader.validLength(frame, 0, 64, 2 * TERM + 64, SALT, TERM)).isZero();
    int nextLife = FrameHeader.salt(ID, 8);
    assertThat(FrameHeader.validLength(frame, 0, 64, TERM + 64, nextLife, TERM)).isZero();
    int otherStore = FrameHeader.salt(new StoreId(1, 2), 7);
    assertThat(FrameHeader.validLength(frame, 0, 64, TERM + 64, otherStore, TERM)).isZero();
  }

  @Test
  void noFrameStartsWhereAPadDoesNotFit() {
    assertThat(FrameHeader.next(0, TERM - 33, TERM)).isEqualTo(TERM - 32);
    assertThat(FrameHeader.next(0, TERM - 31, TERM)).isEqualTo(TERM);
    assertThat(FrameHeader.next(0, TERM, TERM)).isEqualTo(TERM);
    assertThat(FrameHeader.next(8, 17, TERM)).isEqualTo(32);
  }

  @Test
  void aFrameEndsWithItsTermAtTheLatest() {
    var ring = SmallLog.ring(Arena.ofAuto().allocate(TERM, 8), SALT);
    long lsn = 2 * TERM - 64;
    ring.publishFill(lsn, FrameHeader.MARK, 64, 0);
    byte[] bytes = ring.memory(0).toArray(ValueLayout.JAVA_BYTE);
    assertThat(FrameHeader.claimedLength(bytes, TERM - 64, 64, lsn, TERM)).isEqualTo(64);
    bytes[TERM - 64]++; // The first byte of the length.
    assertThat(FrameHeader.claimedLength(bytes, TERM - 64, 64, lsn, TERM)).isZero();
  }

  @Test
  void theShortestFrameIsAHeaderAlone() {
    byte[] commit = commitFrame();
    commit[0] = FrameHeader.BODY;
    assertThat(claimedLength(commit, TERM + 64)).isEqualTo(FrameHeader.BODY);
    commit[0]--;
    assertThat(claimedLength(commit, TERM + 64)).isZero();

    var ring = SmallLog.ring(Arena.ofAuto().allocate(TERM, 8), SALT);
    ring.publishFill(TERM, FrameHeader.PAD, FrameHeader.FILL, 0);
    byte[] pad = ring.memory(0).toArray(ValueLayout.JAVA_BYTE);
    assertThat(claimedLength(pad, TERM)).isEqualTo(FrameHeader.FILL);
    pad[0]--;
    assertThat(claimedLength(pad, TERM)).isZero();
  }

  private static int claimedLength(byte[] bytes, long lsn) {
    return FrameHeader.claimedLength(bytes, 0, bytes.length, lsn, TERM);
  }

  @Test
  void generationsOfOneStoreNeverShareASalt() {
    long distinct =
        java.util.stream.IntStream.range(0, 100_000)
            .map(generation -> FrameHeader.salt(ID, generation))
            .distinct()
            .count();
    assertThat(distinct).isEqualTo(100_000);
  }
}
