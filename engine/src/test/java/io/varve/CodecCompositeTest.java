package io.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.lang.invoke.MethodHandles;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Codecs made of others: tuples, lists, optional values and records. Their bytes come in the order
/// of their parts, whatever bytes the parts have, and are pinned.
class CodecCompositeTest {
  private static final int RANDOM_COUNT = 1_000;

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  /// Of the bytes that an escape could confuse.
  private String text() {
    char[] alphabet = {0, 1, 0x7f, 0xff, 'a'};
    StringBuilder text = new StringBuilder();
    for (int length = random.nextInt(4); length > 0; length--) {
      text.append(alphabet[random.nextInt(alphabet.length)]);
    }
    return text.toString();
  }

  private int number() {
    return random.nextInt(-1, 2);
  }

  private static <T> List<T> several(Supplier<T> next) {
    List<T> values = new ArrayList<>();
    for (int count = 0; count < RANDOM_COUNT; count++) {
      values.add(next.get());
    }
    return values;
  }

  private <T> void require(Codec<T> codec, Supplier<T> next, Comparator<? super T> order) {
    CodecLaws.requireFaithfulAndOrdered(seed, codec, several(next), order);
  }

  @Test
  void tuplesOfTwoAreOrderedByTheirParts() {
    require(
        Codec.tuple(Codec.string(), Codec.string()),
        () -> new Tuple2<>(text(), text()),
        Comparator.<Tuple2<String, String>, String>comparing(Tuple2::first)
            .thenComparing(Tuple2::second));
  }

  @Test
  void tuplesOfMoreAreOrderedByTheirParts() {
    require(
        Codec.tuple(Codec.string(), Codec.int32(), Codec.string()),
        () -> new Tuple3<>(text(), number(), text()),
        Comparator.<Tuple3<String, Integer, String>, String>comparing(Tuple3::first)
            .thenComparing(Tuple3::second)
            .thenComparing(Tuple3::third));
    require(
        Codec.tuple(Codec.int32(), Codec.string(), Codec.string(), Codec.int32()),
        () -> new Tuple4<>(number(), text(), text(), number()),
        Comparator.<Tuple4<Integer, String, String, Integer>, Integer>comparing(Tuple4::first)
            .thenComparing(Tuple4::second)
            .thenComparing(Tuple4::third)
            .thenComparing(Tuple4::fourth));
    require(
        Codec.tuple(Codec.int32(), Codec.string(), Codec.string(), Codec.int32(), Codec.int32()),
        () -> new Tuple5<>(number(), text(), text(), number(), number()),
        Comparator.<Tuple5<Integer, String, String, Integer, Integer>, Integer>comparing(
                Tuple5::first)
            .thenComparing(Tuple5::second)
            .thenComparing(Tuple5::third)
            .thenComparing(Tuple5::fourth)
            .thenComparing(Tuple5::fifth));
  }

  /// A part that is a tuple is escaped once more.
  @Test
  void tuplesOfTuplesAreOrderedByTheirParts() {
    require(
        Codec.tuple(Codec.tuple(Codec.string(), Codec.string()), Codec.string()),
        () -> new Tuple2<>(new Tuple2<>(text(), text()), text()),
        Comparator.<Tuple2<Tuple2<String, String>, String>, String>comparing(t -> t.first().first())
            .thenComparing(t -> t.first().second())
            .thenComparing(Tuple2::second));
  }

  /// Ends of texts are looked for in several bytes at a time.
  @Test
  void textsOfAnyLengthMayHaveAnyByteAnywhere() {
    Codec<Tuple2<String, String>> codec = Codec.tuple(Codec.string(), Codec.string());
    for (int length = 0; length <= 20; length++) {
      for (int at = 0; at < length; at++) {
        for (char odd : new char[] {0, 1, 0x7f, 0x80, 0x100}) {
          String text = "\1".repeat(at) + odd + "\1".repeat(length - at - 1);
          var pair = new Tuple2<>(text, text);
          assertThat(codec.decode(codec.encode(pair))).isEqualTo(pair);
        }
      }
      var plain = new Tuple2<>("a".repeat(length), "");
      assertThat(codec.decode(codec.encode(plain))).isEqualTo(plain);
    }
  }

