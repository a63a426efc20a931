package io.varve.cli.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.Entry;
import io.varve.cli.console.CommandException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The rows of an SQL dump as entries: each table is a space, its primary key the key, and the row
/// a JSON object. The dump is read into a database of the kind that wrote it, in a directory for
/// temporary files; then its tables are read, each in the order of its key.
///
/// So there are two halves of the work, and each counts for half of the dump's bytes.
final class SqlSource implements RecordSource {
  private final String name;
  private final CountingInput input;
  private final long totalBytes;
  private final SourceOptions options;
  private final SqlDialect dialect;
  private @Nullable Path directory;
  private @Nullable Connection database;
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
    Path made = Files.createTempDirectory("varve-load-");
    directory = made;
    Connection opened = dialect.connect(made);
    database = opened;
    new SqlDump(name, dialect).run(new InputStreamReader(input, UTF_8.newDecoder()), opened);
    List<SqlTable> all = SqlTable.of(opened, name, options.table());
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
    try (input) {
      Connection opened = database;
      if (opened != null) {
        opened.close();
      }
    } catch (SQLException e) {
      throw CommandException.usage(name + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      deleteDirectory();
    }
  }

  private void deleteDirectory() {
    Path made = directory;
    if (made != null) {
      try (Stream<Path> files = Files.walk(made)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
