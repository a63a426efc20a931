package io.varve.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.Durability;
import io.varve.Space;
import io.varve.Store;
import io.varve.cli.console.CommandException;
import io.varve.cli.console.ExitCode;
import io.varve.cli.console.KeyText;
import io.varve.cli.transfer.SpaceNames;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "put",
    description = "Set the value of a key. Makes the store and the space if there are none.",
    footer =
        """

        A key is UTF-8 text in which \\n, \\t, \\0, \\\\ and \\xHH stand for bytes, or 0x
        and hex digits.
        A VALUE is text as it is. Without VALUE and --file it is read from standard input.

        Examples:
          varve put users alice '{"age": 42}'
          varve put images logo --file logo.png
          date | varve put log last-run\
        """)
final class PutCommand implements Callable<Integer> {
  private final Stores stores;

  @Parameters(index = "0", paramLabel = "SPACE", description = "Name of the space.")
  String space = "";

  @Parameters(index = "1", paramLabel = "KEY", description = "The key.")
  String key = "";

  @Parameters(index = "2", arity = "0..1", paramLabel = "VALUE", description = "The value.")
  @Nullable String value;

  @Mixin final KeyOptions keys = new KeyOptions();

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "Take the value from this file, of any size.")
  @Nullable Path file;

  @Option(
      names = "--durability",
      paramLabel = "NAME",
      description = "POWER_LOSS, PROCESS_CRASH or BACKGROUND. Default: POWER_LOSS.")
  Durability durability = Durability.POWER_LOSS;

  PutCommand(Stores stores) {
    this.stores = stores;
  }

  @Override
  public Integer call() {
    if (value != null && file != null) {
      throw CommandException.usage("give either VALUE or --file");
    }
    byte[] bytes = keys.key(key);
    return file == null ? putBytes(bytes, value()) : putFile(bytes, file);
  }

  private byte[] value() {
    if (value == null) {
      try {
        return stores.stdio().in().readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return keys.hex ? KeyText.parseHex(value) : value.getBytes(UTF_8);
  }

  private int putBytes(byte[] bytes, byte[] content) {
    return stores.useOrCreate(store -> {
      SpaceNames.make(store, space).with(durability).put(bytes, content);
      return ExitCode.OK;
    });
  }

  private int putFile(byte[] bytes, Path source) {
    try (InputStream content = Files.newInputStream(source)) {
      long length = Files.size(source);
      if (length == 0) { // a pipe has no length, and files of /proc name none
        return putBytes(bytes, content.readAllBytes());
      }
      return stores.useOrCreate(store -> putStream(store, bytes, content, length));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int putStream(Store store, byte[] bytes, InputStream content, long length) {
    if (length > Space.VALUE_BYTES_MAX) {
      throw CommandException.usage(
          "value too long: bytes=" + length + ", max=" + Space.VALUE_BYTES_MAX);
    }
    SpaceNames.make(store, space).put(bytes, content, length);
    return ExitCode.OK;
  }
}
