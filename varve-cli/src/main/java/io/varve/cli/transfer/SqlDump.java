package io.varve.cli.transfer;

import io.varve.cli.console.CommandException;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Pattern;
import org.h2.message.DbException;
import org.h2.util.ScriptReader;
import org.jspecify.annotations.Nullable;

/// Runs what a dump contains of tables and rows, and nothing else of it: users, views, triggers,
/// functions and links to other databases are passed over.
///
/// H2 writes CLOBs and BLOBs of more than a few kilobytes in parts, to a temporary table of its
/// own.
final class SqlDump {
  private static final Pattern WANTED =
      Pattern.compile(
          "(?is)(CREATE\\s+((CACHED|MEMORY)\\s+)?TABLE|CREATE\\s+(SCHEMA|SEQUENCE|DOMAIN)"
              + "|ALTER\\s+TABLE\\s.*\\sADD\\s+CONSTRAINT\\s.*\\s(PRIMARY\\s+KEY|UNIQUE)"
              + "|INSERT\\s+INTO)\\b.*"
              + "|(CREATE\\s+CACHED\\s+LOCAL\\s+TEMPORARY\\s+TABLE\\s+IF\\s+NOT\\s+EXISTS"
              + "|DROP\\s+TABLE\\s+IF\\s+EXISTS)\\s+SYSTEM_LOB_STREAM\\b.*");

  /// The triggers of SQLite have statements in them, which are not to be run.
  private static final Pattern TRIGGER =
      Pattern.compile("(?is)CREATE\\s+TRIGGER\\b.*\\bBEGIN\\b.*");

  private static final Pattern AUTHORIZATION =
      Pattern.compile("(?is)(CREATE\\s+SCHEMA\\b.*?)\\s+AUTHORIZATION\\b.*");

  private static final Pattern INTERNAL =
      Pattern.compile("(?is)INSERT\\s+INTO\\s+[\"'`\\[]?sqlite_.*");

  private static final Pattern BEGIN = Pattern.compile("(?i)BEGIN(\\s+TRANSACTION)?");
  private static final String COMMIT = "COMMIT";
  private static final String END = "END";

  private final String name;
  private final SqlDialect dialect;

  SqlDump(String name, SqlDialect dialect) {
    this.name = name;
    this.dialect = dialect;
  }

  /// Gives the statements of a dump, and null after the last.
  private interface Statements {
    @Nullable String next() throws IOException;
  }

  /// Reads the dump into a database.
  void run(Reader dump, Connection database) throws SQLException, IOException {
    database.setAutoCommit(false);
    if (dialect == SqlDialect.SQLITE) {
      runAll(new SqliteScript(name, dump)::read, database);
    } else {
      try (var reader = new ScriptReader(dump)) {
        reader.setSkipRemarks(true);
        runAll(() -> read(reader), database);
      }
    }
    database.commit();
  }

  private void runAll(Statements statements, Connection database) throws SQLException, IOException {
    long number = 0;
    boolean inTrigger = false;
    boolean isOpen = false;
    try (Statement statement = database.createStatement()) {
      for (String next = statements.next(); next != null; next = statements.next()) {
        number++;
        String sql = next.strip();
        if (inTrigger) {
          inTrigger = !sql.equalsIgnoreCase(END);
        } else if (dialect == SqlDialect.SQLITE && TRIGGER.matcher(sql).matches()) {
          inTrigger = true;
        } else if (WANTED.matcher(sql).matches() && !isInternal(sql)) {
          run(sql, statement, number);
        } else if (BEGIN.matcher(sql).matches()) {
          isOpen = true;
        } else if (sql.equalsIgnoreCase(COMMIT)) {
          isOpen = false;
        }
      }
    }
    // SQLite ends a dump with a commit, and one that failed on damage with a rollback.
    if (isOpen) {
      throw CommandException.usage(
          name + ": the dump does not end with its commit, so it is not whole; make it again");
    }
  }

  /// Whether rows go to a table of SQLite itself, such as that of virtual tables.
  private boolean isInternal(String sql) {
    return dialect == SqlDialect.SQLITE && INTERNAL.matcher(sql).matches();
  }

  private @Nullable String read(ScriptReader reader) {
    try {
      return reader.readStatement();
    } catch (DbException e) {
      if (e.getCause() instanceof IOException cause) {
        throw new UncheckedIOException(name + ": " + cause.getMessage(), cause);
      }
      throw e;
    }
  }

  private void run(String sql, Statement statement, long number) {
    String ours = AUTHORIZATION.matcher(sql).replaceFirst("$1"); // its owner is a user of there
    try {
      statement.execute(ours);
    } catch (SQLException e) {
      throw CommandException.usage(
          name + ": statement " + number + " is refused by the database: " + e.getMessage(), e);
    }
  }
}
