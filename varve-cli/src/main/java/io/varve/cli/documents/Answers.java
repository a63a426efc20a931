package io.varve.cli.documents;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.json.JsonCodec;
import io.varve.query.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The answers of a query as fields with names: those of a document that is the only answer of a
/// row, or else the columns.
public final class Answers {
  private static final JsonMapper MAPPER = JsonMapper.builder().findAndAddModules().build();
  private static final JsonCodec<JsonNode> CODEC = JsonCodec.of(JsonNode.class);

  private Answers() {}

  /// An answer as JSON: the document, or an object of the columns.
  public static JsonNode json(Row row) {
    if (row.columns().size() == 1 && row.get(0) instanceof ObjectNode document) {
      return document;
    }
    ObjectNode object = MAPPER.createObjectNode();
    row.asMap().forEach((name, value) -> object.set(name, node(value)));
    return object;
  }

  /// An answer that was printed as JSON, with its numbers as they are there.
  public static JsonNode parse(String json) {
    return CODEC.decode(json.getBytes(UTF_8));
  }

  private static JsonNode node(@Nullable Object value) {
    return switch (value) {
      case null -> MAPPER.nullNode();
      case JsonNode node -> node;
      case Number _, Boolean _, String _ -> MAPPER.valueToTree(value);
      default -> MAPPER.valueToTree(value.toString());
    };
  }

  /// The names of all fields, in the order in which they come first.
  static List<String> fields(List<JsonNode> answers) {
    Set<String> names = new LinkedHashSet<>();
    answers.forEach(answer -> names.addAll(answer.propertyNames()));
    return new ArrayList<>(names);
  }

  /// The fields as texts: empty for null, JSON for what has parts.
  static Map<String, String> texts(JsonNode answer) {
    return answer.properties().stream()
        .collect(
            Collectors.toMap(
                Map.Entry::getKey,
                field -> text(field.getValue()),
                (a, _) -> a,
                LinkedHashMap::new));
  }

  private static String text(JsonNode value) {
    if (value.isNull()) {
      return "";
    }
    return value.isValueNode() ? value.asString() : value.toString();
  }
}
