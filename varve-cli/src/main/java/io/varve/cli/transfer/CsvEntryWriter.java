package io.varve.cli.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.cli.console.ByteEncoding;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.jspecify.annotations.Nullable;

/// Entries as rows of a CSV with a header.
public final class CsvEntryWriter implements EntryWriter {
  private final CSVPrinter csv;
  private final ByteEncoding encoding;

  /// Writes to `out`, which is flushed and closed with this writer.
  public CsvEntryWriter(OutputStream out, DumpEncoding encoding) {
    this.encoding = encoding.ofColumn();
    try {
      csv =
          CSVFormat.RFC4180
              .builder()
              .setRecordSeparator('\n')
              .get()
              .print(new BufferedWriter(new OutputStreamWriter(out, UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    print(
        "space",
        new EncodedField("key", this.encoding).fieldName(),
        new EncodedField("value", this.encoding).fieldName());
  }

  @Override
  public void write(String space, byte[] key, byte @Nullable [] value) {
    print(
        space,
        DumpEncoding.encode(encoding, key, key),
        value == null ? "" : DumpEncoding.encode(encoding, value, key));
  }

  private void print(String space, String key, String value) {
    try {
      csv.printRecord(space, key, value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      csv.close(/* flush= */ true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
