package io.varve.cli.transfer;

import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// The values of SQLite in JSON: it has integers, doubles, texts, bytes and null.
final class SqliteValues {
  private SqliteValues() {}

  /// Bytes become base64, and doubles that are no numbers of JSON their names.
  static JsonNode node(@Nullable Object value) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    return switch (value) {
      case null -> nodes.nullNode();
      case Integer number -> nodes.numberNode(number);
      case Long number -> nodes.numberNode(number);
      case Double number when Double.isFinite(number) -> nodes.numberNode(number);
      case byte[] bytes -> nodes.stringNode(Base64.getEncoder().encodeToString(bytes));
      default -> nodes.stringNode(value.toString());
    };
  }
}
