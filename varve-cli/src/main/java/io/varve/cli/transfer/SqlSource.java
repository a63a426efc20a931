package io.varve.cli.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.Entry;
import io.varve.cli.console.CommandException;
import io.varve.cli.console.Shutdown;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The rows of an SQL dump as entries: each table is a space, its primary key the key, and the row
/// a JSON object. The dump is read into a database of the kind that wrote it, in a directory for
/// temporary files; then its tables are read, each in the order of its key.
///
/// So there are two halves of the work, and each counts for half of the dump's bytes.
///
/// The database is all that the dump holds, so it is deleted by a signal, too.
final class SqlSource implements RecordSource {
  private final String name;
  private final CountingInput input;
  private final long totalBytes;
  private final SourceOptions options;
  private final SqlDialect dialect;

  /// Registered before what uses the source, and so run after it.
  private final Shutdown.Hook onSignal = Shutdown.onSignal(this::discard);

  private @Nullable WorkDirectory directory; // guarded by this
  private @Nullable Connection database; // guarded by this
  private boolean isDiscarded; // guarded by this
  private @Nullable Iterator<SqlTable> tables;
  private @Nullable SqlTable table;
  private @Nullable ResultSet rows;
  private long rowCount;
  private final AtomicLong rowsRead = new AtomicLong();
  private volatile boolean isRead;

  SqlSource(
      String name,
      CountingInput input,
      long totalBytes,
      SourceOptions options,
      SqlDialect dialect) {
    this.name = name;
    this.input = input;
    this.totalBytes = totalBytes;
    this.options = options;
    this.dialect = dialect;
  }

  @Override
  public @Nullable Incoming next() {
    try {
      Iterator<SqlTable> all = tables == null ? readDump() : tables;
      while (true) {
        ResultSet current = rows;
        SqlTable source = table;
        if (current != null && source != null && current.next()) {
          rowsRead.incrementAndGet();
          Entry entry = source.entry(current, options);
          String space =
              options.space() == null
                  ? dialect.spaceOf(source.schema(), source.name())
                  : options.space();
          return new Incoming.Whole(space, entry);
        }
        if (current != null) {
          current.getStatement().close();
          rows = null;
        }
        if (!all.hasNext()) {
          return null;
        }
        table = all.next();
        rows = table.rows();
      }
    } catch (SQLException e) {
      throw CommandException.usage(name + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Iterator<SqlTable> readDump() throws SQLException, IOException {
    Connection opened = open();
    new SqlDump(name, dialect).run(new InputStreamReader(input, UTF_8.newDecoder()), opened);
    List<SqlTable> all = SqlTable.of(dialect, opened, name, options.table());
    if (options.space() != null && all.size() > 1) {
      throw CommandException.usage(
          "--space is for one table, and there are several: "
              + String.join(", ", all.stream().map(SqlTable::name).toList())
              + "; name one by --table, or leave --space out: each has a space of its name then");
    }
    try (Statement statement = opened.createStatement()) {
      for (SqlTable each : all) {
        rowCount += each.count(statement);
      }
    }
    isRead = true;
    Iterator<SqlTable> iterator = all.iterator();
    tables = iterator;
    return iterator;
  }

  private synchronized Connection open() throws SQLException, IOException {
    if (isDiscarded) {
      throw new IllegalStateException("the source is closed: input=" + name);
    }
    WorkDirectory made = WorkDirectory.create();
    directory = made;
    Connection opened = dialect.connect(made.content());
    database = opened;
    return opened;
  }

  @Override
  public long totalBytes() {
    return totalBytes;
  }

  @Override
  public long bytesRead() {
    long half = input.count() / 2;
    return isRead && totalBytes > 0 && rowCount > 0
        ? half + Math.round((double) totalBytes / 2 * rowsRead.get() / rowCount)
        : half;
  }

  @Override
  public void close() {
    try (input;
        onSignal) {
      discard();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Closes the database and deletes it, unless that was done. After a signal the thread that reads
  /// it finds it closed.
  private synchronized void discard() {
    isDiscarded = true;
    Connection opened = database;
    WorkDirectory made = directory;
    database = null;
    directory = null;
    try {
      if (opened != null) {
        opened.close();
      }
    } catch (SQLException e) {
      throw CommandException.usage(name + ": " + e.getMessage(), e);
    } finally {
      if (made != null) {
        made.close();
      }
    }
  }
}
