package io.varve.cli.transfer;

import static java.lang.Long.toUnsignedString;
import static java.nio.charset.StandardCharsets.UTF_8;

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
/// | stream     | a JSON array of `{"id": "ms-seq", "fields": hash}`; groups are not kept.      |
/// |            | Fields of which two have one name are an array, too, as they were added       |
///
/// Bytes that are no UTF-8 are `{"base64": "..."}` in JSON.
final class RdbValues {
  private static final Comparator<byte[]> UNSIGNED = Arrays::compareUnsigned;
  private static final Comparator<RdbStream.Field> BY_NAME =
      Comparator.comparing(RdbStream.Field::name, UNSIGNED);

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
      case RdbStream stream -> stream(stream);
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
    List<RdbStream.Field> sorted = new ArrayList<>();
    // The library's own map compares its keys by content, and each name is one of them.
    fields.forEach((name, value) ->
        sorted.add(new RdbStream.Field((byte[]) name, (byte[]) Objects.requireNonNull(value))));
    sorted.sort(BY_NAME);
    return fields(sorted);
  }

  /// An object if the names are different texts, or else an array in the order of the fields.
  private static JsonNode fields(List<RdbStream.Field> fields) {
    if (fields.stream().map(field -> utf8(field.name())).filter(Objects::nonNull).distinct().count()
        == fields.size()) {
      ObjectNode object = Json.MAPPER.createObjectNode();
      fields.stream()
          .sorted(BY_NAME)
          .forEach(field -> object.set(text(field.name()), node(field.value())));
      return object;
    }
    ArrayNode array = Json.MAPPER.createArrayNode();
    for (RdbStream.Field field : fields) {
      ObjectNode node = array.addObject();
      node.set("field", node(field.name()));
      node.set("value", node(field.value()));
    }
    return array;
  }

  private static ArrayNode sortedSet(Set<?> set) {
    ArrayNode array = Json.MAPPER.createArrayNode();
    set.stream()
        .map(ZSetEntry.class::cast)
        .sorted(
            // Redis takes both zeros for one score.
            Comparator.comparingDouble((ZSetEntry entry) -> entry.getScore() + 0.0)
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

  private static ArrayNode stream(RdbStream stream) {
    ArrayNode array = Json.MAPPER.createArrayNode();
    for (RdbStream.Added entry : stream.added()) {
      ObjectNode node = array.addObject();
      node.put(
          "id", toUnsignedString(entry.id().getMs()) + "-" + toUnsignedString(entry.id().getSeq()));
      node.set("fields", fields(entry.fields()));
    }
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
