package io.varve.cli.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import io.varve.cli.console.CommandException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/// Rows of a CSV as entries. All rows have as many fields as the first.
final class CsvSource implements RecordSource {
  /// A field may be large, as a file in a dump is; this only stops a runaway quote.
  private static final int FIELD_CHARS_MAX = 1 << 28;

  private final String name;
  private final CountingInput input;
  private final long totalBytes;
  private final CsvReader<CsvRecord> reader;
  private final Iterator<CsvRecord> rows;
  private final @Nullable CsvColumns columns;
  private @Nullable CsvRecord pending;

  CsvSource(
      String name, CountingInput input, long totalBytes, char separator, SourceOptions options) {
    this.name = name;
    this.input = input;
    this.totalBytes = totalBytes;
    // A decoder that reports: the replacement character would silently change what is stored.
    Reader text = new InputStreamReader(input, UTF_8.newDecoder());
    reader =
        CsvReader.builder()
            .fieldSeparator(separator)
            .maxBufferSize(FIELD_CHARS_MAX)
            .allowExtraFields(true)
            .allowMissingFields(true)
            .ofCsvRecord(text);
    rows = reader.iterator();
    CsvRecord first = read();
    columns = first == null ? null : CsvColumns.of(first, options, place(first));
    pending = options.hasHeader() ? null : first;
  }

  @Override
  public @Nullable Incoming next() {
    if (columns == null) {
      return null;
    }
    CsvRecord row = pending == null ? read() : pending;
    pending = null;
    return row == null ? null : columns.entry(row, place(row));
  }

  private InputPlace place(CsvRecord row) {
    return new InputPlace(name, row.getStartingLineNumber());
  }

  private @Nullable CsvRecord read() {
    try {
      return rows.hasNext() ? rows.next() : null;
    } catch (CsvParseException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw CommandException.usage(name + ": " + e.getMessage() + ": " + cause.getMessage(), e);
    }
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
      reader.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
