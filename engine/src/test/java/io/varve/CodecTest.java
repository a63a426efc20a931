package io.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The codecs whose order counts: what is read is what was written, bytes come in the order that
/// the codec declares, and the bytes are pinned, for stores outlive programs.
class CodecTest {
  private static final int RANDOM_COUNT = 2_000;

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  @Test
  void int32KeepsOrder() {
    List<Integer> values = edges(Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE);
    requireFaithfulAndOrdered(Codec.int32(), withRandom(values, Random::nextInt), Integer::compare);
    assertThat(Codec.int32().comparator()).isNull();
  }

  @Test
  void int64KeepsOrder() {
    List<Long> values = edges(Long.MIN_VALUE, -1L, 0L, 1L, 1L << 32, Long.MAX_VALUE);
    requireFaithfulAndOrdered(Codec.int64(), withRandom(values, Random::nextLong), Long::compare);
    assertThat(Codec.int64().comparator()).isNull();
  }

  /// Guards against the two numbers that equal by `==` what they are not, and that no `<` orders.
  @Test
  void float64KeepsOrderOfZerosInfinitiesAndNaN() {
    List<Double> values =
        edges(
            Double.NEGATIVE_INFINITY,
            -Double.MAX_VALUE,
            -1.0,
            -Double.MIN_NORMAL,
            -Double.MIN_VALUE,
            -0.0,
            0.0,
            Double.MIN_VALUE,
            1.0,
            Double.MAX_VALUE,
            Double.POSITIVE_INFINITY,
            Double.NaN);
    requireFaithfulAndOrdered(
        Codec.float64(),
        withRandom(values, source -> Double.longBitsToDouble(source.nextLong())),
        Double::compare);
    assertThat(Codec.float64().comparator()).isNull();
  }

  @Test
  void float64HasOneNaN() {
    double other = Double.longBitsToDouble(0xfff8_0000_0000_0001L);
    assertThat(Codec.float64().encode(other)).isEqualTo(Codec.float64().encode(Double.NaN));
  }

  @Test
  void boolKeepsOrder() {
    requireFaithfulAndOrdered(Codec.bool(), List.of(false, true), Boolean::compare);
    assertThat(Codec.bool().comparator()).isNull();
  }

  @Test
  void instantKeepsOrderBefore1970() {
    List<Instant> values =
        edges(
            Instant.MIN,
            Instant.EPOCH.minusNanos(1),
            Instant.EPOCH,
            Instant.EPOCH.plusNanos(1),
            Instant.ofEpochSecond(-1),
            Instant.MAX);
    requireFaithfulAndOrdered(
        Codec.instant(),
        withRandom(
            values,
            source ->
                Instant.ofEpochSecond(
                    source.nextLong(Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond() + 1),
                    source.nextInt(1_000_000_000))),
        Comparator.naturalOrder());
    assertThat(Codec.instant().comparator()).isNull();
  }

  @Test
  void localDateKeepsOrderOfYearsBeforeZero() {
    List<LocalDate> values =
        edges(LocalDate.MIN, LocalDate.of(-1, 12, 31), LocalDate.of(0, 1, 1), LocalDate.MAX);
    requireFaithfulAndOrdered(
        Codec.localDate(), withRandom(values, CodecTest::randomDate), Comparator.naturalOrder());
    assertThat(Codec.localDate().comparator()).isNull();
  }

  private static LocalDate randomDate(Random source) {
    return LocalDate.ofEpochDay(
        source.nextBoolean()
            ? source.nextInt(-400, 400)
            : source.nextLong(LocalDate.MIN.toEpochDay(), LocalDate.MAX.toEpochDay()));
  }

  @Test
  void localDateTimeKeepsOrder() {
    List<LocalDateTime> values =
        edges(LocalDateTime.MIN, LocalDateTime.of(1969, 12, 31, 23, 59), LocalDateTime.MAX);
    requireFaithfulAndOrdered(
        Codec.localDateTime(),
        withRandom(
            values,
            source ->
                randomDate(source)
                    .atTime(LocalTime.ofNanoOfDay(source.nextLong(86_400_000_000_000L)))),
        Comparator.naturalOrder());
    assertThat(Codec.localDateTime().comparator()).isNull();
  }

