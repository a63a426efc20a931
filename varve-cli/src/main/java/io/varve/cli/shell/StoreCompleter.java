package io.varve.cli.shell;

import io.varve.Cursor;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.cli.console.KeyText;
import io.varve.cli.documents.QueryCompletions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// Completes commands and options from what picocli knows, spaces and keys from the store. What a
/// word means is named by its label in the help: `SPACE`, `KEY`, and `TEXT` for a query.
final class StoreCompleter implements Completer {
  /// As many keys as one likes to look at; more letters find the others.
  private static final int KEYS_MAX = 100;

  private static final Set<String> SPACE_LABELS = Set.of("SPACE");
  private static final Set<String> KEY_LABELS = Set.of("KEY");
  private static final Set<String> QUERY_LABELS = Set.of("TEXT");

  private final CommandLine tree;
  private final Store store;

  StoreCompleter(CommandLine tree, Store store) {
    this.tree = tree;
    this.store = store;
  }

  @Override
  public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
    List<String> before = line.words().subList(0, line.wordIndex());
    String word = line.word().substring(0, line.wordCursor());
    if (before.isEmpty()) {
      tree.getSubcommands().keySet().forEach(name -> candidates.add(new Candidate(name)));
      return;
    }
    CommandLine command = tree.getSubcommands().get(before.getFirst());
    if (command != null) {
      completeArgument(command.getCommandSpec(), before, word, candidates);
    }
  }

  private void completeArgument(
      CommandSpec command, List<String> before, String word, List<Candidate> candidates) {
    if (word.startsWith("-")) {
      for (OptionSpec option : command.options()) {
        candidates.add(new Candidate(option.longestName()));
      }
      return;
    }
    ArgSpec argument = argumentAfter(command, before);
    if (argument == null) {
      return;
    }
    if (argument.completionCandidates() != null) {
      argument.completionCandidates().forEach(value -> candidates.add(new Candidate(value)));
    } else if (SPACE_LABELS.contains(argument.paramLabel())) {
      store.spaceNames().forEach(name -> candidates.add(new Candidate(name)));
    } else if (QUERY_LABELS.contains(argument.paramLabel())) {
      QueryCompletions.of(store, word).forEach(text -> candidates.add(query(text)));
    } else if (KEY_LABELS.contains(argument.paramLabel())) {
      addKeys(firstPositional(command, before), word, candidates);
    }
  }

  /// What the word after `before` stands for: the value of an option, or a positional parameter.
  private static @Nullable ArgSpec argumentAfter(CommandSpec command, List<String> before) {
    OptionSpec option = command.findOption(before.getLast());
    if (option != null && takesValue(option)) {
      return option;
    }
    int position = positionals(command, before).size();
    return command.positionalParameters().stream()
        .filter(parameter -> parameter.index().contains(position))
        .findFirst()
        .orElse(null);
  }

  private static @Nullable String firstPositional(CommandSpec command, List<String> before) {
    List<String> positionals = positionals(command, before);
    return positionals.isEmpty() ? null : positionals.getFirst();
  }

  private static List<String> positionals(CommandSpec command, List<String> before) {
    var positionals = new ArrayList<String>();
    for (int i = 1; i < before.size(); i++) {
      OptionSpec option = command.findOption(before.get(i));
      if (option != null && takesValue(option)) {
        i++;
      } else if (!before.get(i).startsWith("-")) {
        positionals.add(before.get(i));
      }
    }
    return positionals;
  }

  private static boolean takesValue(OptionSpec option) {
    return option.arity().max() > 0;
  }

  private void addKeys(@Nullable String spaceName, String word, List<Candidate> candidates) {
    Space space = spaceName == null ? null : store.findSpace(spaceName);
    byte[] prefix = parse(word);
    if (space == null || prefix == null) {
      return;
    }
    try (Cursor cursor = space.cursor(Range.prefix(prefix))) {
      for (int i = 0; i < KEYS_MAX && cursor.next(); i++) {
        candidates.add(new Candidate(KeyText.print(cursor.key())));
      }
    }
  }

  /// A text that may continue: the quote stays open. Its last word is what is shown.
  private static Candidate query(String text) {
    String shown = text.substring(text.lastIndexOf(' ') + 1);
    return new Candidate(text, shown, null, null, null, null, /* complete= */ false);
  }

  /// The bytes typed so far, or null in the middle of an escape.
  private static byte @Nullable [] parse(String word) {
    try {
      return KeyText.parse(word);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
