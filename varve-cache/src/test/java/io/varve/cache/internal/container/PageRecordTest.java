package io.varve.cache.internal.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import javax.cache.CacheException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageRecordTest {
  private static final byte[] VALUE = {5, 6, 7};

  @ParameterizedTest
  @ValueSource(ints = {0, 1, PageRecord.KEY_BYTES_MAX, PageRecord.KEY_BYTES_MAX + 1, 10_000})
  void aRecordComesBack(int keyLength) {
    byte[] key = new byte[keyLength];
    Arrays.fill(key, (byte) 9);
    byte[] storedKey = PageRecord.key(513, key);
    assertThat(storedKey.length).isLessThanOrEqualTo(PageRecord.KEY_BYTES_MAX + 3);
    assertThat(PageRecord.segment(storedKey)).isEqualTo(513);
    for (long end : new long[] {0, 1, 1L << 40, Held.NEVER}) {
      byte[] stored = PageRecord.value(key, VALUE, end);
      assertThat(PageRecord.expiresAtMillis(segment(stored))).isEqualTo(end);
      assertThat(PageRecord.keyBytes(storedKey, () -> segment(stored))).isEqualTo(key);
      assertThat(PageRecord.held(segment(stored), 0).form()).isEqualTo(VALUE);
      byte[] place = PageRecord.place(end, storedKey);
      assertThat(PageRecord.placeEndMillis(place)).isEqualTo(end);
      assertThat(PageRecord.placeKey(place)).isEqualTo(storedKey);
    }
  }

  @Test
  void theBytesOfARecord() {
    assertThat(PageRecord.key(513, new byte[] {9})).isEqualTo(new byte[] {2, 1, 0, 9});
    assertThat(PageRecord.value(new byte[] {9}, VALUE, 3))
        .isEqualTo(new byte[] {1, 0, 0, 0, 0, 0, 0, 0, 3, 5, 6, 7});
    assertThat(PageRecord.value(new byte[] {9}, VALUE, Held.NEVER))
        .isEqualTo(new byte[] {0, 5, 6, 7});
    assertThat(PageRecord.place(3, new byte[] {2, 1, 0, 9}))
        .isEqualTo(new byte[] {-1, -128, 0, 0, 0, 0, 0, 0, 3, 2, 1, 0, 9});
  }

  @Test
  void placesAreInTheOrderOfEnds() {
    long[] ends = {Long.MIN_VALUE, -1, 0, 1, 1L << 40, Held.NEVER};
    for (int i = 1; i < ends.length; i++) {
      assertThat(
              Arrays.compareUnsigned(
                  PageRecord.place(ends[i - 1], new byte[] {-1}),
                  PageRecord.place(ends[i], new byte[] {0})))
          .isNegative();
    }
  }

  /// Bytes that another program wrote are refused, whatever lengths they contain.
  @Test
  void recordsThatMakeNoSenseAreRefused() {
    byte[] longKey = new byte[PageRecord.KEY_BYTES_MAX + 1];
    byte[] stored = PageRecord.value(longKey, VALUE, 1);
    byte[] storedKey = PageRecord.key(1, longKey);
    for (int length = 0; length < stored.length - VALUE.length; length += 7) {
      byte[] cut = Arrays.copyOf(stored, length);
      assertThatThrownBy(() -> PageRecord.held(segment(cut), 0)).isInstanceOf(CacheException.class);
      assertThatThrownBy(() -> PageRecord.keyBytes(storedKey, () -> segment(cut)))
          .isInstanceOf(CacheException.class);
    }
    SplittableRandom random = new SplittableRandom(17);
    for (int i = 0; i < 2000; i++) {
      byte[] bytes = new byte[random.nextInt(20)];
      random.nextBytes(bytes);
      requireRefusedOrRead(() -> PageRecord.held(segment(bytes), 0));
      requireRefusedOrRead(() -> PageRecord.keyBytes(bytes, () -> segment(bytes)));
      requireRefusedOrRead(() -> PageRecord.placeKey(bytes));
      requireRefusedOrRead(() -> PageRecord.placeEndMillis(bytes));
    }
  }

  private static MemorySegment segment(byte[] bytes) {
    return MemorySegment.ofArray(bytes);
  }

  private static void requireRefusedOrRead(ThrowingCallable call) {
    assertThatCode(
            () -> {
              try {
                call.call();
              } catch (CacheException e) {
                assertThat(e).hasMessageContaining("bytes=");
              }
            })
        .doesNotThrowAnyException();
  }
}