  @Test
  void durationKeepsOrderBelowZero() {
    List<Duration> values =
        edges(
            Duration.ofSeconds(Long.MIN_VALUE),
            Duration.ofNanos(-1),
            Duration.ZERO,
            Duration.ofNanos(1),
            Duration.ofSeconds(Long.MAX_VALUE, 999_999_999));
    requireFaithfulAndOrdered(
        Codec.duration(),
        withRandom(values, source -> Duration.ofSeconds(source.nextInt(-3, 3), source.nextInt(3))),
        Comparator.naturalOrder());
    assertThat(Codec.duration().comparator()).isNull();
  }

  /// Around each length at which the form of the length changes.
  @Test
  void bigIntegerKeepsOrderOfLengths() {
    List<BigInteger> values = edges(BigInteger.ZERO, BigInteger.ONE, BigInteger.ONE.negate());
    for (int bytes : new int[] {1, 2, 122, 123, 124, 255, 256, 300}) {
      BigInteger power = BigInteger.ONE.shiftLeft(8 * bytes);
      for (BigInteger near : List.of(power.subtract(BigInteger.ONE), power)) {
        values.add(near);
        values.add(near.negate());
      }
    }
    requireFaithfulAndOrdered(
        Codec.bigInteger(),
        withRandom(
            values,
            source -> {
              BigInteger value = new BigInteger(source.nextInt(1, 80), source);
              return source.nextBoolean() ? value : value.negate();
            }),
        Comparator.naturalOrder());
    assertThat(Codec.bigInteger().comparator()).isNull();
  }

  /// Guards against numbers that are equal by value and not by `equals`.
  @Test
  void bigDecimalIsOrderedByValueAndThenByScale() {
    List<BigDecimal> values = edges(BigDecimal.ZERO);
    for (String text :
        List.of(
            "0.0",
            "0E5",
            "2",
            "2.0",
            "2.00",
            "-2",
            "-2.0",
            "20",
            "2E1",
            "0.19",
            "0.2",
            "-0.19",
            "-0.2",
            "1E-2147483647",
            "-1E-2147483647",
            "9.99E+2147483647",
            "123",
            "1230",
            "12.3",
            "99999999999999999999.5",
            "100000000000000000000")) {
      values.add(new BigDecimal(text));
    }
    requireFaithfulAndOrdered(
        Codec.bigDecimal(),
        withRandom(
            values,
            source -> {
              BigInteger unscaled = new BigInteger(source.nextInt(1, 40), source);
              BigDecimal value = new BigDecimal(unscaled, source.nextInt(-6, 7));
              return source.nextBoolean() ? value : value.negate();
            }),
        Comparator.<BigDecimal>naturalOrder().thenComparing(BigDecimal::scale));
  }

