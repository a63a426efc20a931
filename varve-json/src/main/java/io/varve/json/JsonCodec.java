package io.varve.json;

import io.varve.Codec;
import java.util.Objects;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;

/// Writes values as JSON, by Jackson, in UTF-8: for objects whose shape changes with the program,
/// and for values that other programs read.
///
/// ```java
/// static final Table<String, Person> PEOPLE =
///     Table.of("people", Codec.string(), JsonCodec.of(Person.class));
/// ```
///
/// - **Values alone:** one value may have many forms as JSON, so this is no codec for keys.
/// - **Change:** properties that the class does not have are passed over, and those that are absent
///   are zero, false, null or an empty `Optional`. A reader of an older version that writes a value
///   back drops what it does not know.
/// - **Its id is `json`**, whatever the class: a table may be opened with another class, or as
///   [tools.jackson.databind.JsonNode], as long as it reads what is there.
/// - **Numbers of a `JsonNode`:** a fraction is the nearest double, as Jackson reads it, but is
///   written again as the number that was read, however many digits that has. A mapper of your own
///   decides that itself.
/// - **Threads:** safe for any number of threads.
/// - **Refusals:** bytes that are not JSON, or not of the type, are an [IllegalArgumentException],
///   as are values that Jackson cannot write. It names the type and the offset, and never the
///   contents; so is JSON's `null`. Of a value that cannot be written, what Jackson or the value
///   itself threw is the cause.
/// - **Trust:** the JSON never names a class, unless the mapper or the annotations of the type ask
///   for it.
///
/// @param <T> the values
/// @since 1.0
public final class JsonCodec<T> implements Codec<T> {
  /// What the bytes look like.
  private static final String ID = "json";

  /// What was written is read again: a store bounds the size of its values itself.
  private static final StreamReadConstraints WHAT_IS_WRITTEN =
      StreamReadConstraints.builder()
          .maxStringLength(Integer.MAX_VALUE)
          .maxNameLength(Integer.MAX_VALUE)
          .maxNumberLength(Integer.MAX_VALUE)
          .build();

  /// Of all codecs that are given no mapper.
  private static final JsonMapper MAPPER =
      JsonMapper.builder(JsonFactory.builder().streamReadConstraints(WHAT_IS_WRITTEN).build())
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();

  private final JavaType type;
  private final ObjectWriter writer;
  private final ObjectReader reader;

  /// Whether numbers are kept that no double is.
  private final boolean keepsNumbers;

  private JsonCodec(JsonMapper mapper, JavaType type, boolean isMapperOurs) {
    this.type = type;
    this.writer = mapper.writerFor(type);
    ObjectReader plain =
        mapper.readerFor(type).with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    keepsNumbers = isMapperOurs && type.isTypeOrSubTypeOf(JsonNode.class);
    this.reader = keepsNumbers ? plain.with(WrittenNumbers.NODES) : plain;
  }

  /// A codec of the values of a class: a record, a bean, or whatever Jackson reads and writes.
  public static <T> JsonCodec<T> of(Class<T> type) {
    return new JsonCodec<>(MAPPER, MAPPER.constructType(type), true);
  }

  /// A codec of the values of a generic type: `JsonCodec.of(new TypeReference<Map<String,
  /// Person>>() {})`.
  public static <T> JsonCodec<T> of(TypeReference<T> type) {
    return new JsonCodec<>(MAPPER, MAPPER.constructType(type), true);
  }

  /// A codec of the values of a class, by a mapper of your own, with its modules and settings.
  ///
  /// @param mapper what writes and reads; it bounds how long strings and how deep values may be
  public static <T> JsonCodec<T> of(Class<T> type, JsonMapper mapper) {
    return new JsonCodec<>(mapper, mapper.constructType(type), false);
  }

  /// A codec of the values of a generic type, by a mapper of your own.
  ///
  /// @param mapper what writes and reads; it bounds how long strings and how deep values may be
  public static <T> JsonCodec<T> of(TypeReference<T> type, JsonMapper mapper) {
    return new JsonCodec<>(mapper, mapper.constructType(type), false);
  }

  @Override
  public byte[] encode(T value) {
    Objects.requireNonNull(value, "value");
    try {
      return writer.writeValueAsBytes(value);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "Jackson cannot write the value: type=" + type.toCanonical(), e);
    }
  }

  @Override
  public T decode(byte[] bytes) {
    T value;
    try {
      value = read(bytes);
    } catch (JacksonException e) {
      throw malformed(bytes, offsetOf(e) + causeOf(e) + remedyOf(bytes, e));
    }
    if (value == null) {
      throw malformed(bytes, "the value is null");
    }
    return value;
  }

  private T read(byte[] bytes) {
    if (!keepsNumbers) {
      return reader.readValue(bytes);
    }
    try (JsonParser parser = new WrittenNumbers(reader.createParser(bytes))) {
      return reader.readValue(parser);
    }
  }

  /// Without Jackson's message, and without the exception itself: both hold contents, maybe of
  /// others than the person who reads the log of the program.
  private IllegalArgumentException malformed(byte[] bytes, String cause) {
    return new IllegalArgumentException(
        "the bytes are no JSON of the type: type="
            + type.toCanonical()
            + ", bytes="
            + bytes.length
            + ", "
            + cause);
  }

  private static String causeOf(JacksonException e) {
    String kind = e instanceof StreamReadException ? "syntax=" : "cause=";
    return kind + e.getClass().getSimpleName() + wantedBy(e);
  }

  /// JSON of another shape is of another version of the class. A document has any shape.
  private String remedyOf(byte[] bytes, JacksonException e) {
    boolean isJson = bytes.length > 0 && !(e instanceof StreamReadException);
    return isJson && !JsonNode.class.isAssignableFrom(type.getRawClass())
        ? "; give a constant or property that was renamed its old name by @JsonAlias, or read the"
            + " value as a JsonNode"
        : "; write JSON, or read the value by the codec that wrote it";
  }

  private static String wantedBy(JacksonException e) {
    return e instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null
        ? ", wanted=" + mismatch.getTargetType().getName()
        : "";
  }

  private static String offsetOf(JacksonException e) {
    TokenStreamLocation location = e.getLocation();
    return location == null || location.getByteOffset() < 0
        ? ""
        : "offset=" + location.getByteOffset() + ", ";
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String toString() {
    return ID + " of " + type.toCanonical();
  }
}
