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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
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
        value is stored once its length is known. It is encrypted there.

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
    return put(target -> target.put(bytes, content));
  }

  /// Puts into the space. A key may be too long, or a value be none that an index can read.
  private int put(Consumer<Space> put) {
    return stores.useOrCreate(store -> {
      Space target = SpaceNames.make(store, space).with(durability);
      try {
        put.accept(target);
      } catch (IllegalArgumentException e) {
        throw CommandException.usage(String.valueOf(e.getMessage()), e);
      }
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
    return put(target -> target.put(bytes, content, length));
  }

  private int putUnmeasured(byte[] bytes, InputStream content) throws IOException {
    byte[] first = content.readNBytes(HELD_BYTES_MAX);
    if (first.length < HELD_BYTES_MAX) {
      return putBytes(bytes, first);
    }
    var whole = new SequenceInputStream(new ByteArrayInputStream(first), content);
    try (ValueFile spooled = ValueFile.open()) {
      copy(whole, spooled);
      return putStream(bytes, spooled.content(), spooled.length());
    }
  }

  private static void copy(InputStream content, OutputStream out) throws IOException {
    byte[] piece = new byte[HELD_BYTES_MAX];
    long length = 0;
    for (int read = content.read(piece); read >= 0; read = content.read(piece)) {
      Interrupts.check();
      if (length + read > Space.VALUE_BYTES_MAX) {
        throw CommandException.usage(
            "value too long: it has not ended after bytes="
                + length
                + ", max="
                + Space.VALUE_BYTES_MAX);
      }
      out.write(piece, 0, read);
      length += read;
    }
  }
}
