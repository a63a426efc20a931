package io.varve.cli;

import io.varve.IndexedSpace;
import io.varve.IndexedSpace.IndexStatus;
import io.varve.Store;
import io.varve.UniqueIndexException;
import io.varve.cli.console.CommandException;
import io.varve.cli.console.ExitCode;
import io.varve.cli.console.Figures;
import io.varve.cli.console.KeyText;
import io.varve.cli.console.Shutdown;
import io.varve.cli.documents.Documents;
import io.varve.cli.transfer.JsonLine;
import io.varve.query.QueryTable;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "index",
    description = "Make, list, verify and drop indexes of spaces of JSON documents.",
    footer =
        """

        An index is called by its fields. Each commit that changes a document keeps its indexes.

        Examples:
          varve index create people city
          varve index create people "name, age desc"
          varve index create people email --unique
          varve index list people
          varve index verify people\
        """)
final class IndexCommand {
  private final Stores stores;

  IndexCommand(Stores stores) {
    this.stores = stores;
  }

  @Command(name = "create", description = "Make an index, and build it.")
  int create(
      @Parameters(paramLabel = "SPACE", description = "Name of the space.") String space,
      @Parameters(
              paramLabel = "FIELDS",
              description = "Paths, between commas; 'desc' after one turns its order.")
          String fields,
      @Option(names = "--unique", description = "Refuse documents with equal values.")
          boolean unique) {
    return stores.use(store -> {
      Stores.requireSpace(store, space);
      String[] parts = fields.strip().split("\\s*,\\s*", -1);
      try {
        QueryTable<String, JsonNode> table = Documents.table(store, space);
        requireOwn(store, table, name(fields));
        if (!isBegun(store, table, name(fields), unique)) {
          table = unique ? table.uniqueIndex(parts) : table.index(parts);
        }
        var done = new BytesDone();
        try (Shutdown.Hook _ = Shutdown.onSignal(this::reportInterrupt);
            var _ = done.show(stores.stdio(), "index", store.space(space).statistics().bytes())) {
          table.open(store, done);
        }
      } catch (UniqueIndexException e) {
        throw CommandException.failedCheck(
            "two documents have equal values: space=" + space + ", fields=" + fields, e);
      } catch (IllegalArgumentException e) {
        throw CommandException.usage(String.valueOf(e.getMessage()), e);
      }
      return ExitCode.OK;
    });
  }

  /// Refuses a name that a program has given to an index of another definition.
  private static void requireOwn(Store store, QueryTable<String, JsonNode> table, String name) {
    boolean known = table.indexes().stream().anyMatch(index -> index.name().equals(name));
    if (!known && list(store, table.table().name()).stream().anyMatch(i -> i.name().equals(name))) {
      throw CommandException.usage(
          "a program has made an index of that name: "
              + name
              + "; drop it first, if the program does not need it");
    }
  }

  /// Whether a build of the index has begun and not ended, as after Ctrl-C or on a full disk:
  /// opening the table continues it.
  private static boolean isBegun(
      Store store, QueryTable<String, JsonNode> table, String name, boolean unique) {
    String space = table.table().name();
    for (IndexStatus index : list(store, space)) {
      if (index.name().equals(name)) {
        if (index.isBuilt() || index.isUnique() != unique) {
          throw CommandException.usage(
              "the space has an index of these fields: space="
                  + space
                  + ", index="
                  + name
                  + ", unique="
                  + index.isUnique()
                  + "; 'varve index rebuild' makes it again, and 'varve index drop' drops it");
        }
        return true;
      }
    }
    return false;
  }

  private void reportInterrupt() {
    stores
        .stdio()
        .err()
        .println("varve: interrupted: the index is not whole; the same command continues with it");
  }

