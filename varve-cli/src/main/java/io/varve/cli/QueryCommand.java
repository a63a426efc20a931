package io.varve.cli;

import io.varve.Store;
import io.varve.cli.console.CommandException;
import io.varve.cli.console.ExitCode;
import io.varve.cli.console.Figures;
import io.varve.cli.console.KeyText;
import io.varve.cli.documents.AnswerFormat;
import io.varve.cli.documents.Answers;
import io.varve.cli.documents.Documents;
import io.varve.cli.documents.WatchedAnswers;
import io.varve.control.ControlClient;
import io.varve.query.Query;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "query",
    description = "Ask spaces of JSON documents by their fields, or change documents so.",
    footer =
        """

        The language is that of Jakarta Query: from, where, group by, order by and so on. Fields of
        documents are paths, as address.city. Indexes are used where they help: 'varve index'.
        On a terminal the answers are a table, elsewhere JSON Lines. The columns of a table or a CSV
        are the fields of the first 1,000 answers; if later ones have others, the exit code is 1.
        A change is one transaction, which is in memory until its commit. With --batch it is many:
        each document is changed once, and what ends the command leaves those before changed.

        Examples:
          varve query "from people where city = 'Bonn' order by age limit 10"
          varve query "select city, count(*) from people group by city" -o csv
          varve query "update people set city = 'Bonn' where city = 'Bonn am Rhein'"
          varve query --batch 1000 "delete from people where age > 90"
          varve query --explain "from people where age > 30"
          varve query --watch "from people order by age desc limit 10"\
        """)
final class QueryCommand implements Callable<Integer> {
  private final Stores stores;

  @Parameters(index = "0", paramLabel = "TEXT", description = "The query.")
  String text = "";

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "table, jsonl or csv. Default: table on a terminal, jsonl elsewhere.")
  @Nullable AnswerFormat output;

  @Option(names = "--json", description = "The same as --output jsonl.")
  boolean json;

  @Option(names = "--explain", description = "Print how the answers would be found.")
  boolean explain;

  @Option(
      names = "--watch",
      description =
          "Print the answers, and then what changes of them, until Ctrl-C. For a store that another"
              + " process has open; of one space, without groups.")
  boolean watch;

  @Option(
      names = "--times",
      paramLabel = "COUNT",
      description = "With --watch: end after so many changes.")
  @Nullable Long times;

  @Option(
      names = "--batch",
      paramLabel = "COUNT",
      description = "Of a change: commit after so many documents. Default: all in one commit.")
  @Nullable Integer batch;

  QueryCommand(Stores stores) {
    this.stores = stores;
  }

  @Override
  public Integer call() {
    if (json) {
      output = AnswerFormat.JSONL;
    }
    String start = text.strip().toLowerCase(Locale.ROOT);
    boolean changes = start.startsWith("update") || start.startsWith("delete");
    checkWatch();
    if (batch != null && (!changes || explain || batch < 1)) {
      throw CommandException.usage(
          "--batch is a number of documents that a query changes, 1 or more: batch=" + batch);
    }
    return changes && !explain ? stores.use(this::run) : stores.look(this::run, this::ask);
  }

  private void checkWatch() {
    if (watch && (explain || output == AnswerFormat.CSV)) {
      throw CommandException.usage("--watch prints changes: leave out --explain and csv");
    }
    if (times != null && (!watch || times < 1)) {
      throw CommandException.usage(
          "--times is a number of changes that --watch prints, 1 or more: times=" + times);
    }
  }

  private int run(Store store) {
    if (watch) {
      throw CommandException.store(
          "no other process has the store open, so no answer changes; start 'varve query --watch'"
              + " while a program, or 'varve shell' in another terminal, has it open");
    }
    Query query;
    try {
      query = Documents.query(store, text);
      if (explain) {
        query.explain().lines().forEach(line -> stores.stdio().println(KeyText.shown(line)));
        return ExitCode.OK;
      }
      if (query.isChange()) {
        stores.stdio().println(Figures.count(change(query), "document") + " changed");
        return ExitCode.OK;
      }
    } catch (IllegalArgumentException e) {
      throw CommandException.usage(String.valueOf(e.getMessage()), e);
    }
    try (var rows = query.stream()) {
      return print(rows.map(Answers::json));
    } catch (IllegalArgumentException e) {
      throw CommandException.usage(String.valueOf(e.getMessage()), e);
    }
  }

  private long change(Query query) {
    if (batch != null) {
      return query.updateInBatches(batch);
    }
    try {
      return query.update();
    } catch (OutOfMemoryError e) {
      throw CommandException.store(
          "out of memory: one transaction has all that the query changes; --batch 1000 makes many"
              + " of it, or give the JVM more, as by VARVE_JAVA_OPTIONS=-Xmx4g",
          e);
    }
  }

  private int print(Stream<JsonNode> answers) {
    Set<String> left = format().print(answers.iterator(), stores.stdio());
    if (left.isEmpty()) {
      return ExitCode.OK;
    }
    stores.stdio().flush();
    stores
        .stdio()
        .err()
        .println(
            "varve: fields that the first answers do not have were left out: names="
                + KeyText.shown(String.join(",", left))
                + "; select the fields by name, or take -o jsonl");
    return ExitCode.NEGATIVE;
  }

  /// Asks the process that has the store open.
  private int ask(ControlClient client) {
    if (explain) {
      client.explain(text).lines().forEach(line -> stores.stdio().println(KeyText.shown(line)));
      return ExitCode.OK;
    }
    if (watch) {
      try (Stream<String> lines = client.watch(text)) {
        new WatchedAnswers(stores.stdio(), format())
            .print(lines.iterator(), times == null ? Long.MAX_VALUE : times);
      }
      return ExitCode.OK;
    }
    try (Stream<String> rows = client.query(text)) {
      return print(rows.map(Answers::parse));
    }
  }

  private AnswerFormat format() {
    if (output != null) {
      return output;
    }
    return stores.stdio().outIsTerminal() ? AnswerFormat.TABLE : AnswerFormat.JSONL;
  }
}
