package io.varve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// An entry that the codecs of its table cannot read is named by whatever meets it: a constant of
/// an enum was renamed, for instance.
class UndecodableEntryTest {
  private enum Color {
    RED,
    GREEN
  }

  private static final Table<String, Color> CARS =
      Table.of("cars", Codec.string(), Codec.enumOf(Color.class));
  private static final byte[] KEY = {'m', 'y', ' ', '\\', 'c', 'a', 'r', 0};

  private static Store withUnknownColor() {
    Store store = Store.inMemory();
    store.open(CARS).put("bus", Color.RED);
    store.space("cars").put(KEY, "BLUE".getBytes(UTF_8));
    return store;
  }

  private static void requireNamed(ThrowingCallable read) {
    assertThatIllegalArgumentException()
        .isThrownBy(read)
        .withMessageStartingWith("an entry of the table cannot be decoded: table=cars,")
        .withMessageContaining("key=my\\x20\\\\car\\x00, part=value, bytes=4, codec=enum:Color; ")
        .withMessageContaining("; cause: not a value of this codec: codec=enum:Color, fact=name")
        .withMessageNotContaining("BLUE")
        .withCauseInstanceOf(IllegalArgumentException.class);
  }

  private static void requireNamedBy(OrderedMap<String, Color> cars) {
    requireNamed(() -> cars.get("my \\car\0"));
    requireNamed(() -> cars.values().forEach(value -> {}));
    requireNamed(() -> cars.entrySet().forEach(entry -> {}));
    requireNamed(cars::hashCode);
    requireNamed(() -> cars.containsValue(Color.GREEN));
    requireNamed(cars::lastEntry);
    assertThat(cars.navigableKeySet()).hasSize(2);
  }

  @Test
  void valueIsNamedByEachRead() {
    try (Store store = withUnknownColor()) {
      requireNamedBy(store.open(CARS));
      store.transact(tx -> requireNamedBy(tx.open(CARS)));
      try (Snapshot snapshot = store.snapshot()) {
        requireNamedBy(snapshot.open(CARS));
      }
      requireNamed(() -> store.open(CARS).merge("my \\car\0", Color.RED, (left, right) -> right));
      requireNamed(() -> store.open(CARS).replaceAll((key, value) -> value));
      requireNamed(() -> CARS.value(KEY, store.space("cars").get(KEY)));
      assertThat(store.verify().problems()).isEmpty();
    }
  }

  @Test
  void putOfManyReplacesIt() {
    try (Store store = withUnknownColor()) {
      OrderedMap<String, Color> cars = store.open(CARS);
      cars.putAll(Map.of("my \\car\0", Color.GREEN));
      assertThat(cars).containsEntry("my \\car\0", Color.GREEN);
    }
  }

  @Test
  void keyIsNamed() {
    Table<Long, Color> numbers = Table.of("cars", Codec.int64().named("string"), CARS.values());
    try (Store store = withUnknownColor()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.open(numbers).firstKey())
          .withMessageContaining("table=cars, key=bus, part=key, bytes=3, codec=string; ");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.set("cars", Codec.int64().named("string")).first())
          .withMessageContaining("table=cars, key=bus, part=key");
    }
  }

  @Test
  void longKeyIsShortened() {
    Table<byte[], String> table = Table.of("long", Codec.bytes(), Codec.string());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> table.value(new byte[100], new byte[] {-1}))
        .withMessageContaining("\\x00... of 100 bytes, part=value, bytes=1");
  }

  /// The message of `Enum.valueOf` has the text of the value.
  @Test
  void messageOfWhatACodecCallsStaysWithTheCause() {
    Codec<Color> colors =
        Codec.of(
            color -> color.name().getBytes(UTF_8),
            bytes -> Color.valueOf(new String(bytes, UTF_8)));
    Table<String, Color> cars = Table.of("cars", Codec.string(), colors);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cars.value(KEY, "SECRET".getBytes(UTF_8)))
        .withMessageEndingWith("; cause: java.lang.IllegalArgumentException")
        .withMessageNotContaining("SECRET")
        .havingCause()
        .withMessageContaining("SECRET");
  }

  @Test
  void messageOfAnotherExceptionStaysWithTheCause() {
    Codec<String> failing =
        Codec.of(
            value -> new byte[1],
            bytes -> {
              throw new DateTimeException("secret");
            });
    ExpiringTable<String, String> table =
        ExpiringTable.of("days", Codec.string(), failing, Duration.ofDays(1));
    try (Store store = Store.inMemory()) {
      OrderedMap<String, String> days = table.open(store);
      days.put("monday", "");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> days.get("monday"))
          .withMessageContaining("table=days, key=monday, part=value, bytes=1, codec=unnamed;")
          .withMessageEndingWith("; cause: java.time.DateTimeException")
          .withCauseInstanceOf(DateTimeException.class);
    }
  }
}
