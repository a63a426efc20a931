package io.varve.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.varve.Codec;
import io.varve.OrderedMap;
import io.varve.Store;
import io.varve.Table;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/// Values come back from JSON as they were, from tables too. What is no JSON of the type is refused
/// without a word of its contents.
class JsonCodecTest {
  /// More than Jackson takes of a string unless it is configured otherwise.
  private static final int LONG_STRING = 21_000_000;

  private static final int LONG_NUMBER = 2_000;
  private static final int TOO_DEEP = 600;

  private static final Person ADA =
      new Person(
          "Ada",
          LocalDate.of(1815, 12, 10),
          new BigDecimal("12.50"),
          List.of("ada@example.org"),
          Optional.of(Instant.ofEpochSecond(1_700_000_000, 123_456_789)));

  record Person(
      String name,
      LocalDate born,
      BigDecimal balance,
      List<String> mails,
      Optional<Instant> seen) {}

  /// A person as an older version of the program knows it.
  record Name(String name) {}

  /// A person as a newer version of the program knows it.
  record Customer(String name, LocalDate born, int orders, Optional<String> street) {}

  record Node(Optional<Node> next) {}

  static final class Failing {
    public String getName() {
      throw new IllegalStateException("no name yet");
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void valuesComeBack() {
    JsonCodec<Person> people = JsonCodec.of(Person.class);
    assertThat(people.decode(people.encode(ADA))).isEqualTo(ADA);
    assertThat(new String(people.encode(ADA), StandardCharsets.UTF_8))
        .contains("\"name\":\"Ada\"")
        .contains("\"born\":\"1815-12-10\"");
  }

  @Test
  void valuesOfGenericTypesComeBack() {
    var codec = JsonCodec.of(new TypeReference<Map<String, List<Name>>>() {});
    Map<String, List<Name>> value = Map.of("first", List.of(new Name("Ada"), new Name("Grace")));
    assertThat(codec.decode(codec.encode(value))).isEqualTo(value);
  }

  @Test
  void tablesAreReadByOtherVersionsOfAClassAndWithoutOne(@TempDir Path directory) {
    Codec<String> keys = Codec.string();
    try (Store store = Store.open(directory)) {
      store.open(Table.of("people", keys, JsonCodec.of(Person.class))).put("1", ADA);
    }
    try (Store store = Store.open(directory)) {
      OrderedMap<String, Name> names =
          store.open(Table.of("people", keys, JsonCodec.of(Name.class)));
      assertThat(names.get("1")).isEqualTo(new Name("Ada"));
      OrderedMap<String, JsonNode> documents =
          store.open(Table.of("people", keys, JsonCodec.of(JsonNode.class)));
      assertThat(documents.get("1").path("mails").path(0).asString()).isEqualTo("ada@example.org");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.open(Table.of("people", keys, Codec.string())))
          .withMessageContaining("written=json");
    }
  }

  @Test
  void absentPropertiesAreEmpty() {
    Customer customer =
        JsonCodec.of(Customer.class).decode(utf8("{\"name\":\"Ada\",\"born\":\"1815-12-10\"}"));
    assertThat(customer)
        .isEqualTo(new Customer("Ada", LocalDate.of(1815, 12, 10), 0, Optional.empty()));
  }

  @Test
  void aMapperOfTheProgramIsUsed() {
    JsonMapper mapper =
        JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.UPPER_CAMEL_CASE)
            .build();
    assertThat(JsonCodec.of(Name.class, mapper).encode(new Name("Ada")))
        .isEqualTo(utf8("{\"Name\":\"Ada\"}"));
    var lists = JsonCodec.of(new TypeReference<List<Name>>() {}, mapper);
    assertThat(lists.decode(utf8("[{\"Name\":\"Ada\"}]"))).containsExactly(new Name("Ada"));
  }

  @Test
  void longStringsAndNumbersComeBack() {
    JsonCodec<Name> names = JsonCodec.of(Name.class);
    Name name = new Name("x".repeat(LONG_STRING));
    assertThat(names.decode(names.encode(name)).name()).hasSize(LONG_STRING);
    JsonCodec<BigDecimal> numbers = JsonCodec.of(BigDecimal.class);
    BigDecimal number = new BigDecimal("1".repeat(LONG_NUMBER));
    assertThat(numbers.decode(numbers.encode(number))).isEqualTo(number);
  }

