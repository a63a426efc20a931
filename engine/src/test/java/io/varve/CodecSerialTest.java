package io.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Period;
import java.time.ZonedDateTime;
import java.time.chrono.JapaneseDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Codecs by Java serialization: they read what they write, and nothing that was not meant.
class CodecSerialTest {
  record Session(String user, Instant start, List<String> tags, int[] counts)
      implements Serializable {}

  record Box(Serializable content) implements Serializable {}

  static class Base implements Serializable {
    final int number;

    Base(int number) {
      this.number = number;
    }
  }

  static final class Derived extends Base {
    Derived(int number) {
      super(number);
    }
  }

  enum Color {
    RED,
    GREEN {
      @Override
      boolean isGreen() {
        return true;
      }
    };

    boolean isGreen() {
      return false;
    }
  }

  /// Shows whether its code ran: that of a class that is not allowed must not.
  static final class Gadget implements Serializable {
    static final AtomicBoolean RAN = new AtomicBoolean();

    private void readObject(java.io.ObjectInputStream input) {
      RAN.set(true);
    }
  }

  @Test
  void recordIsReadAsWritten() {
    Codec<Session> codec = Codec.of(Session.class);
    var session = new Session("u", Instant.EPOCH, List.of("a", "b", "c"), new int[] {1, 2});
    Session read = codec.decode(codec.encode(session));
    assertThat(read).usingRecursiveComparison().isEqualTo(session);
  }

  static Stream<Serializable> valuesOfTheJdk() {
    return Stream.of(
        true,
        (byte) 1,
        'c',
        (short) 2,
        3,
        4L,
        5f,
        6d,
        "text",
        new BigInteger("123456789012345678901234567890"),
        new BigDecimal("1.50"),
        UUID.randomUUID(),
        URI.create("http://localhost/"),
        new Date(5),
        Locale.CANADA_FRENCH,
        Currency.getInstance("EUR"),
        BitSet.valueOf(new long[] {5}),
        Instant.now(),
        Duration.ofDays(1),
        LocalDate.EPOCH,
        Period.ofMonths(3),
        DayOfWeek.FRIDAY,
        ZonedDateTime.parse("2020-01-01T00:00:00+01:00[Europe/Paris]"),
        JapaneseDate.of(2020, 1, 1),
        new ArrayList<>(List.of(1, "a")),
        new LinkedList<>(List.of(1)),
        new HashMap<>(Map.of("k", 1)),
        new LinkedHashMap<>(Map.of("k", 1)),
        new TreeMap<>(Map.of("k", 1)),
        new TreeSet<>(Set.of("z")),
        reversed(),
        new HashSet<>(Set.of("z")),
        new LinkedHashSet<>(Set.of("z")),
        new HashSet<>(1 << 4, 0.25f),
        new EnumMap<>(Map.of(DayOfWeek.MONDAY, 1)),
        (Serializable) EnumSet.of(DayOfWeek.MONDAY),
        (Serializable) List.of(),
        (Serializable) List.of(1),
        (Serializable) Set.of(1, 2, 3),
        (Serializable) Map.of("a", 1, "b", 2),
        (Serializable) Stream.of(1, 2).toList(),
        (Serializable) Arrays.asList(1, 2),
        (Serializable) Collections.emptyList(),
        (Serializable) Collections.emptyMap(),
        (Serializable) Collections.emptySet(),
        (Serializable) Collections.singletonList(1),
        (Serializable) Collections.singletonMap("k", 1),
        (Serializable) Collections.singleton(1),
        (Serializable) Collections.unmodifiableList(new ArrayList<>(List.of(1))),
        (Serializable) Collections.unmodifiableList(new LinkedList<>(List.of(1))),
        (Serializable) Collections.unmodifiableMap(new HashMap<>(Map.of(1, 2))),
        (Serializable) Collections.unmodifiableSequencedMap(new LinkedHashMap<>(Map.of(1, 2))),
        (Serializable) Collections.unmodifiableSet(new HashSet<>(Set.of(1))),
        (Serializable) Collections.unmodifiableSequencedSet(new LinkedHashSet<>(Set.of(1))));
  }

  private static TreeMap<String, Integer> reversed() {
    var map = new TreeMap<String, Integer>(Comparator.reverseOrder());
    map.putAll(Map.of("a", 1, "b", 2));
    return map;
  }

  @ParameterizedTest
  @MethodSource("valuesOfTheJdk")
  void valuesOfTheJdkAreAllowed(Serializable value) {
    Codec<Box> codec = Codec.of(Box.class);
    assertThat(codec.decode(codec.encode(new Box(value)))).isEqualTo(new Box(value));
  }

  @Test
  void arraysAreAllowedByTheirElements() {
    Codec<Box> codec = Codec.of(Box.class, Base.class);
    Object[] read = (Object[]) roundTrip(codec, new Box(new Object[] {1, new int[][] {{2}}}));
    assertThat(Arrays.deepEquals(read, new Object[] {1, new int[][] {{2}}})).isTrue();
    Base[] bases = (Base[]) roundTrip(codec, new Box(new Base[] {new Base(7)}));
    assertThat(bases[0].number).isEqualTo(7);
    assertThat(Codec.of(Base[].class).decode(Codec.of(Base[].class).encode(bases))).hasSize(1);
  }

  private static Object roundTrip(Codec<Box> codec, Box box) {
    return codec.decode(codec.encode(box)).content();
  }

