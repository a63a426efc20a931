package io.varve.query.internal.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.query.Values;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The bytes of index parts keep the one order of values (PART-1), also where they are cut
/// (PART-2).
class PartCodecTest {
  private static final int NEVER_CUT = Integer.MAX_VALUE;
  private static final int SHORT = 3;

  @Property(tries = 100)
  void orderOfBytesIsOrderOfValues(@ForAll long seed) {
    var codec = new PartCodec(false, NullOrder.FIRST, null, NEVER_CUT);
    assertOrder(seed, codec, Values::compare);
  }

  @Property(tries = 100)
  void descendingBytesReverseTheOrder(@ForAll long seed) {
    var codec = new PartCodec(true, NullOrder.LAST, null, NEVER_CUT);
    assertOrder(seed, codec, (left, right) -> Values.compare(right, left));
  }

  @Property(tries = 50)
  void nullsComeWhereTheIndexHasThem(@ForAll long seed) {
    Comparator<@Nullable Object> last = Comparator.nullsLast(Values::compare);
    assertOrder(seed, new PartCodec(false, NullOrder.LAST, null, NEVER_CUT), last);
    Comparator<@Nullable Object> first =
        Comparator.nullsFirst((left, right) -> Values.compare(right, left));
    assertOrder(seed, new PartCodec(true, NullOrder.FIRST, null, NEVER_CUT), first);
  }

