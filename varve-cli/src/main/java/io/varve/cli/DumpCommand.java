package io.varve.cli;

import io.varve.Cursor;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.cli.console.ExitCode;
import io.varve.cli.console.Interrupts;
import io.varve.cli.console.Progress;
import io.varve.cli.console.ProgressUnit;
import io.varve.cli.console.Shutdown;
import io.varve.cli.transfer.CsvEntryWriter;
import io.varve.cli.transfer.DumpEncoding;
import io.varve.cli.transfer.EntryWriter;
import io.varve.cli.transfer.JsonEntryWriter;
import io.varve.item.ItemCursor;
import io.varve.item.ItemSnapshot;
import io.varve.item.ItemSpace;
import java.io.OutputStream;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "dump",
    description = "Write all entries of some or all spaces, from one snapshot, for 'load' to read.",
    footer =
        """

        Fields are space, key and value. A name like key:hex or value:base64 names how the field is
        encoded. With 'auto', the default of jsonl, what is not UTF-8 is base64, field by field.
        Indexes and codecs are left out: 'varve backup' copies all of the store.

        Examples:
          varve dump > everything.jsonl
          varve dump users --format csv > users.csv
          varve dump images --format csv --encoding base64 | gzip > images.csv.gz\
        """)
final class DumpCommand implements Callable<Integer> {
  /// How entries are written.
  enum Format {
    JSONL,
    CSV
  }

  private static final byte[] NO_VALUE = {};

  private final Stores stores;
  private final AtomicLong written = new AtomicLong();

  @Parameters(arity = "0..*", paramLabel = "SPACE", description = "The spaces. Default: all.")
  List<String> spaces = List.of();

  @Option(names = "--format", paramLabel = "FORMAT", description = "jsonl or csv. Default: jsonl.")
  Format format = Format.JSONL;

  @Option(
      names = "--encoding",
      paramLabel = "FORMAT",
      description = "text (UTF-8), hex, base64, or for jsonl auto. Default: auto, for csv text.")
  DumpEncoding encoding = DumpEncoding.AUTO;

  DumpCommand(Stores stores) {
    this.stores = stores;
  }

  @Override
  public Integer call() {
    return stores.read(this::dump);
  }

  private int dump(Store store) {
    List<String> names = spaces.isEmpty() ? allSpaces(store) : spaces;
    List<Space> found = names.stream().map(name -> Stores.requireSpace(store, name)).toList();
    Set<String> layered = ItemLayers.itemSpaces(store); // 'load' makes no layers
    try (Shutdown.Hook _ = Shutdown.onSignal(this::reportInterrupt);
        Snapshot snapshot = store.snapshot();
        EntryWriter writer = writer();
        var _ = progress(snapshot, found)) {
      for (Space space : found) {
        if (layered.contains(space.name())) {
          dump(store.items(space.name()), writer);
        } else {
          dump(snapshot, space, writer);
        }
      }
    }
    return ExitCode.OK;
  }

  private void reportInterrupt() {
    stores.stdio().err().println("varve: interrupted: the dump is not whole; dump again");
  }

  private static List<String> allSpaces(Store store) {
    return store.spaceNames().stream().filter(name -> !ItemLayers.isLayer(name)).toList();
  }

  private Progress progress(Snapshot snapshot, List<Space> found) {
    long total = found.stream().mapToLong(space -> snapshot.count(space, Range.all())).sum();
    return Progress.start(stores.stdio(), "dump", ProgressUnit.COUNT, total, written::get);
  }

  /// Dumps items as the entries that they are when they are merged: keys without values.
  private void dump(ItemSpace items, EntryWriter writer) {
    try (ItemSnapshot snapshot = items.snapshot()) {
      ItemCursor cursor = snapshot.cursor();
      while (cursor.next()) {
        Interrupts.check();
        writer.write(items.name(), cursor.toBytes(), NO_VALUE);
        written.setOpaque(written.getPlain() + 1);
      }
    }
  }

  private void dump(Snapshot snapshot, Space space, EntryWriter writer) {
    try (Cursor cursor = snapshot.cursor(space, Range.all())) {
      while (cursor.next()) {
        Interrupts.check();
        writer.write(space.name(), cursor.key(), cursor.value());
        written.setOpaque(written.getPlain() + 1);
      }
    }
  }

  private EntryWriter writer() {
    OutputStream out = stores.stdio().out();
    return switch (format) {
      case JSONL -> new JsonEntryWriter(out, encoding);
      case CSV -> new CsvEntryWriter(out, encoding);
    };
  }
}