  @Command(name = "list", description = "List the indexes of a space, or of all.")
  int list(
      @Parameters(arity = "0..1", paramLabel = "SPACE", description = "Name of the space.")
          @Nullable String space,
      @Mixin ResultOptions result) {
    return stores.read(store -> {
      for (String name : space == null ? store.spaceNames() : List.of(space)) {
        IndexedSpace indexed = store.indexed(Stores.requireSpace(store, name));
        indexed
            .list()
            .forEach(index -> result.print(stores.stdio(), line(name, index), json(name, index)));
      }
      return ExitCode.OK;
    });
  }

  private static JsonLine json(String space, IndexStatus index) {
    return JsonLine.of("space", space)
        .with("index", index.name())
        .with("unique", index.isUnique())
        .with("built", index.isBuilt())
        .with("entries", index.entries())
        .with("bytes", index.bytes());
  }

  private static String line(String space, IndexStatus index) {
    return KeyText.shown(space)
        + "\t"
        + KeyText.shown(index.name())
        + "\t"
        + (index.isUnique() ? "unique" : "not unique")
        + "\t"
        + (index.isBuilt() ? "built" : "not built")
        + "\t"
        + Figures.count(index.entries())
        + " entries\t"
        + Figures.bytes(index.bytes());
  }

  @Command(name = "drop", description = "Drop an index.")
  int drop(
      @Parameters(paramLabel = "SPACE", description = "Name of the space.") String space,
      @Parameters(paramLabel = "FIELDS", description = "As the index was made.") String fields) {
    return stores.use(store -> {
      requireIndex(store.indexed(Stores.requireSpace(store, space)).drop(name(fields)), fields);
      return ExitCode.OK;
    });
  }

  @Command(name = "rebuild", description = "Drop an index, and make it again.")
  int rebuild(
      @Parameters(paramLabel = "SPACE", description = "Name of the space.") String space,
      @Parameters(paramLabel = "FIELDS", description = "As the index was made.") String fields) {
    boolean unique =
        stores.read(store ->
            list(store, space).stream()
                .filter(index -> index.name().equals(name(fields)))
                .map(IndexStatus::isUnique)
                .findFirst()
                .orElseThrow(() -> noIndex(fields)));
    drop(space, fields);
    return create(space, fields, unique);
  }

  private static List<IndexStatus> list(Store store, String space) {
    return store.indexed(Stores.requireSpace(store, space)).list();
  }

  @Command(
      name = "verify",
      description = "Compare indexes with their space. Exit code 1 if they disagree.")
  int verify(
      @Parameters(paramLabel = "SPACE", description = "Name of the space.") String space,
      @Mixin ResultOptions result) {
    return stores.read(store -> {
      Stores.requireSpace(store, space);
      IndexedSpace indexed = Documents.table(store, space).open(store).indexes();
      boolean sound = true;
      for (IndexStatus index : indexed.list()) {
        if (!index.isKept()) {
          result.print(
              stores.stdio(),
              KeyText.shown(index.name()) + "\tnot verified: no index of documents",
              JsonLine.of("index", index.name()).with("verified", false));
          continue;
        }
        List<String> faults = indexed.verify(index.name());
        if (!result.json) {
          faults.forEach(fault -> stores.stdio().println(KeyText.shown(fault)));
        }
        result.print(
            stores.stdio(),
            KeyText.shown(index.name())
                + "\t"
                + (faults.isEmpty() ? "sound" : "NOT SOUND: drop and create it again"),
            JsonLine.of("index", index.name())
                .with("verified", true)
                .with("sound", faults.isEmpty())
                .with("faults", faults));
        sound &= faults.isEmpty();
      }
      return sound ? ExitCode.OK : ExitCode.NEGATIVE;
    });
  }

  /// The name that the library gives an index.
  private static String name(String fields) {
    return String.join(", ", fields.strip().split("\\s*,\\s*", -1));
  }

  private static void requireIndex(boolean there, String fields) {
    if (!there) {
      throw noIndex(fields);
    }
  }

  private static CommandException noIndex(String fields) {
    return CommandException.notFound(
        "no such index: " + name(fields) + "; 'varve index list' lists them");
  }
}
