package io.varve.grid.items;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.varve.item.Item;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The JSON of a body. It is UTF-8, has no name twice in an object, and ends with its value.
final class JsonBody {
  static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /// Reads what is not held: no names are kept, neither to compare them nor to have each once.
  private static final JsonFactory PASSING =
      JsonFactory.builder().disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES).build();

  /// Memory of an object or an array in a tree, of which an object has a map.
  private static final int CONTAINER_BYTES = 100;

  /// Memory of a name or a value in a tree, in a map or a list, and in a set of names.
  private static final int TOKEN_BYTES = 100;

  /// Memory of an item in addition to its bytes, and of its entry in a set.
  private static final int ITEM_BYTES = 160;

  /// Of a character of a text: in the tree, and in an item.
  private static final int CHAR_BYTES = 5;

  private static final int TOKENS_IN_A_ROW_MAX = 10_000;

  private final ByteBuf body;
  private final long treeBytes;

  /// Values that are no objects and no arrays. Each may be an item.
  private final long values;

  private JsonBody(ByteBuf body, long treeBytes, long values) {
    this.body = body;
    this.treeBytes = treeBytes;
    this.values = values;
  }

  /// Looks through a body, without holding what is in it.
  ///
  /// @throws IllegalArgumentException if it is no JSON, with the line and the column
  @SuppressWarnings("ThreadPriorityCheck") // A turn for others, on which nothing depends.
  static JsonBody of(ByteBuf body) {
    long bytes = (long) CHAR_BYTES * body.readableBytes();
    long values = 0;
    long tokens = 0;
    try (JsonParser parser = PASSING.createParser(ObjectReadContext.empty(), reader(body))) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        bytes += token.isStructStart() ? CONTAINER_BYTES : TOKEN_BYTES;
        values += token.isScalarValue() ? 1 : 0;
        tokens++;
        if (tokens % TOKENS_IN_A_ROW_MAX == 0) {
          Thread.yield(); // so that other requests have a turn, as in PrefixFigures
        }
      }
    } catch (JacksonException e) {
      throw noJson(e);
    }
    return new JsonBody(body, bytes, values);
  }

  private static IllegalArgumentException noJson(JacksonException failure) {
    TokenStreamLocation at = failure.getLocation();
    if (failure.getCause() instanceof CharacterCodingException) {
      return new IllegalArgumentException("the body is no JSON: it is not UTF-8", failure);
    }
    return new IllegalArgumentException(
        "the body is no JSON: "
            + failure.getOriginalMessage()
            + (at == null ? "" : "; line=" + at.getLineNr() + ", column=" + at.getColumnNr()),
        failure);
  }

  /// The value of the body.
  ///
  /// @throws IllegalArgumentException if there is none, or more than one
  JsonNode value() {
    JsonNode json;
    try {
      json = MAPPER.readTree(reader(body));
    } catch (JacksonException e) {
      throw noJson(e);
    }
    if (json.isMissingNode()) {
      throw new IllegalArgumentException(
          "the body is empty; null is the item of the prefix alone, and {} is no item");
    }
    return json;
  }

  /// A decoder that reports: the replacement character would silently change what is stored. The
  /// body is decoded as it is read, and nowhere held as a text.
  private static Reader reader(ByteBuf body) {
    return new InputStreamReader(
        new ByteBufInputStream(body.duplicate()), StandardCharsets.UTF_8.newDecoder());
  }

  /// Memory that the value and its items take at most.
  ///
  /// @param itemBytesMax bytes that the items may have
  long memoryBytes(Item prefix, long itemBytesMax) {
    long longest = Math.min(Item.BYTES_MAX, prefix.byteLength() + 3L * body.readableBytes());
    return treeBytes + ITEM_BYTES * values + Math.min(itemBytesMax, longest * values);
  }
}
