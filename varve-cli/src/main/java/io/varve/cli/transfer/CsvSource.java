package io.varve.cli.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/// Rows of a CSV as entries. All rows have as many fields as the first; empty lines are passed
/// over.
final class CsvSource implements RecordSource {
  /// What separates the fields of other formats, and the names of these. A comma may be in a name.
  private static final Map<String, String> OTHER_SEPARATORS =
      new TreeMap<>(Map.of(";", "ssv", "\t", "tsv"));

  /// The first field of a line from which spreadsheets learn the separator.
  private static final Pattern SEPARATOR_LINE = Pattern.compile("sep=.?");

  private final String name;
  private final CountingInput input;
  private final long totalBytes;
  private final CSVParser parser;
  private final Iterator<CSVRecord> rows;
  private final @Nullable CsvColumns columns;

  /// The line on which the row last read begins.
  private long line;

  private @Nullable CSVRecord pending;

  CsvSource(
      String name, CountingInput input, long totalBytes, char separator, SourceOptions options)
      throws IOException {
    this.name = name;
    this.input = input;
    this.totalBytes = totalBytes;
    // A decoder that reports: the replacement character would silently change what is stored.
    parser =
        CSVFormat.RFC4180
            .builder()
            .setDelimiter(separator)
            .setIgnoreEmptyLines(false)
            .get()
            .parse(new InputStreamReader(input, UTF_8.newDecoder()));
    rows = parser.iterator();
    CSVRecord first = read();
    if (first != null && options.hasHeader()) {
      requireSeparated(first);
    }
    columns = first == null ? null : CsvColumns.of(first, options, place());
    pending = options.hasHeader() ? null : first;
  }

  /// Refuses a header of one name that has separators in it: all of each row would be its key. And
  /// a line that names the separator, whose columns would be those of all rows.
  private void requireSeparated(CSVRecord header) {
    String only = header.get(0);
    if (SEPARATOR_LINE.matcher(only).matches()) {
      throw place()
          .error(
              "the first line is for a spreadsheet, and names no columns; remove the line 'sep='");
    }
    if (header.size() > 1) {
      return;
    }
    for (Map.Entry<String, String> other : OTHER_SEPARATORS.entrySet()) {
      if (only.contains(other.getKey())) {
        throw place()
            .error(
                "the one column has a separator in its name: name="
                    + only
                    + "; load it by --format "
                    + other.getValue()
                    + ", or rename the column");
      }
    }
  }

  @Override
  public @Nullable Incoming next() {
    if (columns == null) {
      return null;
    }
    CSVRecord row = pending == null ? read() : pending;
    pending = null;
    return row == null ? null : columns.entry(row, place());
  }

  private InputPlace place() {
    return new InputPlace(name, line);
  }

  private @Nullable CSVRecord read() {
    CSVRecord row = readLine();
    while (row != null && row.size() == 1 && row.get(0).isEmpty()) {
      row = readLine();
    }
    return row;
  }

  private @Nullable CSVRecord readLine() {
    line = parser.getCurrentLineNumber() + 1;
    try {
      return rows.hasNext() ? rows.next() : null;
    } catch (UncheckedIOException e) {
      throw explain(e);
    }
  }

  private RuntimeException explain(UncheckedIOException failure) {
    return switch (failure.getCause()) {
      case CSVException cause ->
          place()
              .error(
                  "a field in quotes does not end, or more follows its end: " + cause.getMessage(),
                  cause);
      case CharacterCodingException cause -> place().notUtf8(cause);
      case null, default -> failure;
    };
  }

  @Override
  public long totalBytes() {
    return totalBytes;
  }

  @Override
  public long bytesRead() {
    return input.count();
  }

  @Override
  public void close() {
    try {
      parser.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
