package io.varve.cli.transfer;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Base64;
import java.util.Iterator;
import java.util.Map;
import org.h2.jdbc.JdbcResultSet;
import org.h2.value.ExtTypeInfoRow;
import org.h2.value.TypeInfo;
import org.h2.value.Value;
import org.h2.value.ValueArray;
import org.h2.value.ValueDecfloat;
import org.h2.value.ValueRow;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The values of H2 in JSON, by their types:
///
/// | H2                                          | here                                         |
/// |---------------------------------------------|----------------------------------------------|
/// | booleans, numbers                           | that; `"NaN"` and infinities are strings     |
/// | binary strings, BLOB, JAVA_OBJECT           | base64 of the bytes                          |
/// | JSON                                        | that                                         |
/// | ARRAY, of any depth                         | an array                                     |
/// | ROW                                         | an object with its fields                    |
/// | all else: text, CLOB, dates, intervals, UUID, GEOMETRY | a string, as H2 writes it         |
///
/// Values are those of the database and not what JDBC makes of them: JDBC deserializes Java
/// objects, and a dump may hold any.
final class H2Values {
  private H2Values() {}

  static JsonNode node(ResultSet rows, int column) throws SQLException {
    JdbcResultSet ours = rows.unwrap(JdbcResultSet.class);
    return node(ours.getInternal(column), ours.getResult().getColumnType(column - 1));
  }

  /// Null for types that are not bytes. JSON is the bytes of its text.
  static byte @Nullable [] bytes(ResultSet rows, int column) throws SQLException {
    Value value = rows.unwrap(JdbcResultSet.class).getInternal(column);
    return switch (value.getValueType()) {
      case Value.BINARY, Value.VARBINARY, Value.BLOB, Value.JAVA_OBJECT, Value.JSON ->
          value.getBytesNoCopy();
      default -> null;
    };
  }

  /// @param type as the column has it: a value does not hold the names of its fields
  private static JsonNode node(Value value, TypeInfo type) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    return switch (value.getValueType()) {
      case Value.NULL -> nodes.nullNode();
      case Value.BOOLEAN -> nodes.booleanNode(value.getBoolean());
      case Value.TINYINT, Value.SMALLINT, Value.INTEGER, Value.BIGINT ->
          nodes.numberNode(value.getLong());
      case Value.NUMERIC -> nodes.numberNode(value.getBigDecimal());
      case Value.DECFLOAT ->
          ((ValueDecfloat) value).isFinite()
              ? nodes.numberNode(value.getBigDecimal())
              : nodes.stringNode(value.getString());
      case Value.REAL ->
          Float.isFinite(value.getFloat())
              ? nodes.numberNode(value.getFloat())
              : nodes.stringNode(value.getString());
      case Value.DOUBLE ->
          Double.isFinite(value.getDouble())
              ? nodes.numberNode(value.getDouble())
              : nodes.stringNode(value.getString());
      case Value.BINARY, Value.VARBINARY, Value.BLOB, Value.JAVA_OBJECT ->
          nodes.stringNode(Base64.getEncoder().encodeToString(value.getBytesNoCopy()));
      case Value.JSON -> Json.MAPPER.readTree(value.getBytesNoCopy());
      case Value.ARRAY -> array((ValueArray) value, (TypeInfo) type.getExtTypeInfo());
      case Value.ROW -> object((ValueRow) value, (ExtTypeInfoRow) type.getExtTypeInfo());
      default -> nodes.stringNode(value.getString());
    };
  }

  private static ArrayNode array(ValueArray array, TypeInfo element) {
    ArrayNode nodes = Json.MAPPER.createArrayNode();
    for (Value value : array.getList()) {
      nodes.add(node(value, element));
    }
    return nodes;
  }

  private static ObjectNode object(ValueRow row, ExtTypeInfoRow type) {
    ObjectNode object = Json.MAPPER.createObjectNode();
    Iterator<Map.Entry<String, TypeInfo>> fields = type.getFields().iterator();
    for (Value value : row.getList()) {
      Map.Entry<String, TypeInfo> field = fields.next();
      object.set(field.getKey(), node(value, field.getValue()));
    }
    return object;
  }
}
