package io.varve.query.internal.entity;

import io.varve.query.Values;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// Values as nodes of documents.
final class DocumentValues {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private DocumentValues() {}

  static JsonNode node(@Nullable Object value) {
    return switch (Values.normal(value)) {
      case null -> NODES.nullNode();
      case JsonNode node -> node;
      case Boolean truth -> NODES.booleanNode(truth);
      case Long number -> NODES.numberNode(number);
      case Double number -> NODES.numberNode(number);
      case BigDecimal number -> NODES.numberNode(number);
      case byte[] bytes -> NODES.binaryNode(bytes);
      case List<?> elements -> {
        ArrayNode array = NODES.arrayNode();
        elements.forEach(element -> array.add(node(element)));
        yield array;
      }
      case Object other -> NODES.stringNode(other.toString());
    };
  }
}
