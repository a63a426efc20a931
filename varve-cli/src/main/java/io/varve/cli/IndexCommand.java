package io.varve.cli;

import static java.util.stream.Collectors.toSet;

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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
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
          varve index create people country city "name, age desc"
          varve index create people email --unique
          varve index list people
          varve index rebuild people
          varve index verify people\
        """)
final class IndexCommand {
  private final Stores stores;

  IndexCommand(Stores stores) {
    this.stores = stores;
  }

  /// An index that is to be there.
  private record Wanted(String name, boolean unique) {
    static Wanted of(String fields, boolean unique) {
      return new Wanted(String.join(", ", parts(fields)), unique);
    }

    private static String[] parts(String fields) {
      return fields.strip().split("\\s*,\\s*", -1);
    }

    QueryTable<String, JsonNode> addTo(QueryTable<String, JsonNode> table) {
      return unique ? table.uniqueIndex(parts(name)) : table.index(parts(name));
    }
  }

  @Command(name = "create", description = "Make indexes, and build them together.")
  int create(
      @Parameters(paramLabel = "SPACE", description = "Name of the space.") String space,
      @Parameters(
              arity = "1..*",
              paramLabel = "FIELDS",
              description =
                  "Paths of an index, between commas; 'desc' after one turns its order. All"
                      + " indexes are built by one pass over the space.")
          List<String> fields,
      @Option(names = "--unique", description = "Refuse documents with equal values.")
          boolean unique,
      @Mixin ResultOptions result) {
    List<Wanted> indexes = fields.stream().map(each -> Wanted.of(each, unique)).distinct().toList();
    return make(space, indexes, result);
  }

  private int make(String space, List<Wanted> indexes, ResultOptions result) {
    return stores.use(store -> {
      Stores.requireSpace(store, space);
      long startNanos = System.nanoTime();
      Set<String> before = built(store, space).map(IndexStatus::name).collect(toSet());
      try {
        QueryTable<String, JsonNode> table = Documents.table(store, space);
        for (Wanted index : indexes) {
          requireOwn(store, table, index.name());
        }
        for (Wanted index : unbegun(store, space, indexes)) {
          table = index.addTo(table);
        }
        var done = new BytesDone();
        try (Shutdown.Hook _ = Shutdown.onSignal(this::reportInterrupt);
            var _ = done.show(stores.stdio(), "index", store.space(space).statistics().bytes())) {
          table.open(store, done);
        }
      } catch (UniqueIndexException e) {
        throw CommandException.failedCheck(
            "two documents have equal values: space=" + space + ", fields=" + e.index(), e);
      } catch (IllegalArgumentException e) {
        throw CommandException.usage(String.valueOf(e.getMessage()), e);
      }
      Duration time = Duration.ofNanos(System.nanoTime() - startNanos);
      built(store, space)
          .filter(index -> !before.contains(index.name()))
          .forEach(index -> report(space, index, time, result));
      return ExitCode.OK;
    });
  }

  private static Stream<IndexStatus> built(Store store, String space) {
    return list(store, space).stream().filter(IndexStatus::isBuilt);
  }

  /// @param time of the pass that built the index, and others with it
  private void report(String space, IndexStatus index, Duration time, ResultOptions result) {
    result.print(
        stores.stdio(),
        "built "
            + KeyText.shown(index.name())
            + ": "
            + Figures.count(index.entries())
            + " entries, in "
            + Figures.time(time),
        json(space, index).with("nanos", time.toNanos()));
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

  /// The indexes that the space does not have. Builds that have begun and not ended, as after
  /// Ctrl-C or on a full disk, continue when the table is opened.
  ///
  /// @throws CommandException if the space has all of them, or one of another kind
  private static List<Wanted> unbegun(Store store, String space, List<Wanted> indexes) {
    List<Wanted> missing = new ArrayList<>(indexes);
    Wanted built = null;
    int builtCount = 0;
    for (IndexStatus index : list(store, space)) {
      for (Wanted wanted : indexes) {
        if (!wanted.name().equals(index.name())) {
          continue;
        }
        if (index.isUnique() != wanted.unique()) {
          throw isThere(space, wanted.name(), index.isUnique());
        }
        missing.remove(wanted);
        if (index.isBuilt()) {
          built = wanted;
          builtCount++;
        }
      }
    }
    if (built != null && builtCount == indexes.size()) {
      throw isThere(space, built.name(), built.unique());
    }
    return missing;
  }

  private static CommandException isThere(String space, String index, boolean isUnique) {
    return CommandException.usage(
        "the space has an index of these fields: space="
            + space
            + ", index="
            + index
            + ", unique="
            + isUnique
            + "; 'varve index rebuild' makes it again, and 'varve index drop' drops it");
  }

  private void reportInterrupt() {
    stores
        .stdio()
        .err()
        .println("varve: interrupted: not all is indexed; the same command continues");
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
            .forEach(index ->
                result.print(
                    stores.stdio(),
                    line(name, index),
                    json(name, index).with("bytes", index.bytes())));
      }
      return ExitCode.OK;
    });
  }

  private static JsonLine json(String space, IndexStatus index) {
    return JsonLine.of("space", space)
        .with("index", index.name())
        .with("unique", index.isUnique())
        .with("built", index.isBuilt())
        .with("entries", index.entries());
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

  @Command(name = "rebuild", description = "Drop indexes, and make them again.")
  int rebuild(
      @Parameters(paramLabel = "SPACE", description = "Name of the space.") String space,
      @Parameters(
              arity = "0..*",
              paramLabel = "FIELDS",
              description = "As the index was made; without any, all indexes of documents.")
          @Nullable List<String> fields,
      @Mixin ResultOptions result) {
    List<Wanted> indexes =
        stores.read(store -> fields == null ? all(store, space) : present(store, space, fields));
    stores.use(store -> {
      IndexedSpace indexed = store.indexed(Stores.requireSpace(store, space));
      indexes.forEach(index -> requireIndex(indexed.drop(index.name()), index.name()));
      return ExitCode.OK;
    });
    return make(space, indexes, result);
  }

  private static List<Wanted> all(Store store, String space) {
    Stores.requireSpace(store, space);
    List<Wanted> all = new ArrayList<>();
    Documents.table(store, space)
        .indexes()
        .forEach(index -> all.add(new Wanted(index.name(), index.isUnique())));
    if (all.isEmpty()) {
      throw CommandException.notFound("the space has no index of documents: space=" + space);
    }
    return all;
  }

  private static List<Wanted> present(Store store, String space, List<String> fields) {
    Stores.requireSpace(store, space);
    QueryTable<String, JsonNode> table = Documents.table(store, space);
    List<Wanted> present = new ArrayList<>();
    for (String each : fields) {
      requireOwn(store, table, name(each)); // to make it again as one of documents is another index
      present.add(
          list(store, space).stream()
              .filter(index -> index.name().equals(name(each)))
              .map(index -> new Wanted(index.name(), index.isUnique()))
              .findFirst()
              .orElseThrow(() -> noIndex(each)));
    }
    return present.stream().distinct().toList();
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
        String reason = reasonNotToVerify(index);
        if (reason != null) {
          result.print(
              stores.stdio(),
              KeyText.shown(index.name()) + "\tnot verified: " + reason,
              JsonLine.of("index", index.name()).with("verified", false).with("reason", reason));
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

  private static @Nullable String reasonNotToVerify(IndexStatus index) {
    if (!index.isKept()) {
      return "no index of documents";
    }
    return index.isBuilt() ? null : "not built: 'varve index create' continues the build";
  }

  /// The name that the library gives an index.
  private static String name(String fields) {
    return Wanted.of(fields, false).name();
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