  /// Few bytes that stand for a number of two billion digits would be a way to exhaust the heap.
  @Test
  void bigDecimalOfTooManyDigitsIsRefused() {
    BigDecimal longest = BigDecimal.TEN.pow(99_999);
    assertThat(Codec.bigDecimal().decode(Codec.bigDecimal().encode(longest))).isEqualTo(longest);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Codec.bigDecimal().encode(longest.multiply(BigDecimal.TEN)))
        .withMessageContaining("digitsMax=100000");
    requireRefused(Codec.bigDecimal(), "03" + "ff00000000" + "0b00" + "00000001");
  }

  private enum Fruit {
    PEAR,
    APPLE,
    APPLES,
    $QUINCE
  }

  @Test
  void enumIsOrderedByName() {
    requireFaithfulAndOrdered(
        Codec.enumOf(Fruit.class), List.of(Fruit.values()), Comparator.comparing(Fruit::name));
    requireBytes(Codec.enumOf(Fruit.class), Fruit.PEAR, "50454152");
    requireRefused(Codec.enumOf(Fruit.class), "504541");
  }

  /// Unsigned, and so another order than that of `UUID.compareTo`.
  @Test
  void uuidIsOrderedByItsText() {
    List<UUID> values = edges(new UUID(0, 0), new UUID(-1, -1), new UUID(1, -1), new UUID(-1, 1));
    requireFaithfulAndOrdered(
        Codec.uuid(),
        withRandom(values, source -> new UUID(source.nextLong(), source.nextLong())),
        Comparator.comparing(UUID::toString));
  }

  @Test
  void stringIsOrderedByCodePoint() {
    List<String> values =
        edges("", "\u0000", "a", "a\u0000", "ab", "é", "\ud7ff", "\ue000", "\uffff", "\ufffd");
    values.add("\ud800\udc00");
    values.add("\udbff\udfff");
    values.add("a\ud83d\ude00b");
    requireFaithfulAndOrdered(
        Codec.string(),
        withRandom(values, CodecTest::randomString),
        (left, right) -> Arrays.compare(left.codePoints().toArray(), right.codePoints().toArray()));
  }

  /// Few different characters, so that strings share prefixes and surrogates meet other characters.
  private static String randomString(Random source) {
    int[] alphabet = {0, 'a', 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff};
    var text = new StringBuilder();
    for (int length = source.nextInt(6); length > 0; length--) {
      text.appendCodePoint(alphabet[source.nextInt(alphabet.length)]);
    }
    return text.toString();
  }

  @Test
  void bytesAreOrderedUnsigned() {
    Codec<byte[]> codec = Codec.bytes();
    byte[] low = {0x7f};
    byte[] high = {(byte) 0x80};
    assertThat(codec.comparator().compare(low, high)).isNegative();
    assertThat(codec.decode(codec.encode(high))).isEqualTo(high);
  }

  /// A codec that handed on the caller's array would let a key change where it is kept.
  @Test
  void bytesAreCopied() {
    byte[] value = {1, 2};
    assertThat(Codec.bytes().encode(value)).isNotSameAs(value);
    assertThat(Codec.bytes().decode(value)).isNotSameAs(value);
  }

  @Test
  void functionsMakeACodecInTheOrderOfTheirBytes() {
    Codec<Integer> negated = Codec.of(v -> Codec.int32().encode(~v), b -> ~Codec.int32().decode(b));
    requireFaithfulAndOrdered(
        negated, withRandom(edges(0), Random::nextInt), Comparator.reverseOrder());
  }

  @Test
  void bytesArePinned() {
    requireBytes(Codec.int32(), -2, "7ffffffe");
    requireBytes(Codec.int64(), 1L, "8000000000000001");
    requireBytes(Codec.float64(), 1.0, "bff0000000000000");
    requireBytes(Codec.float64(), -1.0, "400fffffffffffff");
    requireBytes(Codec.float64(), Double.NaN, "fff8000000000000");
    requireBytes(Codec.float64(), -0.0, "7fffffffffffffff");
    requireBytes(Codec.bool(), true, "01");
    requireBytes(
        Codec.uuid(),
        UUID.fromString("f81d4fae-7dec-11d0-a765-00a0c91e6bf6"),
        "f81d4fae7dec11d0a76500a0c91e6bf6");
    requireBytes(Codec.instant(), Instant.ofEpochSecond(-1, 5), "7fffffffffffffff00000005");
    requireBytes(Codec.string(), "aé\ud83d\ude00", "61c3a9f09f9880");
    requireBytes(Codec.localDate(), LocalDate.of(2026, 11, 23), "800007ea0b17");
    requireBytes(
        Codec.localDateTime(), LocalDateTime.of(-1, 1, 2, 0, 0, 1), "7fffffff0102000000003b9aca00");
    requireBytes(Codec.duration(), Duration.ofNanos(-1), "7fffffffffffffff3b9ac9ff");
    requireBytes(Codec.bigInteger(), BigInteger.ZERO, "80");
    requireBytes(Codec.bigInteger(), BigInteger.valueOf(256), "820100");
    requireBytes(Codec.bigInteger(), BigInteger.valueOf(-256), "7dfeff");
    requireBytes(
        Codec.bigInteger(), BigInteger.ONE.shiftLeft(8 * 123), "fc7c01" + "00".repeat(123));
    requireBytes(
        Codec.bigDecimal(), new BigDecimal("12.50"), "038000000002" + "0d3300" + "80000002");
    requireBytes(
        Codec.bigDecimal(), new BigDecimal("-12.5"), "017ffffffffd" + "f2ccff" + "80000001");
    requireBytes(Codec.bigDecimal(), new BigDecimal("0E+3"), "027ffffffd");
  }

  private static <T> void requireBytes(Codec<T> codec, T value, String hex) {
    assertThat(HexFormat.of().formatHex(codec.encode(value))).isEqualTo(hex);
    assertThat(codec.decode(HexFormat.of().parseHex(hex))).isEqualTo(value);
  }

  /// Replaced by `?`, two different keys would become one.
  @ParameterizedTest
  @CsvSource({"\ud800, 0", "a\udc00, 1", "\ud83dx, 0", "a\ud83d\ud83d\ude00, 1", "\ude00\ud83d, 0"})
  void unpairedSurrogateIsRefused(String value, int index) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Codec.string().encode(value))
        .withMessageContaining("index=" + index + ", chars=" + value.length());
  }

  /// Overlong forms and encoded surrogates too: each string has one form.
  @ParameterizedTest
  @CsvSource({"80, 0", "61c3, 1", "c080, 0", "eda080, 0", "61f08080, 1", "f4908080, 0", "ff, 0"})
  void malformedUtf8IsRefused(String hex, int offset) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Codec.string().decode(HexFormat.of().parseHex(hex)))
        .withMessageContaining("offset=" + offset)
        .withMessageContaining("bytes=" + hex.length() / 2);
  }

  @Test
  void replacementCharacterIsACharacter() {
    requireBytes(Codec.string(), "\ufffd", "efbfbd");
  }

  @Test
  void otherLengthsAreRefused() {
    requireLength(Codec.int32(), "int32", 4);
    requireLength(Codec.int64(), "int64", 8);
    requireLength(Codec.float64(), "float64", 8);
    requireLength(Codec.bool(), "bool", 1);
    requireLength(Codec.uuid(), "uuid", 16);
    requireLength(Codec.instant(), "instant", 12);
    requireLength(Codec.localDate(), "local-date", 6);
    requireLength(Codec.localDateTime(), "local-date-time", 14);
    requireLength(Codec.duration(), "duration", 12);
  }

  private static void requireLength(Codec<?> codec, String name, int length) {
    for (int other : new int[] {0, length - 1, length + 1, 100}) {
      if (other != length) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> codec.decode(new byte[other]))
            .withMessageContaining("codec=" + name)
            .withMessageContaining("expected=" + length)
            .withMessageContaining("found=" + other);
      }
    }
  }

  @Test
  void bytesThatNoValueHasAreRefused() {
    requireRefused(Codec.bool(), "02");
    requireRefused(Codec.float64(), "fff8000000000001");
    requireRefused(Codec.instant(), "80000000000000003b9aca00");
    requireRefused(Codec.instant(), "8000000000000000ffffffff");
    requireRefused(Codec.instant(), "ffffffffffffffff00000000");
    requireRefused(Codec.instant(), "000000000000000000000000");
    requireRefused(Codec.localDate(), "800007ea021e");
    requireRefused(Codec.localDate(), "800007ea0b00");
    requireRefused(Codec.localDate(), "ffffffff0101");
    requireRefused(Codec.localDateTime(), "800007ea0b17ffffffffffffffff");
    requireRefused(Codec.duration(), "80000000000000003b9aca00");
    for (String integer : List.of("", "8000", "7f", "81", "8100", "820001", "7eff", "fc", "fc7b")) {
      requireRefused(Codec.bigInteger(), integer);
    }
    requireRefused(Codec.bigInteger(), "ff7fffffff01");
    requireRefused(Codec.bigInteger(), "ffffffffff01");
    for (String decimal : List.of("", "02", "0280000000ff", "0480000000020d0080000000")) {
      requireRefused(Codec.bigDecimal(), decimal);
    }
    requireRefused(Codec.bigDecimal(), "038000000002" + "0d33" + "80000002");
    requireRefused(Codec.bigDecimal(), "038000000002" + "0d0100" + "80000002");
    requireRefused(Codec.bigDecimal(), "038000000002" + "050d00" + "80000002");
    requireRefused(Codec.bigDecimal(), "038000000001" + "0d3300" + "80000000");
  }

  private static void requireRefused(Codec<?> codec, String hex) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> codec.decode(HexFormat.of().parseHex(hex)))
        .withMessageStartingWith("not a value of this codec");
  }

  @SafeVarargs
  private static <T> List<T> edges(T... values) {
    List<T> list = new ArrayList<>();
    for (T value : values) {
      list.add(value);
    }
    return list;
  }

  private <T> List<T> withRandom(List<T> edges, Function<Random, T> next) {
    for (int count = 0; count < RANDOM_COUNT; count++) {
      edges.add(next.apply(random));
    }
    return edges;
  }

  private <T> void requireFaithfulAndOrdered(
      Codec<T> codec, List<T> values, Comparator<? super T> expected) {
    CodecLaws.requireFaithfulAndOrdered(seed, codec, values, expected);
  }
}
