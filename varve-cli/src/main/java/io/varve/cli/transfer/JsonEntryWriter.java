package io.varve.cli.transfer;

import io.varve.cli.console.ByteEncoding;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// Entries as JSON objects, one a line.
public final class JsonEntryWriter implements EntryWriter {
  private final JsonGenerator json;
  private final DumpEncoding encoding;

  /// Writes to `out`, which is flushed and closed with this writer.
  public JsonEntryWriter(OutputStream out, DumpEncoding encoding) {
    this.encoding = encoding;
    json = Json.MAPPER.writer().withRootValueSeparator("").createGenerator(out);
  }

  @Override
  public void write(String space, byte[] key, byte @Nullable [] value) {
    json.writeStartObject();
    json.writeStringProperty("space", space);
    writeBytes("key", key, key);
    if (value != null) {
      writeBytes("value", value, key);
    }
    json.writeEndObject();
    json.writeRaw('\n');
  }

  private void writeBytes(String name, byte[] bytes, byte[] key) {
    ByteEncoding chosen = encoding.of(bytes);
    json.writeStringProperty(
        new EncodedField(name, chosen).fieldName(), DumpEncoding.encode(chosen, bytes, key));
  }

  @Override
  public void close() {
    json.close();
  }
}