  /// A document that is read and written again has its numbers, which are doubles to programs.
  @Test
  void theNumbersOfANodeAreWrittenAsTheyWereRead() {
    JsonCodec<JsonNode> nodes = JsonCodec.of(JsonNode.class);
    String kept =
        "{\"n\":0.12345678901234567890123,\"big\":1E+400,\"small\":-1E-400,\"huge\":1E+999999999,"
            + "\"one\":1.0,\"zero\":-0.0,\"double\":1.5E300,\"whole\":123456789012345678901234567890}";
    JsonNode node = nodes.decode(utf8(kept));
    assertThat(nodes.encode(node)).isEqualTo(utf8(kept));
    assertThat(node.get("n").numberValue()).isEqualTo(0.12345678901234568);
    assertThat(node.get("n").decimalValue()).isEqualTo("0.12345678901234567890123");
    assertThat(node.get("big").numberValue()).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(node.get("huge").asString()).isEqualTo("1E+999999999");
    assertThat(node.get("one").isDouble()).isTrue();
    assertThat(nodes.decode(utf8("[1.50, 1e9999999999]")))
        .isEqualTo(JsonMapper.builder().build().readTree("[1.5, 1e999]"));
    assertThatIllegalArgumentException().isThrownBy(() -> nodes.decode(utf8("1.5 2")));
  }

  @Test
  void whatCannotBeWrittenIsRefused() {
    Node deep = new Node(Optional.empty());
    for (int i = 0; i < TOO_DEEP; i++) {
      deep = new Node(Optional.of(deep));
    }
    Node value = deep;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonCodec.of(Node.class).encode(value))
        .withMessageContaining("JsonCodecTest$Node");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonCodec.of(Failing.class).encode(new Failing()))
        .havingRootCause()
        .withMessage("no name yet");
    assertThatNullPointerException().isThrownBy(() -> nothing(JsonCodec.of(Name.class)));
  }

  @SuppressWarnings("NullAway") // null is what is refused
  private static void nothing(JsonCodec<Name> names) {
    names.encode(null);
  }

  @Test
  void whatIsNoJsonOfTheTypeIsRefusedWithoutItsContents() {
    JsonCodec<Person> people = JsonCodec.of(Person.class);
    for (String bytes :
        new String[] {
          "",
          "null",
          "\"secret\"",
          "{\"name\":\"secret\"",
          "{\"name\":{\"secret\":1}}",
          "{\"born\":\"secret\"}",
          "{\"balance\":\"secret\"}",
          "{\"name\":\"secret\"} {}",
          "{secret}",
          "[".repeat(100_000)
        }) {
      assertThatIllegalArgumentException()
          .as(bytes.length() > 100 ? "deep" : bytes)
          .isThrownBy(() -> people.decode(utf8(bytes)))
          .withMessageContaining("bytes=" + bytes.length())
          .withMessageNotContaining("secret")
          .withNoCause();
    }
  }

  @Test
  void remedyIsForTheCause() {
    JsonCodec<Name> names = JsonCodec.of(Name.class);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> names.decode(utf8("{\"name\":{}}")))
        .withMessageContaining("@JsonAlias");
    String none = "; write JSON, or read the value by the codec that wrote it";
    for (String bytes : new String[] {"", "{name"}) {
      assertThatIllegalArgumentException()
          .as(bytes)
          .isThrownBy(() -> names.decode(utf8(bytes)))
          .withMessageEndingWith(none);
    }
    assertThatIllegalArgumentException()
        .as("a document has any shape")
        .isThrownBy(() -> JsonCodec.of(JsonNode.class).decode(utf8("{} {}")))
        .withMessageEndingWith(none);
  }

  @Property
  void anyBytesGiveAValueOrARefusal(@ForAll byte[] bytes) {
    try {
      assertThat(JsonCodec.of(JsonNode.class).decode(bytes)).isNotNull();
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageContaining("bytes=" + bytes.length);
    }
  }

  @Property
  void anyTextComesBack(@ForAll String text) {
    JsonCodec<Name> names = JsonCodec.of(Name.class);
    Name name = new Name(text);
    byte[] bytes;
    try {
      bytes = names.encode(name);
    } catch (IllegalArgumentException _) {
      return; // half of a character that takes two
    }
    assertThat(names.decode(bytes)).isEqualTo(name);
  }
}
