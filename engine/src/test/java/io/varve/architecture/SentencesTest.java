package io.varve.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Holds prose to sentences that are read once: of at most 25 words. Parts that a colon or a
/// semicolon ends count as sentences. Code, tables, headings and targets of links do not count.
class SentencesTest {
  private static final int WORDS_MAX = 25;

  private static final Pattern CODE = Pattern.compile("`[^`]*`");
  private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)\\](\\([^)]*\\))?");
  private static final Pattern END =
      Pattern.compile("(?<=[.!?])[\"')*_]*\\s+(?=[\"'(*_]*[A-Z0-9&-])|(?<=[:;])[\"')*_]*\\s+");
  private static final Pattern ITEM = Pattern.compile("([-*]|\\d+\\.)\\s+");
  private static final Pattern COMMENT = Pattern.compile("///?");
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9]");

  private static final Map<Path, List<String>> FILES = new TreeMap<>();

  @BeforeAll
  static void read() throws IOException {
    FILES.putAll(ProjectFiles.read());
  }

  @Test
  void sentencesOfGuidesAreShort() {
    assertThat(longer(ProjectFiles::isGuide, SentencesTest::ofGuide))
        .as("sentences of over %s words", WORDS_MAX)
        .isEmpty();
  }

  @Test
  void sentencesOfCommentsAreShort() {
    assertThat(longer(ProjectFiles::isSource, SentencesTest::ofComments))
        .as("sentences of over %s words", WORDS_MAX)
        .isEmpty();
  }

  /// Guards the tests above: a splitter that found nothing would pass them.
  @Test
  void sentencesAreFoundAndCounted() {
    String words = "word ".repeat(WORDS_MAX).strip();
    assertThat(longer(words + " one.")).hasSize(1);
    assertThat(longer(words + ". One " + words + ".")).hasSize(1);
    assertThat(longer(words + ": one; " + words + " `code` [`Code`](a.md).")).isEmpty();
    List<String> items = ofGuide(List.of("- " + words, "  one.", "  1. " + words));
    assertThat(items.stream().flatMap(item -> longer(item).stream()))
        .containsExactly(words + " one.");
    assertThat(ofGuide(List.of("# A", "one", "two", "```", "x", "```", "- three", "  four", "|x|")))
        .containsExactly("one two", "three four");
    assertThat(
            ofComments(
                List.of(
                    "  /// one",
                    "  /// two",
                    "  ///",
                    "  /// @param a x",
                    "code",
                    "  // three",
                    "  // four")))
        .containsExactly("one two", "@param a x", "three four");
  }

  private static List<String> longer(
      Predicate<Path> chosen, Function<List<String>, List<String>> paragraphs) {
    List<String> found = new ArrayList<>();
    FILES.forEach((path, lines) -> {
      if (chosen.test(path)) {
        paragraphs.apply(lines).stream()
            .flatMap(paragraph -> longer(paragraph).stream())
            .forEach(sentence -> found.add(path + ": " + sentence));
      }
    });
    return found;
  }

  private static List<String> longer(String paragraph) {
    String plain = LINK.matcher(CODE.matcher(paragraph).replaceAll("&")).replaceAll("$1");
    return Stream.of(END.split(plain)).filter(sentence -> words(sentence) > WORDS_MAX).toList();
  }

  private static long words(String sentence) {
    return Stream.of(sentence.split("\\s+")).filter(WORD.asPredicate()).count();
  }

  private static List<String> ofGuide(List<String> lines) {
    var paragraphs = new Paragraphs();
    lines.forEach(paragraphs::add);
    return paragraphs.all();
  }

  private static List<String> ofComments(List<String> lines) {
    var paragraphs = new Paragraphs();
    for (String line : lines) {
      String text = line.strip();
      Matcher comment = COMMENT.matcher(text);
      paragraphs.add(comment.lookingAt() ? text.substring(comment.end()) : "");
    }
    return paragraphs.all();
  }

  /// Gathers the lines of prose between others.
  private static final class Paragraphs {
    private final List<String> all = new ArrayList<>();
    private final StringBuilder current = new StringBuilder();
    private boolean isCode;

    void add(String line) {
      String text = line.strip();
      boolean isFence = text.startsWith("```");
      if (isFence) {
        isCode = !isCode;
      }
      boolean isIndentedCode = current.isEmpty() && line.startsWith("    ");
      if (isFence || isCode || isIndentedCode || isNoProse(text)) {
        end();
        return;
      }
      if (ITEM.matcher(text).lookingAt() || text.startsWith("@")) {
        end();
        text = ITEM.matcher(text).replaceFirst("");
      }
      current.append(current.isEmpty() ? "" : " ").append(text);
    }

    /// Whether a line is empty, or of a table, a heading or HTML.
    private static boolean isNoProse(String text) {
      return text.isEmpty() || "|#<".indexOf(text.charAt(0)) >= 0;
    }

    private void end() {
      if (!current.isEmpty()) {
        all.add(current.toString());
        current.setLength(0);
      }
    }

    List<String> all() {
      end();
      return all;
    }
  }
}
