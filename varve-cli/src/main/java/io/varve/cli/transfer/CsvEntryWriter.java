package io.varve.cli.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import io.varve.cli.console.ByteEncoding;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/// Entries as rows of a CSV with a header.
public final class CsvEntryWriter implements EntryWriter {
  private final CsvWriter csv;
  private final ByteEncoding encoding;

  /// Writes to `out`, which is flushed and closed with this writer.
  public CsvEntryWriter(OutputStream out, DumpEncoding encoding) {
    this.encoding = encoding.ofColumn();
    csv = CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(out, UTF_8);
    csv.writeRecord(
        "space",
        new EncodedField("key", this.encoding).fieldName(),
        new EncodedField("value", this.encoding).fieldName());
  }

  @Override
  public void write(String space, byte[] key, byte @Nullable [] value) {
    csv.writeRecord(
        space,
        DumpEncoding.encode(encoding, key, key),
        value == null ? "" : DumpEncoding.encode(encoding, value, key));
  }

  @Override
  public void close() {
    try {
      csv.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
