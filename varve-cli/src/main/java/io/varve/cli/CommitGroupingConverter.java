package io.varve.cli;

import io.varve.CommitGrouping;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads `adaptive`, `each`, `cooperative:LIMIT:MILLIS` and `flusher:N`.
final class CommitGroupingConverter implements ITypeConverter<CommitGrouping> {
  private static final Pattern COOPERATIVE = Pattern.compile("cooperative:(\\d{1,9}):(\\d{1,9})");
  private static final Pattern FLUSHER = Pattern.compile("flusher:(\\d{1,9})");

  @Override
  public CommitGrouping convert(String text) {
    try {
      return parse(text.toLowerCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException("'" + text + "' is out of range: " + range());
    }
  }

  private static CommitGrouping parse(String text) {
    Matcher cooperative = COOPERATIVE.matcher(text);
    if (cooperative.matches()) {
      return new CommitGrouping.Cooperative(
          Integer.parseInt(cooperative.group(1)),
          Duration.ofMillis(Long.parseLong(cooperative.group(2))));
    }
    Matcher flusher = FLUSHER.matcher(text);
    if (flusher.matches()) {
      return new CommitGrouping.Flusher(Integer.parseInt(flusher.group(1)));
    }
    return switch (text) {
      case "adaptive" -> new CommitGrouping.Adaptive();
      case "each" -> new CommitGrouping.Each();
      default ->
          throw new TypeConversionException(
              "'" + text + "' is none of adaptive, each, cooperative:LIMIT:MILLIS, flusher:N");
    };
  }

  private static String range() {
    return "LIMIT is 1 to %d, MILLIS 0 to %d, N 1 to %d"
        .formatted(
            CommitGrouping.LIMIT_MAX,
            CommitGrouping.DELAY_MAX.toMillis(),
            CommitGrouping.THREADS_MAX);
  }
}
