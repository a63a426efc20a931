package io.varve.cache.internal.file;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/// One value in a file, with the name of its option and its position there.
///
/// @param file as it was named
/// @param option its name, after those of the sections around it: `caches.books.ttl`
record Setting(String file, String option, Node node) {
  private static final Pattern NUMBER_AND_UNIT = Pattern.compile("(\\d+)\\s*([A-Za-z]*)");

  private static final Pattern REPLACED = Pattern.compile("^~(/|$)|\\$\\{|^[A-Za-z]{2,}:");

  private static final Map<String, Long> BYTES =
      Map.of("", 1L, "b", 1L, "kb", 1L << 10, "mb", 1L << 20, "gb", 1L << 30, "tb", 1L << 40);

  private static final Map<String, Duration> TIMES =
      Map.of(
          "ms", Duration.ofMillis(1),
          "s", Duration.ofSeconds(1),
          "m", Duration.ofMinutes(1),
          "h", Duration.ofHours(1),
          "d", Duration.ofDays(1));

  /// What to throw for a value that cannot be used.
  CacheException refusal(String remedy, @Nullable Throwable cause) {
    String value =
        node instanceof ScalarNode scalar
            ? scalar.getValue()
            : node.getNodeId().name().toLowerCase(Locale.ROOT);
    return new CacheException(
        "a file of caches cannot be used: file="
            + file
            + ", line="
            + (node.getStartMark().getLine() + 1)
            + ", option="
            + option
            + ", value="
            + value
            + "; "
            + remedy,
        cause);
  }

  /// The value as it is written.
  String text() {
    if (node instanceof ScalarNode scalar && !scalar.getTag().equals(Tag.NULL)) {
      return scalar.getValue();
    }
    throw refusal("write one value after the colon", null);
  }

  boolean flag() {
    return switch (text().toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw refusal("write true or false", null);
    };
  }

  /// A number above 0.
  long count() {
    return positive("write a number above 0", Long::parseLong);
  }

  /// A number from 1 to a bound.
  int count(int max) {
    long count = count();
    if (count > max) {
      throw refusal("write a number from 1 to " + max, null);
    }
    return (int) count;
  }

  /// A number of bytes above 0.
  long bytes() {
    return positive("write a number of bytes, such as 65536, 64KB, 256MB or 2GB", this::bytesOf);
  }

  private long positive(String remedy, Function<String, Long> parse) {
    try {
      long value = parse.apply(text());
      if (value > 0) {
        return value;
      }
    } catch (NumberFormatException | ArithmeticException e) {
      throw refusal(remedy, e);
    }
    throw refusal(remedy, null);
  }

  private long bytesOf(String text) {
    Matcher parts = NUMBER_AND_UNIT.matcher(text);
    Long unit = parts.matches() ? BYTES.get(parts.group(2).toLowerCase(Locale.ROOT)) : null;
    if (unit == null) {
      throw new NumberFormatException(text);
    }
    return Math.multiplyExact(Long.parseLong(parts.group(1)), unit);
  }

  /// A time above 0.
  Duration time() {
    String remedy = "write a time above 0, such as 500ms, 10s, 30m, 12h, 7d or PT30M";
    try {
      Duration time = timeOf(text());
      if (time.isPositive() && time.toMillis() >= 0) { // an overflow is an ArithmeticException
        return time;
      }
    } catch (DateTimeParseException | NumberFormatException | ArithmeticException e) {
      throw refusal(remedy, e);
    }
    throw refusal(remedy, null);
  }

  private static Duration timeOf(String text) {
    Matcher parts = NUMBER_AND_UNIT.matcher(text);
    Duration unit = parts.matches() ? TIMES.get(parts.group(2).toLowerCase(Locale.ROOT)) : null;
    return unit == null ? Duration.parse(text) : unit.multipliedBy(Long.parseLong(parts.group(1)));
  }

  /// A path. A name that no path begins with is most likely meant to be replaced by another: it
  /// would be that of a directory which nobody looks for.
  ///
  /// @param base of paths that are relative
  Path path(Path base) {
    String text = text();
    if (text.isEmpty()) {
      throw refusal("write a path; that of the directory of this file is a dot", null);
    }
    if (REPLACED.matcher(text).find()) {
      throw refusal(
          "write a path: variables, ~ and URIs are none; a program sets it by a property", null);
    }
    try {
      return base.resolve(text);
    } catch (InvalidPathException e) {
      throw refusal("write a path of this system", e);
    }
  }

  /// One of some constants, written in small letters with hyphens.
  <E extends Enum<E>> E oneOf(E[] constants) {
    String text = text();
    for (E constant : constants) {
      if (nameOf(constant).equals(text)) {
        return constant;
      }
    }
    throw refusal(
        "write one of "
            + Arrays.stream(constants).map(Setting::nameOf).collect(Collectors.joining(", ")),
        null);
  }

  private static String nameOf(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// The class of a name, which is not initialized.
  Class<?> type(ClassLoader loader) {
    try {
      return Class.forName(text(), false, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      throw refusal("write the full name of a class on the class path", e);
    }
  }

  /// Makes objects of the class of a name, by its constructor without parameters.
  <T> Instances<T> instances(ClassLoader loader, Class<T> wanted) {
    Class<?> type = type(loader);
    if (!wanted.isAssignableFrom(type)) {
      throw refusal("name a class that implements " + wanted.getName(), null);
    }
    if (Arrays.stream(type.getDeclaredConstructors())
        .allMatch(each -> each.getParameterCount() > 0)) {
      throw refusal("give the class a constructor without parameters", null);
    }
    return new Instances<>(type.asSubclass(wanted));
  }

  /// The elements of a list.
  List<Setting> elements() {
    if (node instanceof SequenceNode list) {
      return list.getValue().stream().map(each -> new Setting(file, option, each)).toList();
    }
    throw refusal("write a list, each element on a line of its own after a hyphen", null);
  }
}
