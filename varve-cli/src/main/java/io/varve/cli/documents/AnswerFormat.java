package io.varve.cli.documents;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.cli.console.Interrupts;
import io.varve.cli.console.KeyText;
import io.varve.cli.console.Stdio;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import tools.jackson.databind.JsonNode;

/// How answers are printed.
public enum AnswerFormat {
  /// Columns for a reader. Their names and widths are those of the first answers. What a terminal
  /// would obey is escaped.
  TABLE {
    @Override
    public Set<String> print(Iterator<JsonNode> answers, Stdio stdio) {
      List<JsonNode> first = first(answers);
      List<String> names = Answers.fields(first);
      Map<String, Integer> widths = new HashMap<>();
      names.forEach(name -> widths.put(name, width(KeyText.shown(name))));
      for (JsonNode answer : first) {
        Answers.texts(answer)
            .forEach((name, text) ->
                widths.merge(name, Math.min(CELL_MAX, width(KeyText.shown(text))), Math::max));
      }
      if (!first.isEmpty()) {
        stdio.println(line(names, widths, Map.of()));
        stdio.println(rule(names, widths));
      }
      for (JsonNode answer : first) {
        stdio.println(line(names, widths, Answers.texts(answer)));
      }
      var others = new OtherFields(names);
      while (answers.hasNext()) {
        Interrupts.check();
        Map<String, String> texts = Answers.texts(answers.next());
        others.add(texts.keySet());
        stdio.println(line(names, widths, texts));
      }
      return others.found();
    }
  },

  /// An object a line.
  JSONL {
    @Override
    public Set<String> print(Iterator<JsonNode> answers, Stdio stdio) {
      while (answers.hasNext()) {
        Interrupts.check();
        stdio.println(answers.next().toString());
      }
      return Set.of();
    }
  },

  /// Fields between commas, after a line with the names of those of the first answers.
  CSV {
    @Override
    public Set<String> print(Iterator<JsonNode> answers, Stdio stdio) {
      List<JsonNode> first = first(answers);
      List<String> names = Answers.fields(first);
      if (!first.isEmpty()) {
        stdio.write(csv(names));
      }
      var others = new OtherFields(names);
      Iterator<JsonNode> buffered = first.iterator();
      while (buffered.hasNext() || answers.hasNext()) {
        Interrupts.check();
        Map<String, String> texts =
            Answers.texts(buffered.hasNext() ? buffered.next() : answers.next());
        others.add(texts.keySet());
        stdio.write(csv(names.stream().map(name -> texts.getOrDefault(name, "")).toList()));
      }
      return others.found();
    }
  };

  private static final int FIRST_ANSWERS = 1000;
  private static final int CELL_MAX = 60;

  /// Prints answers to standard output.
  ///
  /// @return names of fields that were left out, as the first answers have none of them
  public abstract Set<String> print(Iterator<JsonNode> answers, Stdio stdio);

  private static List<JsonNode> first(Iterator<JsonNode> answers) {
    List<JsonNode> first = new ArrayList<>();
    while (first.size() < FIRST_ANSWERS && answers.hasNext()) {
      Interrupts.check();
      first.add(answers.next());
    }
    return first;
  }

  private static int width(String text) {
    return text.codePointCount(0, text.length());
  }

  /// A line of cells; that of the names if there are no texts.
  private static String line(
      List<String> names, Map<String, Integer> widths, Map<String, String> texts) {
    StringBuilder line = new StringBuilder();
    for (String name : names) {
      String cell = cut(KeyText.shown(texts.isEmpty() ? name : texts.getOrDefault(name, "")));
      line.append(cell).repeat(' ', Math.max(0, widths.getOrDefault(name, 0) - width(cell)) + 2);
    }
    return line.toString().stripTrailing();
  }

  private static String rule(List<String> names, Map<String, Integer> widths) {
    StringBuilder line = new StringBuilder();
    names.forEach(name -> line.repeat('-', widths.getOrDefault(name, 0)).append("  "));
    return line.toString().stripTrailing();
  }

  private static String cut(String text) {
    return width(text) <= CELL_MAX
        ? text
        : text.substring(0, text.offsetByCodePoints(0, CELL_MAX - 3)) + "...";
  }

  private static byte[] csv(List<String> fields) {
    var bytes = new ByteArrayOutputStream();
    try (var printer = new CSVPrinter(new OutputStreamWriter(bytes, UTF_8), CSVFormat.RFC4180)) {
      printer.printRecord(fields);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
