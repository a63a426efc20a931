package io.varve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The table of options of docs/TUNING.md, compared with the classes.
class OptionsGuideTest {
  private static final Pattern ROW = Pattern.compile("^\\| `([\\w.]+)` \\| [^|]+ \\|");

  @Test
  void theGuideNamesEachOption() throws IOException {
    SortedSet<String> options = new TreeSet<>();
    setters(StoreOptions.class, "").forEach(options::add);
    setters(PageCacheOptions.class, "cache.").forEach(options::add);
    setters(LogOptions.class, "log.").forEach(options::add);
    // The groups themselves.
    options.remove("cache");
    options.remove("log");
    assertThat(named()).isEqualTo(options);
  }

  private static Stream<String> setters(Class<?> type, String group) {
    return Arrays.stream(type.getMethods())
        .filter(method -> method.getReturnType() == type && method.getParameterCount() == 1)
        .map(Method::getName)
        .map(group::concat);
  }

  private static SortedSet<String> named() throws IOException {
    return Files.readAllLines(Path.of("..", "docs", "TUNING.md")).stream()
        .dropWhile(line -> !line.startsWith("| option |"))
        .takeWhile(line -> line.startsWith("|"))
        .map(ROW::matcher)
        .filter(row -> row.find())
        .map(row -> row.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
