package io.varve.item;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/// The order of items and of their bytes is that of their components, each type by a comparator of
/// the JDK; and what is put in comes out.
class ItemOrderTest {
  private static final int TRIES = 400;

  private static <T> void requireOrdered(
      T left, T right, Comparator<? super T> order, Function<T, Item> item) {
    int expected = Integer.signum(order.compare(left, right));
    // With something after it, which must not take part unless both are equal.
    Item low = item.apply(left).toBuilder().int64(1).build();
    Item high = item.apply(right).toBuilder().int64(0).build();
    assertThat(Integer.signum(item.apply(left).compareTo(item.apply(right)))).isEqualTo(expected);
    assertThat(Integer.signum(low.compareTo(high))).isEqualTo(expected == 0 ? 1 : expected);
    assertThat(Integer.signum(Arrays.compareUnsigned(low.toBytes(), high.toBytes())))
        .isEqualTo(expected == 0 ? 1 : expected);
  }

  @Provide
  Arbitrary<Long> longs() {
    return Arbitraries.oneOf(
        Arbitraries.longs(),
        Arbitraries.longs().between(-70_000, 70_000),
        Arbitraries.integers().between(0, 63).map(bit -> 1L << bit),
        Arbitraries.integers().between(0, 63).map(bit -> -1L << bit));
  }

  @Property(tries = TRIES)
  void longsAreInOrder(@ForAll("longs") long left, @ForAll("longs") long right) {
    requireOrdered(left, right, Comparator.naturalOrder(), Item::of);
    assertThat(Item.of(left).longAt(0)).isEqualTo(left);
  }

  @Property(tries = TRIES)
  void indexesAndNumbersAreInOrder(@ForAll("longs") long left, @ForAll("longs") long right) {
    long low = left & Long.MAX_VALUE;
    long high = right & Long.MAX_VALUE;
    requireOrdered(
        low, high, Comparator.naturalOrder(), value -> Item.builder().index(value).build());
    requireOrdered(
        new EntityClass(low), new EntityClass(high), Comparator.naturalOrder(), Item::of);
    requireOrdered(new Attribute(low), new Attribute(high), Comparator.naturalOrder(), Item::of);
    assertThat(Item.builder().index(low).build().indexAt(0)).isEqualTo(low);
    assertThat(Item.of(new EntityClass(low)).entityClassAt(0)).isEqualTo(low);
    assertThat(Item.of(new Attribute(low)).attributeAt(0)).isEqualTo(low);
  }

  @Provide
  Arbitrary<Double> doubles() {
    return Arbitraries.oneOf(
        Arbitraries.longs().map(Double::longBitsToDouble), // also infinite ones and NaN
        Arbitraries.of(0.0, -0.0, Double.NaN, 1.0, -1.0, Double.MIN_VALUE, -Double.MIN_VALUE),
        Arbitraries.of(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, Double.MAX_VALUE));
  }

  @Property(tries = TRIES)
  void doublesAreInOrder(@ForAll("doubles") double left, @ForAll("doubles") double right) {
    requireOrdered(left, right, Double::compare, Item::of);
    assertThat((Double) Item.of(left).doubleAt(0)).isEqualTo((Double) left);
    float low = (float) left;
    float high = (float) right;
    requireOrdered(low, high, Float::compare, Item::of);
    assertThat((Float) Item.of(low).floatAt(0)).isEqualTo((Float) low);
  }

  @Provide
  Arbitrary<String> texts() {
    Arbitrary<Character> chars =
        Arbitraries.oneOf(
            Arbitraries.chars().all(),
            Arbitraries.of('\0', '\1', '\2', 'a', '\u007f', '\u0080', '\u07ff', '\u0800'),
            Arbitraries.of('\ud800', '\udbff', '\udc00', '\udfff', '\ue000', '\uffff'));
    return chars.array(char[].class).ofMaxSize(6).map(String::new);
  }

  @Property(tries = TRIES)
  void stringsOfAnyCharsAreInTheOrderOfChars(
      @ForAll("texts") String left, @ForAll("texts") String right) {
    requireOrdered(left, right, Comparator.naturalOrder(), Item::of);
    requireOrdered(
        left.toCharArray(), right.toCharArray(), Arrays::compare, chars -> Item.of(chars));
    assertThat(Item.of(left).stringAt(0)).isEqualTo(left);
    assertThat(Item.of((Object) left.toCharArray()).charsAt(0)).isEqualTo(left.toCharArray());
    char[] chars = new char[4];
    assertThat(Item.of(left).readCharsAt(0, chars)).isEqualTo(left.length());
    assertThat(new String(chars)).startsWith(left.substring(0, Math.min(4, left.length())));
  }

  @Provide
  Arbitrary<byte[]> arrays() {
    Arbitrary<Byte> bytes =
        Arbitraries.oneOf(
            Arbitraries.bytes(), Arbitraries.of((byte) 0, (byte) 1, (byte) 2, (byte) -1));
    return bytes.array(byte[].class).ofMaxSize(6);
  }

  @Property(tries = TRIES)
  void bytesAreInUnsignedOrder(@ForAll("arrays") byte[] left, @ForAll("arrays") byte[] right) {
    requireOrdered(left, right, Arrays::compareUnsigned, bytes -> Item.of(bytes));
    assertThat(Item.of(left).bytesAt(0)).isEqualTo(left);
    byte[] target = new byte[3];
    assertThat(Item.of(left).readBytesAt(0, target)).isEqualTo(left.length);
  }

