package io.varve.cli.transfer;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

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
      }
      return DriverManager.getConnection(url, "load", "");
    }

    @Override
    String spaceOf(String schema, String table) {
      return schema.equals("PUBLIC") ? table : schema + "." + table;
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
  };

  /// A database to load the dump into.
  abstract Connection connect(Path directory) throws SQLException;

  /// The space of a table, where the command line names none.
  abstract String spaceOf(String schema, String table);
}
