package io.varve.cli.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.Entry;
import io.varve.cli.console.CommandException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.h2.message.DbException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A table that a dump has made.
///
/// @param database that has it, of that dialect
/// @param input the name of the dump, for messages
/// @param key the columns of the primary key; none if it has none
record SqlTable(
    SqlDialect dialect,
    Connection database,
    String input,
    String schema,
    String name,
    List<String> key) {
  /// Has a number for each row that no key has, in H2 and SQLite.
  private static final String ROW_NUMBER = "_ROWID_";

  /// The tables of a database, in the order of their names.
  ///
  /// @param wanted the only one to list, or null for all
  static List<SqlTable> of(
      SqlDialect dialect, Connection database, String input, @Nullable String wanted)
      throws SQLException {
    var tables = new ArrayList<SqlTable>();
    try (ResultSet found =
        database.getMetaData().getTables(null, null, "%", new String[] {"TABLE", "BASE TABLE"})) {
      while (found.next()) {
        String schema =
            found.getString("TABLE_SCHEM") == null ? "" : found.getString("TABLE_SCHEM");
        String name = found.getString("TABLE_NAME");
        boolean internal = schema.equals("INFORMATION_SCHEMA") || name.startsWith("sqlite_");
        if (!internal && (wanted == null || wanted.equalsIgnoreCase(name))) {
          List<String> key = key(database, schema, name);
          tables.add(new SqlTable(dialect, database, input, schema, name, key));
        }
      }
    }
    if (tables.isEmpty()) {
      throw CommandException.usage(
          input + (wanted == null ? ": no table is in it" : ": no table " + wanted + " is in it"));
    }
    return tables;
  }

  private static List<String> key(Connection database, String schema, String table)
      throws SQLException {
    Map<Integer, String> columns = new TreeMap<>();
    try (ResultSet found =
        database.getMetaData().getPrimaryKeys(null, schema.isEmpty() ? null : schema, table)) {
      while (found.next()) {
        columns.put(found.getInt("KEY_SEQ"), found.getString("COLUMN_NAME"));
      }
    }
    return List.copyOf(columns.values());
  }

  private static String quoted(String identifier) {
    return '"' + identifier.replace("\"", "\"\"") + '"';
  }

  private String from() {
    return " FROM " + (schema.isEmpty() ? "" : quoted(schema) + ".") + quoted(name);
  }

  long count(Statement statement) throws SQLException {
    try (ResultSet count = statement.executeQuery("SELECT COUNT(*)" + from())) {
      return count.next() ? count.getLong(1) : 0;
    }
  }

  /// All rows, in the order of the key. Closing the statement ends them.
  ResultSet rows() throws SQLException {
    List<String> order = key.stream().map(SqlTable::quoted).toList();
    Statement statement = database.createStatement();
    return statement.executeQuery(
        key.isEmpty()
            ? "SELECT *, " + ROW_NUMBER + from() + " ORDER BY " + ROW_NUMBER
            : "SELECT *" + from() + " ORDER BY " + String.join(", ", order));
  }

  /// The entry of the row that `rows` is on.
  Entry entry(ResultSet rows, SourceOptions options) throws SQLException {
    byte[] bytes = keyText(rows, options.key()).getBytes(UTF_8);
    return new Entry(
        InputPlace.requireKey(this, bytes),
        options.value() == null ? row(rows) : value(rows, column(rows, options.value())));
  }

  private String keyText(ResultSet rows, @Nullable String wanted) throws SQLException {
    if (wanted != null) {
      return scalar(keyPart(rows, wanted));
    }
    if (key.isEmpty()) {
      return rows.getString(rows.getMetaData().getColumnCount());
    }
    if (key.size() == 1) {
      return scalar(keyPart(rows, key.getFirst()));
    }
    ArrayNode parts = Json.MAPPER.createArrayNode();
    for (String part : key) {
      parts.add(keyPart(rows, part));
    }
    return parts.toString();
  }

  /// Nulls are refused: SQLite lets any number of rows have one in a primary key, and all of them
  /// would be one entry.
  private JsonNode keyPart(ResultSet rows, String part) throws SQLException {
    JsonNode node = node(rows, column(rows, part));
    if (node.isNull()) {
      throw CommandException.usage(
          this + ": a row has null in its key: column=" + part + "; name another one by --key");
    }
    return node;
  }

  private static String scalar(JsonNode node) {
    return node.isString() ? node.stringValue() : node.toString();
  }

  private int column(ResultSet rows, String wanted) throws SQLException {
    ResultSetMetaData columns = rows.getMetaData();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      if (columns.getColumnName(i).equalsIgnoreCase(wanted)) {
        return i;
      }
    }
    throw CommandException.usage(this + ": no column " + wanted);
  }

  private byte[] row(ResultSet rows) throws SQLException {
    ResultSetMetaData columns = rows.getMetaData();
    int count = columns.getColumnCount() - (key.isEmpty() ? 1 : 0); // without the row's number
    ObjectNode object = Json.MAPPER.createObjectNode();
    for (int i = 1; i <= count; i++) {
      object.set(columns.getColumnName(i), node(rows, i));
    }
    return object.toString().getBytes(UTF_8);
  }

  /// The value of one column: bytes as they are, and all else as the text of its JSON.
  private byte[] value(ResultSet rows, int column) throws SQLException {
    byte[] bytes = reading(rows, column, () -> dialect.bytes(rows, column));
    return bytes == null ? scalar(node(rows, column)).getBytes(UTF_8) : bytes;
  }

  private JsonNode node(ResultSet rows, int column) throws SQLException {
    return reading(rows, column, () -> dialect.node(rows, column));
  }

  /// What the database has in a column.
  private interface Reading<T extends @Nullable Object> {
    T read() throws SQLException;
  }

  /// Names the column where a value cannot be read.
  private <T extends @Nullable Object> T reading(ResultSet rows, int column, Reading<T> reading)
      throws SQLException {
    try {
      return reading.read();
    } catch (SQLException | DbException | JacksonException e) {
      throw CommandException.usage(
          this
              + ": a value cannot be read: column="
              + rows.getMetaData().getColumnName(column)
              + ", type="
              + rows.getMetaData().getColumnTypeName(column)
              + ", cause="
              + e.getMessage(),
          e);
    }
  }

  @Override
  public String toString() {
    return input + ": table " + name;
  }
}