  @Test
  void arrayDequeIsAllowed() {
    var deque = new ArrayDeque<>(List.of(1, 2, 3));
    Object read = roundTrip(Codec.of(Box.class), new Box(deque));
    assertThat(read).isInstanceOf(ArrayDeque.class).hasToString(deque.toString());
  }

  @Test
  void superclassIsAllowedWithItsSubclass() {
    Codec<Derived> codec = Codec.of(Derived.class);
    assertThat(codec.decode(codec.encode(new Derived(5))).number).isEqualTo(5);
  }

  @Test
  void partsAreAllowedWhenListed() {
    Codec<Box> codec = Codec.of(Box.class, Color.class);
    assertThat(roundTrip(codec, new Box(Color.RED))).isEqualTo(Color.RED);
    assertThat(roundTrip(codec, new Box(Color.GREEN))).isEqualTo(Color.GREEN);
  }

  @Test
  void otherClassIsRefusedWhenWritten() {
    for (Serializable other :
        new Serializable[] {Color.RED, new Base(1), new Base[0], new Gadget(), url(), proxy()}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Codec.of(Box.class).encode(new Box(other)))
          .withMessageContaining("not allowed");
    }
  }

  @Test
  void lambdaIsRefusedWhenWritten() {
    Comparator<String> order = (Comparator<String> & Serializable) (a, b) -> 0;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Codec.of(Box.class).encode(new Box(new TreeMap<>(order))))
        .withMessageContaining("java.lang.invoke.SerializedLambda");
  }

  @Test
  void classThatIsNotSerializableIsNamed() {
    Object[] content = {new Object(), new StringBuilder(), Thread.currentThread()};
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Codec.of(Box.class).encode(new Box(content)))
        .withMessage("class is not serializable: class=java.lang.Object");
  }

  /// A class itself is written as a value is, though no object of it is.
  @Test
  void classIsAllowedAsItsObjectsAre() {
    assertThat(roundTrip(Codec.of(Box.class), new Box(Box.class))).isEqualTo(Box.class);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Codec.of(Box.class).encode(new Box(Gadget.class)))
        .withMessageContaining(Gadget.class.getName());
  }

  @Test
  void otherClassIsRefusedWhenReadBeforeItsCodeRuns() throws IOException {
    for (Serializable other :
        new Serializable[] {Color.RED, new Base(1), new Base[0], new Gadget(), url(), proxy()}) {
      for (Object written : new Object[] {other, new Box(other), new Object[] {other}}) {
        byte[] bytes = plainlySerialized(written);
        assertThatIllegalArgumentException()
            .isThrownBy(() -> Codec.of(Box.class).decode(bytes))
            .withMessageStartingWith("not a value of this codec");
      }
    }
    assertThat(Gadget.RAN).isFalse();
  }

  @Test
  void refusalNamesTheClass() throws IOException {
    byte[] bytes = plainlySerialized(new Box(new Gadget()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Codec.of(Box.class).decode(bytes))
        .havingCause()
        .withMessageContaining(Gadget.class.getName());
  }

  @Test
  void allowedClassInPlaceOfTheTypeIsRefused() throws IOException {
    byte[] bytes = plainlySerialized("text");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Codec.of(Box.class).decode(bytes))
        .withMessageContaining("expected=" + Box.class.getName() + ", found=java.lang.String");
    byte[] nothing = plainlySerialized(null);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Codec.of(Box.class).decode(nothing))
        .withMessageContaining("found=null");
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"})
  void valueOfAnotherTypeIsRefused() {
    assertThatExceptionOfType(ClassCastException.class)
        .isThrownBy(() -> ((Codec) Codec.of(Box.class)).encode("text"));
  }

  /// A stream of a few bytes that asks for an array of two thousand million elements.
  @Test
  void arrayLongerThanItsBytesIsRefused() throws IOException {
    byte[] bytes = plainlySerialized(new int[] {1});
    bytes[bytes.length - 8] = 0x7f;
    assertThatIllegalArgumentException().isThrownBy(() -> Codec.of(int[].class).decode(bytes));
  }

  /// Whatever bytes: a value or a refusal, never another exception.
  @Test
  void damagedBytesAreRefusedOrRead() {
    long seed = new Random().nextLong();
    var random = new Random(seed);
    Codec<Session> codec = Codec.of(Session.class);
    byte[] intact =
        codec.encode(new Session("u", Instant.EPOCH, List.of("a", "b"), new int[] {1, 2}));
    for (int round = 0; round < 5_000; round++) {
      byte[] bytes = Arrays.copyOf(intact, random.nextInt(intact.length + 1));
      for (int flips = random.nextInt(4); flips > 0 && bytes.length > 0; flips--) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      }
      try {
        codec.decode(bytes);
      } catch (IllegalArgumentException refused) {
        continue;
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed=" + seed + ", round=" + round, e);
      }
    }
  }

  private static Serializable url() {
    try {
      return URI.create("http://localhost/").toURL();
    } catch (java.net.MalformedURLException e) {
      throw new AssertionError(e);
    }
  }

  private static Serializable proxy() {
    InvocationHandler handler = (InvocationHandler & Serializable) (_, _, _) -> 0;
    return (Serializable)
        Proxy.newProxyInstance(
            CodecSerialTest.class.getClassLoader(),
            new Class<?>[] {Comparator.class, Serializable.class},
            handler);
  }

  private static byte[] plainlySerialized(Object value) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var output = new ObjectOutputStream(bytes)) {
      output.writeObject(value);
    }
    return bytes.toByteArray();
  }
}
