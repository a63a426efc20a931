package io.varve.cli.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.moilioncircle.redis.replicator.rdb.datatype.Stream;
import com.moilioncircle.redis.replicator.rdb.datatype.ZSetEntry;
import io.varve.cli.console.CommandException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The values of Redis as bytes:
///
/// | Redis      | here                                                                          |
/// |------------|-------------------------------------------------------------------------------|
/// | string     | its bytes                                                                     |
/// | list       | a JSON array                                                                  |
/// | set        | a JSON array, in the order of bytes                                           |
/// | hash       | a JSON object, in the order of fields' bytes; if one is no UTF-8, an array of |
/// |            | `{"field": f, "value": v}`                                                    |
/// | sorted set | a JSON array of `{"member": m, "score": s}`, by score                         |
/// | stream     | a JSON array of `{"id": "ms-seq", "fields": hash}`; groups are not kept       |
///
/// Bytes that are no UTF-8 are `{"base64": "..."}` in JSON.
final class RdbValues {
  private static final Comparator<byte[]> UNSIGNED = Arrays::compareUnsigned;

  private RdbValues() {}

  /// @param place of the key, for the error about a value that has no form here
  static byte[] bytes(@Nullable Object value, String place) {
    return value instanceof byte[] string ? string : json(value, place).toString().getBytes(UTF_8);
  }

  private static JsonNode json(@Nullable Object value, String place) {
    return switch (value) {
      case Map<?, ?> fields -> hash(fields);
      case Set<?> set when set.stream().allMatch(ZSetEntry.class::isInstance) -> sortedSet(set);
      case Set<?> set -> array(set.stream().map(byte[].class::cast).sorted(UNSIGNED).toList());
      case List<?> list -> array(list.stream().map(byte[].class::cast).toList());
      case Stream stream -> stream(stream);
      case null, default ->
          throw CommandException.usage(place + ": the value of a module, which only Redis reads");
    };
  }

  private static ArrayNode array(Collection<byte[]> elements) {
    ArrayNode array = Json.MAPPER.createArrayNode();
    elements.forEach(element -> array.add(node(element)));
    return array;
  }

  private static JsonNode hash(Map<?, ?> fields) {
    List<byte[]> names = new ArrayList<>();
    fields.keySet().forEach(name -> names.add((byte[]) name));
    names.sort(UNSIGNED);
    // The library's own map compares its keys by content, and each name is one of them.
    Function<byte[], JsonNode> value =
        name -> node((byte[]) Objects.requireNonNull(fields.get(name)));
    if (names.stream().allMatch(name -> utf8(name) != null)) {
      ObjectNode object = Json.MAPPER.createObjectNode();
      names.forEach(name -> object.set(text(name), value.apply(name)));
      return object;
    }
    ArrayNode array = Json.MAPPER.createArrayNode();
    for (byte[] name : names) {
      ObjectNode field = array.addObject();
      field.set("field", node(name));
      field.set("value", value.apply(name));
    }
    return array;
  }

  private static ArrayNode sortedSet(Set<?> set) {
    ArrayNode array = Json.MAPPER.createArrayNode();
    set.stream()
        .map(ZSetEntry.class::cast)
        .sorted(
            Comparator.comparingDouble(ZSetEntry::getScore)
                .thenComparing(ZSetEntry::getElement, UNSIGNED))
        .forEach(entry -> {
          ObjectNode member = array.addObject();
          member.set("member", node(entry.getElement()));
          if (Double.isFinite(entry.getScore())) {
            member.put("score", entry.getScore());
          } else {
            member.put("score", entry.getScore() > 0 ? "inf" : "-inf"); // as Redis prints it
          }
        });
    return array;
  }

  private static ArrayNode stream(Stream stream) {
    ArrayNode array = Json.MAPPER.createArrayNode();
    stream
        .getEntries()
        .forEach((id, entry) -> {
          if (!entry.isDeleted()) {
            ObjectNode node = array.addObject();
            node.put("id", id.getMs() + "-" + id.getSeq());
            node.set("fields", hash(entry.getFields()));
          }
        });
    return array;
  }

  private static JsonNode node(byte[] bytes) {
    String text = utf8(bytes);
    return text == null
        ? Json.MAPPER.createObjectNode().put("base64", Base64.getEncoder().encodeToString(bytes))
        : Json.MAPPER.getNodeFactory().stringNode(text);
  }

  private static @Nullable String utf8(byte[] bytes) {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException _) {
      return null;
    }
  }

  /// Bytes for a message.
  static String text(byte[] bytes) {
    String text = utf8(bytes);
    return text == null ? Base64.getEncoder().encodeToString(bytes) : text;
  }
}
