package io.varve.cli;

import static java.util.Objects.requireNonNull;

import io.varve.Space;
import io.varve.cli.console.ByteEncoding;
import io.varve.cli.console.CommandException;
import io.varve.cli.console.ExitCode;
import io.varve.cli.console.KeyText;
import io.varve.cli.console.Stdio;
import io.varve.cli.transfer.DumpEncoding;
import io.varve.cli.transfer.JsonEntryWriter;
import io.varve.control.ControlClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "get",
    description = "Print the value of a key.",
    footer =
        """

        A key is UTF-8 text in which \\n, \\t, \\0, \\\\ and \\xHH stand for bytes, or 0x
        and hex digits.
        Exit code 1 if the space or the key is absent.

        Examples:
          varve get users alice
          varve get images 0x0001ff > picture.png
          varve get files java.base/java/lang/String.java | less\
        """)
final class GetCommand implements Callable<Integer> {
  /// How the value is printed.
  enum Output {
    RAW,
    TEXT,
    HEX,
    BASE64,
    JSON
  }

  private final Stores stores;

  @Parameters(index = "0", paramLabel = "SPACE", description = "Name of the space.")
  String space = "";

  @Parameters(index = "1", paramLabel = "KEY", description = "The key.")
  String key = "";

  @Mixin final KeyOptions keys = new KeyOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "raw",
      description =
          "raw: the bytes as they are, text: on one line with escapes, hex, base64, or json: as "
              + "'scan' prints an entry. Default: ${DEFAULT-VALUE}.")
  Output output = Output.RAW;

  @Option(names = "--json", description = "The same as --output json.")
  boolean json;

  GetCommand(Stores stores) {
    this.stores = stores;
  }

  @Override
  public Integer call() {
    if (json) {
      output = Output.JSON;
    }
    byte[] bytes = keys.key(key);
    boolean present =
        stores.look(
            store -> print(Stores.requireSpace(store, space), bytes),
            client -> print(client, bytes));
    if (!present) {
      throw CommandException.notFound("no such key in " + space + ": " + KeyText.print(bytes));
    }
    return ExitCode.OK;
  }

  private boolean print(Space found, byte[] bytes) {
    return output == Output.RAW ? copy(found, bytes) : printEncoded(bytes, found.get(bytes));
  }

  private boolean print(ControlClient client, byte[] bytes) {
    if (output == Output.RAW) {
      return endLine(client.get(space, bytes, stores.stdio().out()));
    }
    var value = new ByteArrayOutputStream();
    return client.get(space, bytes, value) && printEncoded(bytes, value.toByteArray());
  }

  /// Streams the value, which may be larger than the heap.
  private boolean copy(Space found, byte[] bytes) {
    Stdio stdio = stores.stdio();
    try (InputStream value = found.read(bytes)) {
      if (value == null) {
        return false;
      }
      value.transferTo(stdio.out());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return endLine(true);
  }

  /// Keeps the prompt off the last line of a value.
  private boolean endLine(boolean present) {
    if (present && stores.stdio().outIsTerminal()) {
      stores.stdio().println("");
    }
    return present;
  }

  private boolean printEncoded(byte[] bytes, byte @Nullable [] value) {
    if (value == null) {
      return false;
    }
    switch (output) {
      case RAW, TEXT -> stores.stdio().println(KeyText.print(value));
      case HEX -> stores.stdio().println(requireNonNull(ByteEncoding.HEX.encode(value)));
      case BASE64 -> stores.stdio().println(requireNonNull(ByteEncoding.BASE64.encode(value)));
      case JSON -> {
        try (var writer = new JsonEntryWriter(stores.stdio().out(), DumpEncoding.AUTO)) {
          writer.write(space, bytes, value);
        }
      }
    }
    return true;
  }
}