  private static void assertOrder(
      long seed, PartCodec codec, Comparator<@Nullable Object> expected) {
    var samples = new SampleValues(seed);
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      values.add(samples.next());
    }
    for (Object left : values) {
      for (Object right : values) {
        byte[] a = bytes(codec, left);
        byte[] b = bytes(codec, right);
        int order = expected.compare(left, right);
        assertThat(Integer.signum(Arrays.compareUnsigned(a, b)))
            .as("%s and %s", left, right)
            .isEqualTo(Integer.signum(order));
        if (order != 0) {
          assertThat(Arrays.mismatch(a, b)).isLessThan(Math.min(a.length, b.length));
        }
      }
    }
  }

  @Property(tries = 200)
  void valuesAreReadBack(@ForAll long seed, @ForAll boolean isDescending) {
    var codec = new PartCodec(isDescending, NullOrder.FIRST, null, NEVER_CUT);
    Object value = new SampleValues(seed).next();
    byte[] bytes = bytes(codec, value);

    var reader = new PartReader(bytes);
    assertThat(Values.compare(codec.read(reader), value)).isZero();
    assertThat(reader.offset()).isEqualTo(bytes.length);
    var skipper = new PartReader(bytes);
    codec.skip(skipper);
    assertThat(skipper.offset()).isEqualTo(bytes.length);
    assertThat(skipper.cutOffset()).isNegative();
  }

  /// What is cut may be confused with what begins alike, and with nothing else.
  @Property(tries = 100)
  void orderOfCutValuesIsLostAmongThoseAlone(@ForAll long seed, @ForAll boolean isDescending) {
    var codec = new PartCodec(isDescending, NullOrder.FIRST, null, SHORT);
    var samples = new SampleValues(seed);
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      values.add(samples.next());
    }
    for (Object left : values) {
      for (Object right : values) {
        assertCutOrder(codec, left, right);
      }
    }
  }

  private static void assertCutOrder(
      PartCodec codec, @Nullable Object left, @Nullable Object right) {
    byte[] a = bytes(codec, left);
    byte[] b = bytes(codec, right);
    int cutA = cutOffset(codec, a);
    int cutB = cutOffset(codec, b);
    int order =
        codec.isDescending() && left != null && right != null
            ? Values.compare(right, left)
            : Values.compare(left, right);
    if (order == 0) {
      assertThat(a).isEqualTo(b);
    } else if (cutA < 0 || cutA != cutB || Arrays.mismatch(a, 0, cutA, b, 0, cutB) >= 0) {
      assertThat(Integer.signum(Arrays.compareUnsigned(a, b)))
          .as("%s and %s", left, right)
          .isEqualTo(Integer.signum(order));
    } else {
      assertThat(a).isNotEqualTo(b);
    }
  }

  private static int cutOffset(PartCodec codec, byte[] bytes) {
    var reader = new PartReader(bytes);
    codec.skip(reader);
    assertThat(reader.offset()).isEqualTo(bytes.length);
    return reader.cutOffset();
  }

  /// Several characters are looked at together: a byte 0 or 1 is written as two, and an unpaired
  /// surrogate in its own way.
  @Test
  void textsOfAnyLengthAreReadBackWithAnyCharacterAnywhere() {
    var codec = new PartCodec(false, NullOrder.FIRST, null, NEVER_CUT);
    for (int length = 1; length <= 20; length++) {
      for (int at = 0; at < length; at++) {
        for (char odd : new char[] {0, 1, 2, '?', 0x80, 0xd800, 0xdc00, 0xfffd}) {
          for (String others : new String[] {"a", "\2", "\1"}) {
            String text = others.repeat(at) + odd + others.repeat(length - at - 1);
            byte[] bytes = bytes(codec, text);
            var reader = new PartReader(bytes);
            assertThat(codec.read(reader)).isEqualTo(text);
            assertThat(reader.offset()).isEqualTo(bytes.length);
          }
        }
      }
    }
  }

  @Test
  void equalNumbersOfAllTypesHaveTheSameBytes() {
    var codec = new PartCodec(false, NullOrder.FIRST, null, NEVER_CUT);
    byte[] one = bytes(codec, Values.normal(1));
    assertThat(one).hasSize(3);
    for (Object same : List.of(1L, 1.0, 1.0f, new BigDecimal("1.00"), (byte) 1)) {
      assertThat(bytes(codec, Values.normal(same))).isEqualTo(one);
    }
    assertThat(bytes(codec, 42L)).hasSize(3);
    assertThat(bytes(codec, 1_000_000L)).hasSize(3);
    assertThat(bytes(codec, Long.MAX_VALUE)).hasSize(12);
  }

  /// A number of a billion zeros takes no more than its digits.
  @Test
  void hugeExponentsTakeFewBytes() {
    var codec = new PartCodec(false, NullOrder.FIRST, null, NEVER_CUT);
    var huge = new BigDecimal("-1E+1000000000");
    byte[] bytes = bytes(codec, huge);
    assertThat(bytes.length).isLessThan(16);
    assertThat(codec.read(new PartReader(bytes))).isEqualTo(huge);
  }

  @Test
  void valuesWithoutAFormAreTogetherAndCut() {
    var codec = new PartCodec(false, NullOrder.FIRST, null, NEVER_CUT);
    byte[] bytes = bytes(codec, Locale.ROOT);
    assertThat(bytes).isEqualTo(bytes(codec, Locale.GERMAN));
    assertThat(cutOffset(codec, bytes)).isEqualTo(bytes.length);
    byte[] list = bytes(codec, List.of(1L, Locale.ROOT));
    assertThat(cutOffset(codec, list)).isPositive();
    assertThat(Arrays.compareUnsigned(list, bytes(codec, List.of(1L)))).isPositive();
    assertThat(Arrays.compareUnsigned(list, bytes(codec, List.of(2L)))).isNegative();
  }

  /// The planner takes an index without case for `lower(x) = ?` and `upper(x) = ?`.
  @Test
  void foldingJoinsWhatEitherCaseJoins() {
    for (int point = 0; point <= Character.MAX_CODE_POINT; point++) {
      if (Character.getType(point) != Character.SURROGATE) {
        String text = "a" + Character.toString(point) + "b";
        String folded = CaseFolding.fold(text);
        assertThat(CaseFolding.fold(text.toLowerCase(Locale.ROOT))).isEqualTo(folded);
        assertThat(CaseFolding.fold(text.toUpperCase(Locale.ROOT))).isEqualTo(folded);
      }
    }
  }

  private static byte[] bytes(PartCodec codec, @Nullable Object normal) {
    var sink = new ByteSink();
    codec.write(normal, sink);
    return sink.toBytes();
  }
}
