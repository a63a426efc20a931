package io.varve.cli;

import static java.util.Objects.requireNonNull;

import io.varve.Cursor;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.cli.console.ByteEncoding;
import io.varve.cli.console.CommandException;
import io.varve.cli.console.ExitCode;
import io.varve.cli.console.Interrupts;
import io.varve.cli.console.KeyText;
import io.varve.cli.transfer.DumpEncoding;
import io.varve.cli.transfer.EntryWriter;
import io.varve.cli.transfer.JsonEntryWriter;
import io.varve.control.ControlClient;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "scan",
    description = "Print entries in key order, from one snapshot.",
    footer =
        """

        A key is UTF-8 text in which \\n, \\t, \\0, \\\\ and \\xHH stand for bytes, or 0x
        and hex digits.
        Keys are printed the same way. Key and value are separated by a tab.

        Examples:
          varve scan users
          varve scan log --from 2025-06-01 --to 2025-07-01 --keys
          varve scan log --reverse --limit 10
          varve scan users --output json | jq .key\
        """)
final class ScanCommand implements Callable<Integer> {
  /// On a terminal a value takes about a line; a user who wants more can ask for it.
  private static final int TERMINAL_VALUE_CHARS = 100;

  /// How entries are printed.
  enum Output {
    TEXT,
    HEX,
    JSON
  }

  private final Stores stores;

  @Parameters(index = "0", paramLabel = "SPACE", description = "Name of the space.")
  String space = "";

  @Mixin final RangeOptions range = new RangeOptions();

  @Option(
      names = {"-r", "--reverse"},
      description = "From the last key to the first.")
  boolean reverse;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "COUNT",
      description = "At most so many entries.")
  long limit = Long.MAX_VALUE;

  @Option(
      names = {"-k", "--keys"},
      description = "Keys without values.")
  boolean keysOnly;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "text (with escapes), hex, or json (a line each). Default: ${DEFAULT-VALUE}.")
  Output output = Output.TEXT;

  @Option(names = "--json", description = "The same as --output json.")
  boolean json;

  @Option(
      names = {"-w", "--width"},
      paramLabel = "CHARS",
      description =
          "Cut text values after so many characters, 0 for never. Default: "
              + TERMINAL_VALUE_CHARS
              + " on a terminal, otherwise never.")
  @Nullable Integer width;

  ScanCommand(Stores stores) {
    this.stores = stores;
  }

  @Override
  public Integer call() {
    if (limit < 0) {
      throw CommandException.usage("--limit is negative: limit=" + limit + "; give 0 or more");
    }
    if (width != null && width < 0) {
      throw CommandException.usage("--width is negative: width=" + width + "; give 0 or more");
    }
    return stores.look(store -> scan(Stores.requireSpace(store, space)), this::scan);
  }

  private int scan(Space source) {
    try (Snapshot snapshot = source.store().snapshot();
        Cursor cursor = snapshot.cursor(source, range.range());
        EntryWriter writer = writer()) {
      boolean found = reverse ? cursor.last() : cursor.first();
      for (long printed = 0; found && printed < limit; printed++) {
        Interrupts.check();
        writer.write(space, cursor.key(), keysOnly ? null : cursor.value());
        found = reverse ? cursor.previous() : cursor.next();
      }
    }
    return ExitCode.OK;
  }

  private int scan(ControlClient client) {
    try (EntryWriter writer = writer()) {
      client.scan(
          space,
          range.range(),
          reverse,
          keysOnly,
          limit,
          (key, value) -> {
            Interrupts.check();
            writer.write(space, key, value);
          });
    }
    return ExitCode.OK;
  }

  private EntryWriter writer() {
    return switch (json ? Output.JSON : output) {
      case TEXT -> this::printText;
      case HEX -> this::printHex;
      case JSON -> new JsonEntryWriter(stores.stdio().out(), DumpEncoding.AUTO);
    };
  }

  private void printText(String ignored, byte[] key, byte @Nullable [] value) {
    printLine(KeyText.print(key), value == null ? null : cut(KeyText.print(value)));
  }

  private void printHex(String ignored, byte[] key, byte @Nullable [] value) {
    printLine(hex(key), value == null ? null : hex(value));
  }

  private void printLine(String key, @Nullable String value) {
    stores.stdio().println(value == null ? key : key + "\t" + value);
  }

  private static String hex(byte[] bytes) {
    return requireNonNull(ByteEncoding.HEX.encode(bytes));
  }

  private String cut(String value) {
    int chars = width();
    return chars == 0 || value.length() <= chars ? value : value.substring(0, chars) + "...";
  }

  private int width() {
    if (width != null) {
      return width;
    }
    return stores.stdio().outIsTerminal() ? TERMINAL_VALUE_CHARS : 0;
  }
}
