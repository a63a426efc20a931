package io.varve.cli.transfer;

import java.math.BigDecimal;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// The JSON value that the text of a CSV's field stands for.
final class TypedField {
  /// The numbers of JSON. A text with a zero in front, as a postcode, is none.
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]{0,300})(\\.[0-9]{1,300})?([eE][-+]?[0-9]{1,3})?");

  private static final int LONG_DIGITS_MAX = 18;

  private TypedField() {}

  static JsonNode of(String text) {
    JsonNodeFactory nodes = Json.MAPPER.getNodeFactory();
    return switch (text) {
      case "" -> nodes.nullNode();
      case "true" -> nodes.booleanNode(true);
      case "false" -> nodes.booleanNode(false);
      default -> NUMBER.matcher(text).matches() ? number(text, nodes) : nodes.stringNode(text);
    };
  }

  private static JsonNode number(String text, JsonNodeFactory nodes) {
    boolean whole = text.chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9'));
    return whole && text.length() <= LONG_DIGITS_MAX
        ? nodes.numberNode(Long.parseLong(text))
        : nodes.numberNode(new BigDecimal(text));
  }
}
