package io.varve.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.Durability;
import io.varve.Space;
import io.varve.cli.console.CommandException;
import io.varve.cli.console.ExitCode;
import io.varve.cli.console.Interrupts;
import io.varve.cli.console.KeyText;
import io.varve.cli.transfer.SpaceNames;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
        A pipe of more than 1 MiB is first written to the directory for temporary files, since a
        value is stored once its length is known.

        Examples:
          varve put users alice '{"age": 42}'
          varve put images logo --file logo.png
          date | varve put log last-run\
        """)
final class PutCommand implements Callable<Integer> {
  /// What of a value of unknown length is held in memory; a longer one goes through a file.
  private static final int HELD_BYTES_MAX = 1 << 20;

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
    if (value != null) {
      return putBytes(bytes, keys.hex ? KeyText.parseHex(value) : value.getBytes(UTF_8));
    }
    try {
      return file == null ? putUnmeasured(bytes, stores.stdio().in()) : putFile(bytes, file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int putBytes(byte[] bytes, byte[] content) {
    return stores.useOrCreate(store -> {
      SpaceNames.make(store, space).with(durability).put(bytes, content);
      return ExitCode.OK;
    });
  }

  private int putFile(byte[] bytes, Path source) throws IOException {
    try (InputStream content = Files.newInputStream(source)) {
      long length = Files.size(source);
      return length == 0 // a pipe has no length, and files of /proc name none
          ? putUnmeasured(bytes, content)
          : putStream(bytes, content, length);
    }
  }

  private int putStream(byte[] bytes, InputStream content, long length) {
    if (length > Space.VALUE_BYTES_MAX) {
      throw CommandException.usage(
          "value too long: bytes=" + length + ", max=" + Space.VALUE_BYTES_MAX);
    }
    return stores.useOrCreate(store -> {
      SpaceNames.make(store, space).with(durability).put(bytes, content, length);
      return ExitCode.OK;
    });
  }

  private int putUnmeasured(byte[] bytes, InputStream content) throws IOException {
    byte[] first = content.readNBytes(HELD_BYTES_MAX);
    return first.length < HELD_BYTES_MAX
        ? putBytes(bytes, first)
        : putThroughFile(bytes, new SequenceInputStream(new ByteArrayInputStream(first), content));
  }

  /// Puts a value once its length is known: until then it is in a temporary file. That has no name
  /// any more when it is open, so that nothing is left of it, even after a kill.
  private int putThroughFile(byte[] bytes, InputStream content) throws IOException {
    try (FileChannel spooled =
        FileChannel.open(
            Files.createTempFile("varve-put-", null),
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE)) {
      OutputStream out = Channels.newOutputStream(spooled);
      byte[] piece = new byte[HELD_BYTES_MAX];
      for (int read = content.read(piece); read >= 0; read = content.read(piece)) {
        Interrupts.check();
        if (spooled.position() + read > Space.VALUE_BYTES_MAX) {
          throw CommandException.usage(
              "value too long: it has not ended after bytes="
                  + spooled.position()
                  + ", max="
                  + Space.VALUE_BYTES_MAX);
        }
        out.write(piece, 0, read);
      }
      long length = spooled.position();
      return putStream(bytes, Channels.newInputStream(spooled.position(0)), length);
    }
  }
}
