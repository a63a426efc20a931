package io.varve.cli.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.cli.console.CommandException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What an input is.
public enum SourceFormat {
  /// Fields between commas.
  CSV,

  /// Fields between tabs, quoted as in a CSV.
  TSV,

  /// Fields between semicolons, quoted as in a CSV: what spreadsheets write as CSV where the comma
  /// is that of decimals.
  SSV,

  /// A JSON value on each line.
  JSONL,

  /// A directory or zip.
  FILES,

  /// A file of Redis, of all its databases.
  RDB,

  /// What `SCRIPT` of H2 writes.
  H2,

  /// What `.dump` of SQLite writes.
  SQLITE;

  private static final String STANDARD_INPUT = "-";
  private static final int SQL_START_BYTES = 64;

  /// The end of the name of a file that gzip has compressed.
  private static final String COMPRESSED = ".gz";

  /// What spreadsheets, and editors of Windows, write before text in UTF-8.
  private static final byte[] BYTE_ORDER_MARK = "\uFEFF".getBytes(UTF_8);

  /// Opens the input that the command line names.
  ///
  /// @param format what it is, or null to go by its name
  /// @param standardInput read if `source` is `-`
  /// @param store the directory of the store, whose files are no files to load
  public static RecordSource open(
      String source,
      @Nullable SourceFormat format,
      SourceOptions options,
      InputStream standardInput,
      Path store) {
    try {
      if (source.equals(STANDARD_INPUT)) {
        if (format == null || format == FILES) {
          throw CommandException.usage(
              "standard input needs --format csv, tsv, ssv, jsonl, rdb, h2 or sqlite");
        }
        return format.read("standard input", standardInput, -1, options);
      }
      Path path = Path.of(source);
      SourceFormat known = format == null ? guess(path) : format;
      if (known == FILES) {
        return new FilesSource(FileTree.of(path, store), options);
      }
      long totalBytes = isCompressed(path) ? -1 : Files.size(path);
      return known.read(source, content(path), totalBytes, options);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SourceFormat guess(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      return FILES;
    }
    String name = lowerName(path);
    if (isCompressed(path)) {
      name = name.substring(0, name.length() - COMPRESSED.length());
    }
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "csv" -> CSV;
      case "tsv" -> TSV;
      case "ssv" -> SSV;
      case "json", "jsonl", "ndjson" -> JSONL;
      case "zip", "jar", "jmod" -> FILES;
      case "rdb" -> RDB;
      case "sql" -> guessSql(path);
      default ->
          throw CommandException.usage("the name shows no format; name it by --format: " + path);
    };
  }

  private static String lowerName(Path path) {
    return String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT);
  }

  private static boolean isCompressed(Path path) {
    return lowerName(path).endsWith(COMPRESSED);
  }

  /// The bytes of a file, unpacked if its name ends so.
  private static InputStream content(Path path) throws IOException {
    return isCompressed(path) ? GzipFile.open(path) : Files.newInputStream(path);
  }

  /// Both databases begin their dumps with a line of their own.
  private static SourceFormat guessSql(Path path) throws IOException {
    byte[] start;
    try (InputStream input = withoutMark(content(path))) {
      start = input.readNBytes(SQL_START_BYTES);
    }
    String text = new String(start, UTF_8).stripLeading();
    if (text.startsWith("-- H2 ")) {
      return H2;
    }
    if (text.startsWith("PRAGMA ") || text.startsWith("BEGIN TRANSACTION;")) {
      return SQLITE;
    }
    throw CommandException.usage(
        "neither H2 nor SQLite begins a dump so; name it by --format: " + path);
  }

  /// Text without a byte order mark, which is no part of it.
  private static InputStream withoutMark(InputStream input) throws IOException {
    var text = new PushbackInputStream(input, BYTE_ORDER_MARK.length);
    byte[] start = text.readNBytes(BYTE_ORDER_MARK.length);
    if (!Arrays.equals(start, BYTE_ORDER_MARK)) {
      text.unread(start);
    }
    return text;
  }

  private RecordSource read(String name, InputStream input, long totalBytes, SourceOptions options)
      throws IOException {
    var counting = new CountingInput(this == RDB ? input : withoutMark(input));
    return switch (this) {
      case CSV -> new CsvSource(name, counting, totalBytes, ',', options);
      case SSV -> new CsvSource(name, counting, totalBytes, ';', options);
      case TSV -> new CsvSource(name, counting, totalBytes, '\t', options);
      case JSONL -> new JsonLinesSource(name, counting, totalBytes, options);
      case RDB -> new RdbSource(name, counting, totalBytes, options);
      case H2 -> new SqlSource(name, counting, totalBytes, options, SqlDialect.H2);
      case SQLITE -> new SqlSource(name, counting, totalBytes, options, SqlDialect.SQLITE);
      case FILES -> throw new IllegalStateException("files are no stream: name=" + name);
    };
  }
}
