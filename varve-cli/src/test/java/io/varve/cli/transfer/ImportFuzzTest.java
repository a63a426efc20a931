package io.varve.cli.transfer;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.varve.Space;
import io.varve.cli.console.CommandException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/// Reads any bytes as each format that `load` takes: entries that a space takes, or a refusal that
/// names the location.
@Tag("fuzz")
class ImportFuzzTest {
  private static final String STANDARD_INPUT = "-";
  private static final Path NO_STORE = Path.of("no-store");

  /// The first byte selects with which options the rest is read.
  @FuzzTest(maxDuration = "3m")
  void csv(byte[] input) {
    readStream(SourceFormat.CSV, input);
  }

  @FuzzTest(maxDuration = "3m")
  void jsonLines(byte[] input) {
    readStream(SourceFormat.JSONL, input);
  }

  /// Some bytes of a file of Redis are changed: each pair of bytes states where, and to what.
  @FuzzTest(maxDuration = "3m")
  void rdb(byte[] input) throws IOException {
    byte[] file = Files.readAllBytes(Path.of("src/test/resources/dumps/redis-7.0.rdb"));
    for (int i = 0; i + 1 < input.length; i += 2) {
      file[(input[i] & 0xff) * file.length >> 8] = input[i + 1];
    }
    try {
      readAll(
          SourceFormat.open(
              STANDARD_INPUT,
              SourceFormat.RDB,
              options(3),
              new ByteArrayInputStream(file),
              NO_STORE));
    } catch (CommandException e) {
      // refused
    }
  }

  @FuzzTest(maxDuration = "3m")
  void sql(byte[] input) {
    readStream(SourceFormat.SQLITE, input);
  }

  @FuzzTest(maxDuration = "3m")
  void zip(byte[] input) throws IOException {
    Path file = Files.createTempFile("varve-fuzz-", ".zip");
    try {
      Files.write(file, input);
      readAll(
          SourceFormat.open(
              file.toString(), null, options(0), new ByteArrayInputStream(input), NO_STORE));
    } catch (CommandException e) {
      // refused
    } catch (UncheckedIOException e) {
      if (!(e.getCause() instanceof ZipException) && !isCutShort(e.getCause())) {
        throw e;
      }
    } finally {
      Files.delete(file);
    }
  }

  private static boolean isCutShort(IOException e) {
    return e instanceof java.io.EOFException;
  }

  private static void readStream(SourceFormat format, byte[] input) {
    int choice = input.length == 0 ? 0 : input[0];
    int from = Math.min(1, input.length);
    var stream = new ByteArrayInputStream(input, from, input.length - from);
    try {
      readAll(SourceFormat.open(STANDARD_INPUT, format, options(choice), stream, NO_STORE));
    } catch (CommandException e) {
      // refused
    }
  }

  private static SourceOptions options(int choice) {
    return switch (choice & 3) {
      case 0 -> new SourceOptions("s", null, null, true, false, null);
      case 1 -> new SourceOptions("s", "id", null, true, true, null);
      case 2 -> new SourceOptions("s", "/a/b", "/c", false, false, null);
      default -> new SourceOptions(null, null, null, true, false, null);
    };
  }

  private static void readAll(RecordSource source) {
    try (source) {
      for (@Nullable Incoming next = source.next(); next != null; next = source.next()) {
        if (next.key().length > Space.KEY_BYTES_MAX) {
          throw new AssertionError("key that no space takes: bytes=" + next.key().length);
        }
      }
    }
  }
}
