package io.varve.json;

import java.math.BigDecimal;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.util.JsonParserDelegate;
import tools.jackson.databind.node.DecimalNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ValueNode;

/// Reads a fraction as the nearest double, which keeps what was written where that is another
/// number, such as 1e400 or one with thirty digits. So a document that is written again has the
/// numbers that it had.
final class WrittenNumbers extends JsonParserDelegate {
  /// So many characters without an exponent are always the number that the nearest double prints.
  private static final int EXACT_LENGTH_MAX = 16;

  /// Makes the nodes of such numbers.
  static final JsonNodeFactory NODES =
      new JsonNodeFactory() {
        private static final long serialVersionUID = 1;

        @Override
        public ValueNode numberNode(BigDecimal number) {
          return new Node(number);
        }
      };

  /// A double to programs, queries and indexes, as any other fraction. It never becomes an integer,
  /// whose digits an exponent of nine digits would make fill the heap.
  private static final class Node extends DecimalNode {
    private static final long serialVersionUID = 1;

    Node(BigDecimal number) {
      super(number);
    }

    @Override
    public Number numberValue() {
      return doubleValue();
    }

    @Override
    public double doubleValue() {
      return _value.doubleValue();
    }
  }

  WrittenNumbers(JsonParser parser) {
    super(parser);
  }

  @Override
  public NumberTypeFP getNumberTypeFP() {
    return isDouble() ? super.getNumberTypeFP() : NumberTypeFP.BIG_DECIMAL;
  }

  private boolean isDouble() {
    String text = getString();
    if (text.length() <= EXACT_LENGTH_MAX && text.indexOf('e') < 0 && text.indexOf('E') < 0) {
      return true;
    }
    double nearest = getDoubleValue();
    BigDecimal number;
    try {
      number = getDecimalValue();
    } catch (JacksonException | NumberFormatException _) {
      return true; // no decimal has such an exponent: it is infinity or zero
    }
    return Double.isFinite(nearest) && number.compareTo(BigDecimal.valueOf(nearest)) == 0;
  }
}