  @Provide
  Arbitrary<Instant> instants() {
    Arbitrary<Integer> nanos =
        Arbitraries.oneOf(
            Arbitraries.integers().between(0, 999_999_999),
            Arbitraries.integers().between(0, 999).map(millis -> millis * 1_000_000),
            Arbitraries.of(0, 1, 999_999, 1_000_000, 1_000_001));
    Arbitrary<Long> seconds =
        Arbitraries.oneOf(
            Arbitraries.longs().between(-3, 3),
            Arbitraries.longs()
                .between(Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond()));
    return seconds.flatMap(second -> nanos.map(nano -> Instant.ofEpochSecond(second, nano)));
  }

  @Property(tries = TRIES)
  void instantsAreInOrder(@ForAll("instants") Instant left, @ForAll("instants") Instant right) {
    requireOrdered(left, right, Comparator.naturalOrder(), Item::of);
    assertThat(Item.of(left).instantAt(0)).isEqualTo(left);
  }

  @Property(tries = TRIES)
  void uuidsAreInTheOrderOfTheirTexts(
      @ForAll("longs") long high, @ForAll("longs") long low, @ForAll("longs") long other) {
    UUID left = new UUID(high, low);
    UUID right = new UUID(other, low ^ other);
    requireOrdered(left, right, Comparator.comparing(UUID::toString), Item::of);
    requireOrdered(left, left, Comparator.comparing(UUID::toString), Item::of);
    assertThat(Item.of(left).uuidAt(0)).isEqualTo(left);
  }

  @Provide
  Arbitrary<Object> components() {
    return Arbitraries.oneOf(
        longs().map(value -> (Object) value),
        longs().map(value -> new EntityClass(value & Long.MAX_VALUE)),
        longs().map(value -> new Attribute(value & Long.MAX_VALUE)),
        texts().map(value -> (Object) value),
        doubles().map(value -> (Object) value),
        instants().map(value -> (Object) value),
        arrays().map(value -> (Object) value),
        Arbitraries.of(true, false).map(value -> (Object) value));
  }

  @Property(tries = TRIES)
  void tuplesCompareByTheirFirstDifference(
      @ForAll("components") Object a,
      @ForAll("components") Object b,
      @ForAll("components") Object c) {
    Item whole = Item.of(a, b);
    assertThat(whole.size()).isEqualTo(2);
    assertThat(whole.type(0)).isEqualTo(Item.of(a).type(0));
    assertThat(whole.prefix(1)).isEqualTo(Item.of(a)).isLessThan(whole);
    assertThat(whole.suffix(1)).isEqualTo(Item.of(b));
    assertThat(whole.startsWith(Item.of(a))).isTrue();
    assertThat(Item.of(a, c).startsWith(whole)).isEqualTo(Item.of(b).equals(Item.of(c)));
    int typeOrder = Item.of(a).type(0).compareTo(Item.of(b).type(0));
    if (typeOrder != 0) {
      assertThat(Integer.signum(Item.of(a).compareTo(Item.of(b))))
          .isEqualTo(Integer.signum(typeOrder));
    }
    assertThat(Item.of(a, c).compareTo(Item.of(b, c)))
        .matches(
            order -> Integer.signum(order) == Integer.signum(Item.of(a).compareTo(Item.of(b))));
  }

  /// Files hold these bytes: they may not change.
  @Test
  void bytesStayAsTheyAre() {
    Item item =
        Item.builder()
            .entityClass(new EntityClass(10))
            .attribute(new Attribute(300))
            .string("a\0é\ud800")
            .int64(0)
            .int64(-2)
            .float64(-0.0)
            .float32(1.5f)
            .bool(true)
            .instant(Instant.ofEpochSecond(-1, 999_000_001))
            .bytes(new byte[] {0, 1, 2})
            .chars("x")
            .index(256)
            .uuid(new UUID(1, 2))
            .build();
    assertThat(item.toBytes())
        .asHexString()
        .isEqualTo(
            "090A" // entity class 10
                + "1A012C" // attribute 300
                + "24610101C3A9EDA08000" // string
                + "39" // 0
                + "37FE" // -2
                + "487FFFFFFFFFFFFFFF" // -0.0
                + "4CBFC00000" // 1.5f
                + "51" // true
                + "6007CF000001" // instant
                + "70010101020200" // bytes
                + "747800" // chars
                + "7A0100" // index 256
                + "8800000000000000010000000000000002"); // UUID
    assertThat(item)
        .hasToString(
            "(EntityClass-10, Attribute-300, \"a\0é\ud800\", 0, -2, -0.0, 1.5, true,"
                + " 1969-12-31T23:59:59.999000001Z, 0x000102, 'x', [256],"
                + " 00000000-0000-0001-0000-000000000002)");
    assertThat(Item.of(1_000_000L).toBytes()).hasSize(4);
    assertThat(Item.of(Instant.ofEpochMilli(1_700_000_000_123L)).toBytes()).hasSize(7);
  }

  @Test
  void tooLongItemsAreRefusedWithTheirLength() {
    assertThatThrownBy(() -> Item.of("x".repeat(5000)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("itemBytes=5002");
    assertThat(Item.of("x".repeat(Item.BYTES_MAX - 2)).byteLength()).isEqualTo(Item.BYTES_MAX);
  }

  @Test
  void gettersAreForOneTypeEach() {
    Item item = Item.of("text", 1L);
    assertThatThrownBy(() -> item.longAt(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("expected=LONG, found=STRING");
    assertThatThrownBy(() -> item.longAt(2)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> item.longAt(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> Item.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Item.builder().index(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new EntityClass(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(Item.of("text", 1, new char[] {'c'}).at(1)).isEqualTo(1L);
  }
}