  @Test
  void listsAreOrderedByTheirElements() {
    require(
        Codec.list(Codec.string()),
        () -> several(this::text).subList(0, random.nextInt(4)),
        CodecCompositeTest::compareLists);
    require(
        Codec.list(Codec.int32()),
        () -> several(this::number).subList(0, random.nextInt(4)),
        CodecCompositeTest::compareLists);
  }

  private static <E extends Comparable<E>> int compareLists(List<E> left, List<E> right) {
    for (int index = 0; index < Math.min(left.size(), right.size()); index++) {
      int order = left.get(index).compareTo(right.get(index));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(left.size(), right.size());
  }

  @Test
  void listsThatWereReadDoNotChange() {
    List<String> read = Codec.list(Codec.string()).decode(new byte[2]);
    assertThat(read).containsExactly("");
    assertThatThrownBy(() -> read.add("b")).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void whatIsAbsentComesFirst() {
    require(
        Codec.optional(Codec.string()),
        () -> random.nextInt(4) == 0 ? Optional.empty() : Optional.of(text()),
        Comparator.comparing(value -> value.map(text -> "x" + text).orElse("")));
  }

  @Test
  void partsMayHaveAnOrderOfTheirOwn() {
    Codec<Integer> backwards =
        Codec.of(v -> Codec.int32().encode(~v), b -> ~Codec.int32().decode(b));
    require(
        Codec.tuple(backwards, Codec.list(backwards)),
        () -> new Tuple2<>(number(), List.of(number())),
        Comparator.<Tuple2<Integer, List<Integer>>, Integer>comparing(Tuple2::first)
            .thenComparing(tuple -> tuple.second().getFirst())
            .reversed());
  }

  @Test
  void bytesArePinned() {
    Codec<Tuple3<String, Integer, String>> tuple =
        Codec.tuple(Codec.string(), Codec.int32(), Codec.string());
    requireBytes(tuple, new Tuple3<>("a\0b", 1, "c\0"), "6100ff620000" + "80000001" + "6300");
    requireBytes(Codec.list(Codec.string()), List.of("", "a"), "0000" + "610000");
    requireBytes(Codec.list(Codec.bool()), List.of(true, false), "0100");
    requireBytes(Codec.optional(Codec.bool()), Optional.empty(), "00");
    requireBytes(Codec.optional(Codec.bool()), Optional.of(false), "0100");
    requireBytes(Codec.record(Old.class), new Old("a", 1), "02" + "610000" + "80000001");
    requireBytes(Codec.record(Nothing.class), new Nothing(), "00");
  }

  private static <T> void requireBytes(Codec<T> codec, T value, String hex) {
    assertThat(HexFormat.of().formatHex(codec.encode(value))).isEqualTo(hex);
    assertThat(codec.decode(HexFormat.of().parseHex(hex))).isEqualTo(value);
  }

  /// A name must not change the bytes of a tuple that it is part of. Its id alone states what the
  /// bytes look like, whatever module the codec is from.
  @Test
  void codecsOfOneIdHaveOneFormAsParts() {
    Codec<Integer> own = Codec.of(Codec.int32()::encode, Codec.int32()::decode);
    for (Codec<Integer> named : List.of(Codec.int32().named("stock"), own.named("stock"))) {
      requireBytes(
          Codec.tuple(named, named), new Tuple2<>(0, 1), "8000ff00ff00ff0000" + "80000001");
    }
    Codec<Integer> int32 = own.named("int32");
    requireBytes(Codec.tuple(int32, int32), new Tuple2<>(0, 1), "80000000" + "80000001");
  }

  @Test
  void namedCodecsSayTheirNames() {
    Codec<Integer> named = Codec.int32().named("stock");
    assertThat(named.comparator()).isNull();
    assertThat(named).hasToString("Codec[stock]");
    for (String id : List.of("", "x".repeat(201), "decimal,2", "a(b", "a)b(", "\ud800")) {
      assertThatIllegalArgumentException().isThrownBy(() -> Codec.int32().named(id));
    }
    Codec<?> list = Codec.list(Codec.int32().named("map(a,b)"));
    assertThat(list.reads(list.id())).isTrue();
    assertThat(Codec.tuple(named, list).reads("tuple(stock,list(map(a,b)))")).isTrue();
  }

  /// Each part once took an array for all that was left of the bytes.
  @Test
  void aLongListOfStringsTakesMemoryByItsLength() {
    Codec<List<String>> codec = Codec.list(Codec.string());
    List<String> strings = IntStream.range(0, 300_000).mapToObj(Integer::toString).toList();
    assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> assertThat(codec.decode(codec.encode(strings))).isEqualTo(strings));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "61",
        "6100",
        "610001",
        "6100fe",
        "610000",
        "610000800000",
        "610000800000ff00"
      })
  void malformedTuplesAreRefused(String hex) {
    Codec<Tuple2<String, Integer>> codec = Codec.tuple(Codec.string(), Codec.int32());
    requireRefused(codec, hex);
  }

