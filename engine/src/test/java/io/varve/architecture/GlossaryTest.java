package io.varve.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Holds sources, guides and scripts to the words of docs/GLOSSARY.md: none of those that it
/// replaces is written, each invariant that is cited has one definition, and lines of prose end by
/// a column.
///
/// A word that is really meant is taken out of its line by [#MEANT] before the line is looked at.
class GlossaryTest {
  private static final int PROSE_COLUMNS_MAX = 120;

  /// What no file may contain, and what is written instead.
  private static final Map<String, String> REPLACED =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("\\w*behind\\w*", "after, past, following, at or before"),
              Map.entry("mend(s|ed|ing)?", "fix, repair"),
              Map.entry("moments?", "time, instant, state, capture; a short time"),
              Map.entry("let(s|ting)? go( of)?", "release, free, unpin"),
              Map.entry("in vain", "without effect, without success"),
              Map.entry("but for", "except"),
              Map.entry("want of", "lack of"),
              Map.entry("rid of", "free of"),
              Map.entry("meanwhile", "concurrently, until then, during that"),
              Map.entry("anew", "again, new"),
              Map.entry("lest", "or, so that not"),
              Map.entry("save (what|that|for)", "except"),
              Map.entry("dear|befits?", "expensive; right for"),
              Map.entry("lay|lays|laid|lain|laying", "write, encode, append"),
              Map.entry("lies|lie", "is, is stored"),
              Map.entry("on (its|their) way", "in flight, being written"),
              Map.entry("besides?", "concurrently with; next to; in addition to; compared with"),
              Map.entry("giv(e|es|en|ing) (back|up)", "release, free, return; stop, abandon"),
              Map.entry("gave (back|up)", "released, freed, returned; stopped, abandoned"),
              Map.entry("kept log", "archived log"),
              Map.entry("as ever", "as usual, unchanged"),
              Map.entry("go(es|ne|ing)? on|went on", "continue"),
              Map.entry("for ever", "forever, without end"),
              Map.entry("rooms?", "capacity, free extents"),
              Map.entry("tells|told|says|telling", "reports, notifies, returns, records, shows"),
              Map.entry("whoever|whomever", "the thread that, the caller that"),
              Map.entry("at once", "immediately, atomically, together, concurrently")));

  /// Phrases that hold such a word in its true meaning, or as the name of something else.
  private static final Pattern MEANT =
      Pattern.compile("(?i)write[- ]?behind|\\b(laid|lays?)( it| them)? out\\b");

  private static final Pattern NAME = Pattern.compile("[A-Za-z]\\w*[A-Z_]\\w*");
  private static final Pattern WORD_START =
      Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=A)(?=[A-Z][a-z])|_");

  /// An invariant: where it is defined its text follows, in the comment of a type; elsewhere it is
  /// cited.
  private static final Pattern LABEL = Pattern.compile("\\b([A-Z]{2,})-\\d+\\b");

  private static final Pattern DEFINITION =
      Pattern.compile("(?:^/// - |\\()([A-Z]{2,}-\\d+)\\)? +(?=[A-Z\\[`])");

  private static final Pattern LINK = Pattern.compile("\\]\\((?!\\w+:|#)([^)#\\s]+)");

  /// What has the form of a label and is none.
  private static final Set<String> STANDARDS =
      Set.of("AES", "AVX", "CRC", "IGNITE", "ISO", "JGRP", "JSR", "SHA", "UTF");

  /// The files that the build keeps, as lines: sources, guides, scripts and settings.
  private static final Map<Path, List<String>> FILES = new TreeMap<>();

  @BeforeAll
  static void read() throws IOException {
    FILES.putAll(ProjectFiles.read());
  }

  @Test
  void noFileWritesAWordThatTheGlossaryReplaces() {
    Pattern any = Pattern.compile("(?i)\\b(" + String.join("|", REPLACED.keySet()) + ")\\b");
    List<String> found = new ArrayList<>();
    FILES.forEach((path, lines) -> addUses(path, lines, any, found));
    assertThat(found).as("words that docs/GLOSSARY.md replaces").isEmpty();
  }

  /// Names are looked at as the words that they are made of.
  @Test
  void noNameHasAWordThatTheGlossaryReplaces() {
    Pattern any = Pattern.compile("(?i)\\b(" + String.join("|", REPLACED.keySet()) + ")\\b");
    Map<String, Path> names = new TreeMap<>();
    FILES.forEach((path, lines) -> {
      if (ProjectFiles.isSource(path)) {
        lines.stream()
            .flatMap(line -> NAME.matcher(line).results())
            .forEach(name -> names.putIfAbsent(name.group(), path));
      }
    });
    List<String> found = new ArrayList<>();
    names.forEach((name, path) -> {
      String words = WORD_START.matcher(name).replaceAll(" ");
      if (any.matcher(MEANT.matcher(words).replaceAll("")).find()) {
        found.add(path + ": " + name);
      }
    });
    assertThat(found).as("names with words that docs/GLOSSARY.md replaces").isEmpty();
    assertThat(names).hasSizeGreaterThan(5000);
  }

  /// The glossary and this test name the words, and so are left out.
  private static void addUses(Path path, List<String> lines, Pattern any, List<String> found) {
    if (path.endsWith("GLOSSARY.md") || path.endsWith("GlossaryTest.java")) {
      return;
    }
    for (int line = 0; line < lines.size(); line++) {
      String text = lines.get(line);
      if (any.matcher(text).find()) {
        Matcher use = any.matcher(MEANT.matcher(text).replaceAll(""));
        if (use.find()) {
          found.add(path + ":" + (line + 1) + ": " + use.group() + instead(use.group()));
        }
      }
    }
  }

  private static String instead(String use) {
    return REPLACED.entrySet().stream()
        .filter(words -> Pattern.compile("(?i)" + words.getKey()).matcher(use).matches())
        .map(words -> "; write: " + words.getValue())
        .collect(Collectors.joining());
  }

  @Test
  void eachInvariantThatIsCitedIsDefinedOnce() {
    Map<String, List<String>> definitions = new HashMap<>();
    Map<String, String> cited = new TreeMap<>();
    FILES.forEach((path, lines) -> {
      for (int line = 0; ProjectFiles.isSource(path) && line < lines.size(); line++) {
        String where = path + ":" + (line + 1);
        labels(lines.get(line)).forEach(label -> cited.putIfAbsent(label, where));
        if (lines.get(line).startsWith("///")) {
          DEFINITION
              .matcher(lines.get(line))
              .results()
              .map(definition -> definition.group(1))
              .forEach(
                  label -> definitions.computeIfAbsent(label, _ -> new ArrayList<>()).add(where));
        }
      }
    });
    List<String> wrong = new ArrayList<>();
    cited.forEach((label, where) -> {
      List<String> defined = definitions.getOrDefault(label, List.of());
      if (defined.size() != 1) {
        wrong.add(label + ", cited at " + where + ", is defined at " + defined);
      }
    });
    assertThat(wrong).as("invariants without one definition in the comment of a type").isEmpty();
    assertThat(cited).hasSizeGreaterThan(50);
  }

  private static List<String> labels(String line) {
    return LABEL
        .matcher(line)
        .results()
        .filter(label -> !STANDARDS.contains(label.group(1)))
        .map(label -> label.group())
        .toList();
  }

  /// Guards against links to a record or a guide that has another name by now.
  @Test
  void linksOfGuidesLeadToFiles() {
    List<String> broken = new ArrayList<>();
    FILES.forEach((path, lines) -> {
      for (int line = 0; ProjectFiles.isGuide(path) && line < lines.size(); line++) {
        String where = path + ":" + (line + 1);
        LINK.matcher(lines.get(line))
            .results()
            .map(link -> link.group(1))
            .filter(target -> !Files.exists(ProjectFiles.ROOT.resolve(path).resolveSibling(target)))
            .forEach(target -> broken.add(where + ": " + target));
      }
    });
    assertThat(broken).as("links that lead nowhere").isEmpty();
  }

  /// Tables, headings, examples and links that are longer than a line are left out.
  @Test
  void linesOfProseEndByTheColumn() {
    List<String> longer = new ArrayList<>();
    FILES.forEach((path, lines) -> {
      boolean example = false;
      for (int line = 0; ProjectFiles.isGuide(path) && line < lines.size(); line++) {
        String text = lines.get(line);
        example ^= text.strip().startsWith("```");
        if (!example && text.length() > PROSE_COLUMNS_MAX && isSentence(text)) {
          longer.add(path + ":" + (line + 1));
        }
      }
    });
    assertThat(longer).as("lines of prose over column %d", PROSE_COLUMNS_MAX).isEmpty();
  }

  private static boolean isSentence(String line) {
    return !line.startsWith("#")
        && !line.startsWith("    ")
        && !line.strip().startsWith("|")
        && line.strip().contains(" ");
  }
}
