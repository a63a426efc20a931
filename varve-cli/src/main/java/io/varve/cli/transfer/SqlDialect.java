package io.varve.cli.transfer;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Which database wrote a dump. The same database reads it, in a directory that is deleted after.
enum SqlDialect {
  /// What `SCRIPT` of H2 writes.
  H2 {
    @Override
    Connection connect(Path directory) throws SQLException {
      String url = "jdbc:h2:" + directory.resolve("dump").toAbsolutePath();
      try (Connection owner = DriverManager.getConnection(url, "varve", "");
          Statement statement = owner.createStatement()) {
        // A dump is a program. This user may make tables, and neither read files nor run Java.
        statement.execute("CREATE USER load PASSWORD ''");
        statement.execute("GRANT ALTER ANY SCHEMA TO load");
        for (String type : List.of("CLOB", "BLOB")) { // a dump makes them, and is not let to
          statement.execute(
              "CREATE ALIAS SYSTEM_COMBINE_%s FOR 'org.h2.command.dml.ScriptCommand.combine%s'"
                  .formatted(type, type.charAt(0) + "lob"));
        }
      }
      return DriverManager.getConnection(url, "load", "");
    }

    @Override
    String spaceOf(String schema, String table) {
      return schema.equals("PUBLIC") ? table : schema + "." + table;
    }

    @Override
    JsonNode node(ResultSet rows, int column) throws SQLException {
      return H2Values.node(rows, column);
    }

    @Override
    byte @Nullable [] bytes(ResultSet rows, int column) throws SQLException {
      return H2Values.bytes(rows, column);
    }
  },

  /// What `.dump` of SQLite writes.
  SQLITE {
    @Override
    Connection connect(Path directory) throws SQLException {
      return DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("dump"));
    }

    @Override
    String spaceOf(String schema, String table) {
      return table;
    }

    @Override
    JsonNode node(ResultSet rows, int column) throws SQLException {
      return SqliteValues.node(rows.getObject(column));
    }

    @Override
    byte @Nullable [] bytes(ResultSet rows, int column) throws SQLException {
      return rows.getObject(column) instanceof byte[] bytes ? bytes : null;
    }
  };

  /// A database to load the dump into.
  abstract Connection connect(Path directory) throws SQLException;

  /// The space of a table, where the command line names none.
  abstract String spaceOf(String schema, String table);

  /// The value in a column of the row that `rows` is on.
  abstract JsonNode node(ResultSet rows, int column) throws SQLException;

  /// The same where it is bytes, and otherwise null.
  abstract byte @Nullable [] bytes(ResultSet rows, int column) throws SQLException;
}