  @Test
  void otherMalformedBytesAreRefused() {
    requireRefused(Codec.list(Codec.int32()), "8000000080");
    requireRefused(Codec.list(Codec.string()), "61000061");
    requireRefused(Codec.optional(Codec.bool()), "");
    requireRefused(Codec.optional(Codec.bool()), "0000");
    requireRefused(Codec.optional(Codec.bool()), "0200");
    requireRefused(Codec.record(Old.class), "");
    requireRefused(Codec.record(Old.class), "01" + "61");
    requireRefused(Codec.record(Old.class), "03" + "610000" + "80000001" + "00");
    requireRefused(Codec.record(Nothing.class), "0000");
  }

  private static void requireRefused(Codec<?> codec, String hex) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> codec.decode(HexFormat.of().parseHex(hex)))
        .withMessageStartingWith("not a value of this codec");
  }

  /// Each value has one form: other bytes would be another key for it.
  @Test
  void changedBytesAreAnotherValueOrRefused() {
    List<Codec<?>> codecs =
        List.of(
            Codec.tuple(Codec.string(), Codec.bigInteger(), Codec.bigDecimal()),
            Codec.list(Codec.bigInteger()),
            Codec.optional(Codec.list(Codec.string())),
            Codec.record(OldHolder.class));
    List<byte[]> bytes =
        List.of(
            codec(codecs.get(0))
                .encode(
                    new Tuple3<>("a\0", BigInteger.ONE.shiftLeft(1000), new BigDecimal("-9.90"))),
            codec(codecs.get(1)).encode(List.of(BigInteger.ZERO, BigInteger.valueOf(-300))),
            codec(codecs.get(2)).encode(Optional.of(List.of("", "b"))),
            codec(codecs.get(3)).encode(new OldHolder(new Old("", 1), List.of(new Old("x", 2)))));
    int read = 0;
    for (int index = 0; index < codecs.size(); index++) {
      for (int count = 0; count < 5_000; count++) {
        byte[] changed = changed(bytes.get(index));
        Object value;
        try {
          value = codecs.get(index).decode(changed);
        } catch (IllegalArgumentException e) {
          continue;
        }
        read++;
        assertThat(codec(codecs.get(index)).encode(value)).as("seed=%d", seed).isEqualTo(changed);
      }
    }
    assertThat(read).isPositive();
  }

  @SuppressWarnings("unchecked") // values are of their codec
  private static Codec<Object> codec(Codec<?> codec) {
    return (Codec<Object>) codec;
  }

  private byte[] changed(byte[] bytes) {
    byte[] changed = Arrays.copyOf(bytes, random.nextInt(bytes.length + 3));
    for (int count = random.nextInt(3); count > 0 && changed.length > 0; count--) {
      byte[] likely = {0, 1, 2, (byte) 0x80, (byte) 0xff, (byte) random.nextInt()};
      changed[random.nextInt(changed.length)] = likely[random.nextInt(likely.length)];
    }
    return changed;
  }

  private record Nothing() {}

  private record Old(String name, int born) {}

  private record Young(String name, int born, Optional<String> mail, long visits) {}

  @Test
  void recordsAreOrderedByTheirComponents() {
    require(
        Codec.record(Old.class),
        () -> new Old(text(), number()),
        Comparator.comparing(Old::name).thenComparing(Old::born));
  }

  private enum Suit {
    CLUBS,
    HEARTS
  }

  private record All(
      boolean yes,
      Integer one,
      long two,
      Double three,
      String text,
      UUID uuid,
      Instant instant,
      LocalDate date,
      LocalDateTime time,
      Duration duration,
      BigInteger integer,
      BigDecimal decimal,
      Suit suit,
      Old nested,
      List<Optional<Old>> list) {}

  @Test
  void componentsHaveACodecByTheirType() {
    All all =
        new All(
            true,
            1,
            2,
            3.0,
            "t",
            new UUID(1, 2),
            Instant.EPOCH,
            LocalDate.EPOCH,
            LocalDateTime.MIN,
            Duration.ZERO,
            BigInteger.TWO,
            BigDecimal.TEN,
            Suit.HEARTS,
            new Old("n", 1),
            List.of(Optional.of(new Old("m", 2)), Optional.empty()));
    Codec<All> codec = Codec.record(All.class);
    assertThat(codec.decode(codec.encode(all))).isEqualTo(all);
    assertThat(codec.id())
        .isEqualTo(
            "record(yes:bool,one:int32,two:int64,three:float64,text:string,uuid:uuid,"
                + "instant:instant,date:local-date,time:local-date-time,duration:duration,"
                + "integer:big-integer,decimal:big-decimal,suit:enum:Suit,"
                + "nested:record(name:string,born:int32),"
                + "list:list(optional(record(name:string,born:int32))))");
  }

  @Test
  void recordsReadWhatAnOlderVersionWrote() {
    byte[] old = Codec.record(Old.class).encode(new Old("Ada", 1815));
    Codec<Young> codec =
        Codec.record(Young.class).withDefault("mail", Optional.empty()).withDefault("visits", 7L);
    assertThat(codec.decode(old)).isEqualTo(new Young("Ada", 1815, Optional.empty(), 7));
    Young young = new Young("Ada", 1815, Optional.of("a@b"), 8);
    assertThat(codec.decode(codec.encode(young))).isEqualTo(young);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> Codec.record(Young.class).withDefault("mail", Optional.empty()).decode(old))
        .withMessageContaining("component visits");
  }

  private record OldHolder(Old first, List<Old> others) {}

  private record YoungHolder(Young first, List<Young> others) {}

  @Test
  void nestedRecordsReadWhatAnOlderVersionWrote() {
    Codec<OldHolder> old = Codec.record(OldHolder.class);
    Codec<Young> young =
        Codec.record(Young.class).withDefault("mail", Optional.empty()).withDefault("visits", 0L);
    Codec<YoungHolder> codec =
        Codec.record(YoungHolder.class).with("first", young).with("others", Codec.list(young));
    Old ada = new Old("Ada", 1815);
    YoungHolder read = codec.decode(old.encode(new OldHolder(ada, List.of(ada, ada))));
    assertThat(read.first().born()).isEqualTo(1815);
    assertThat(read.others()).hasSize(2);
    assertThat(codec.reads(old.id())).isTrue();
    assertThat(old.reads(codec.id())).isFalse();
  }

  @Test
  void versionsThatCanBeReadAreReported() {
    RecordCodec<Young> young = Codec.record(Young.class);
    Codec<Young> all = young.withDefault("mail", Optional.empty()).withDefault("visits", 0L);
    String old = Codec.record(Old.class).id();
    assertThat(all.reads(all.id())).isTrue();
    assertThat(all.reads(old)).isTrue();
    assertThat(young.reads(old)).isFalse();
    assertThat(young.withDefault("visits", 0L).reads(old)).isFalse();
    assertThat(Codec.list(all).reads("list(" + old + ")")).isTrue();
    assertThat(Codec.optional(all).reads("optional(" + old + ")")).isTrue();
    Codec<Tuple2<Integer, Young>> tuple = Codec.tuple(Codec.int32(), all);
    assertThat(tuple.reads("tuple(int32," + old + ")")).isTrue();
    for (String other :
        List.of(
            "string",
            "record(name:string)x",
            "record(born:int32,name:string)",
            "record()",
            "tuple(string,int32)",
            "record(name:string,born:int64)",
            "record(",
            "record(name)")) {
      assertThat(all.reads(other)).as(other).isFalse();
    }
    assertThat(tuple.reads("tuple(int32)")).isFalse();
    assertThat(Codec.record(Nothing.class).reads("record()")).isTrue();
  }

  @Test
  void whatHasAPartWithoutIdHasNone() {
    Codec<Integer> unnamed = Codec.of(Codec.int32()::encode, Codec.int32()::decode);
    assertThat(unnamed.id()).isEmpty();
    assertThat(Codec.tuple(Codec.int32(), unnamed).id()).isEmpty();
    assertThat(Codec.list(unnamed).id()).isEmpty();
    assertThat(Codec.record(Old.class).with("born", unnamed).id()).isEmpty();
    assertThat(Codec.record(Old.class).with("born", unnamed.named("year")).id())
        .isEqualTo("record(name:string,born:year)");
  }

  private record Foreign(String name, Locale locale, Map<String, String> more) {}

  @Test
  void otherTypesAreGivenACodec() {
    RecordCodec<Foreign> plain = Codec.record(Foreign.class);
    Foreign value = new Foreign("a", Locale.ITALY, Map.of());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plain.encode(value))
        .withMessageContaining("component=locale")
        .withMessageContaining("with(component, codec)");
    Codec<Locale> locales =
        Codec.of(
            l -> Codec.string().encode(l.toLanguageTag()),
            b -> Locale.forLanguageTag(Codec.string().decode(b)));
    Codec<Map<String, String>> nothing = Codec.of(_ -> new byte[0], _ -> Map.of());
    Codec<Foreign> codec = plain.with("locale", locales).with("more", nothing);
    assertThat(codec.decode(codec.encode(value))).isEqualTo(value);
  }

  private record Chain(int value, Optional<Chain> next) {}

  @Test
  void recordsThatHoldThemselvesNeedACodecForThat() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Codec.record(Chain.class).encode(new Chain(1, Optional.empty())))
        .withMessageContaining("component=next");
  }

  @Test
  void nullIsRefusedByTheNameOfTheComponent() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Codec.record(Old.class).encode(new Old(null, 1)))
        .withMessageContaining("component=name");
  }

  @Test
  void changesOfComponentsAreChecked() {
    RecordCodec<Old> codec = Codec.record(Old.class);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> codec.with("age", Codec.int32()))
        .withMessageContaining("component=age");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> codec.withDefault("born", "1815"))
        .withMessageContaining("expected=java.lang.Integer");
  }

  private record Positive(int value) {
    Positive {
      if (value <= 0) {
        throw new IllegalStateException("not positive");
      }
    }
  }

  @Test
  void bytesThatTheConstructorRefusesAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> Codec.record(Positive.class).decode(HexFormat.of().parseHex("0180000000")))
        .withMessageContaining("constructor refuses")
        .withCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void lookupsReachWhatTheyMay() {
    Codec<Old> codec = Codec.record(Old.class, MethodHandles.lookup());
    Old value = new Old("a", 1);
    assertThat(codec.decode(codec.encode(value))).isEqualTo(value);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Codec.record(Old.class, MethodHandles.publicLookup()))
        .withMessageContaining("MethodHandles.lookup()");
  }
}
