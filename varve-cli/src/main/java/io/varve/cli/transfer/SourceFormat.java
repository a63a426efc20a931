package io.varve.cli.transfer;

import io.varve.cli.console.CommandException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What an input is.
public enum SourceFormat {
  /// Fields between commas.
  CSV,

  /// Fields between tabs, quoted as in a CSV.
  TSV,

  /// A JSON value on each line.
  JSONL,

  /// A directory or zip.
  FILES;

  private static final String STANDARD_INPUT = "-";

  /// Opens the input that the command line names.
  ///
  /// @param format what it is, or null to go by its name
  /// @param standardInput read if `source` is `-`
  public static RecordSource open(
      String source,
      @Nullable SourceFormat format,
      SourceOptions options,
      InputStream standardInput) {
    try {
      if (source.equals(STANDARD_INPUT)) {
        if (format == null || format == FILES) {
          throw CommandException.usage("standard input needs --format csv, tsv or jsonl");
        }
        return format.read("standard input", standardInput, -1, options);
      }
      Path path = Path.of(source);
      SourceFormat known = format == null ? guess(path) : format;
      return known == FILES
          ? new FilesSource(FileTree.of(path), options)
          : known.read(source, Files.newInputStream(path), Files.size(path), options);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SourceFormat guess(Path path) {
    if (Files.isDirectory(path)) {
      return FILES;
    }
    String name = String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT);
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "csv" -> CSV;
      case "tsv" -> TSV;
      case "json", "jsonl", "ndjson" -> JSONL;
      case "zip", "jar", "jmod" -> FILES;
      default ->
          throw CommandException.usage("the name does not tell the format, --format does: " + path);
    };
  }

  private RecordSource read(String name, InputStream input, long totalBytes, SourceOptions options)
      throws IOException {
    var counting = new CountingInput(input);
    return switch (this) {
      case CSV -> new CsvSource(name, counting, totalBytes, ',', options);
      case TSV -> new CsvSource(name, counting, totalBytes, '\t', options);
      case JSONL -> new JsonLinesSource(name, counting, totalBytes, options);
      case FILES -> throw new IllegalStateException("files are no stream: name=" + name);
    };
  }
}
