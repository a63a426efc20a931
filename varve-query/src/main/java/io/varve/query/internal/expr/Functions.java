package io.varve.query.internal.expr;

import io.varve.query.Values;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalField;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The functions of queries, of values in their normal form.
final class Functions {
  /// No text is so long.
  private static final long POSITION_MAX = 1L << 62;

  /// Characters of a text that a query makes: a few short ones may else fill the heap.
  private static final int TEXT_LENGTH_MAX = 1 << 26;

  /// The points in time that dates reach. Instants reach a year further at both ends.
  private static final Instant DATES_MIN = LocalDateTime.MIN.toInstant(ZoneOffset.UTC);

  private static final Instant DATES_MAX = LocalDateTime.MAX.toInstant(ZoneOffset.UTC);

  /// After so many years the calendar repeats: its leap years, and the days of its weeks.
  private static final long CYCLE_YEARS = 400;

  private static final long CYCLE_SECONDS = 146_097L * 24 * 60 * 60;

  private Functions() {}

  /// A value as a text, as `||` sees it.
  static String text(@Nullable Object value) {
    return switch (Values.normal(value)) {
      case null -> "";
      case BigDecimal number -> number.toPlainString();
      case Object other -> other.toString();
    };
  }

  /// What a function makes of its arguments.
  ///
  /// @return null if an argument is null, except where the function is about that
  static @Nullable Object call(Function function, List<@Nullable Object> arguments) {
    return switch (function) {
      case COALESCE -> coalesce(arguments);
      case NULLIF -> nullIf(arguments.get(0), arguments.get(1));
      default -> {
        Object[] values = new Object[arguments.size()];
        for (int index = 0; index < values.length; index++) {
          Object argument = arguments.get(index);
          if (argument == null) {
            yield null;
          }
          values[index] = argument;
        }
        yield ofValues(function, values);
      }
    };
  }

  private static @Nullable Object coalesce(List<@Nullable Object> arguments) {
    for (Object argument : arguments) {
      if (argument != null) {
        return argument;
      }
    }
    return null;
  }

  private static @Nullable Object nullIf(@Nullable Object left, @Nullable Object right) {
    return (left != null && right != null && Values.compare(left, right) == 0) ? null : left;
  }

  private static @Nullable Object ofValues(Function function, Object[] a) {
    return switch (function) {
      case COALESCE, NULLIF -> throw new IllegalStateException();
      case ABS, CEILING, FLOOR, ROUND, SIGN, SQRT, EXP, LN, POWER, MOD -> ofNumbers(function, a);
      case LENGTH, LOWER, UPPER, LEFT, RIGHT, SUBSTRING, LOCATE, REPLACE -> ofTexts(function, a);
      case CONCAT -> concat(List.of(a));
      case TRIM -> trim(a, true, true);
      case TRIM_LEADING -> trim(a, true, false);
      case TRIM_TRAILING -> trim(a, false, true);
      case YEAR -> field(a[0], ChronoField.YEAR);
      case QUARTER -> field(a[0], IsoFields.QUARTER_OF_YEAR);
      case MONTH -> field(a[0], ChronoField.MONTH_OF_YEAR);
      case WEEK -> field(a[0], IsoFields.WEEK_OF_WEEK_BASED_YEAR);
      case DAY -> field(a[0], ChronoField.DAY_OF_MONTH);
      case HOUR -> field(a[0], ChronoField.HOUR_OF_DAY);
      case MINUTE -> field(a[0], ChronoField.MINUTE_OF_HOUR);
      case SECOND -> field(a[0], ChronoField.SECOND_OF_MINUTE);
      case DATE -> date(a[0]);
      case TIME -> time(a[0]);
      case START_OF_DAY -> a[0] instanceof LocalDate date ? date.atStartOfDay() : a[0];
      case SIZE -> size((Iterable<?>) a[0]);
      case TO_STRING -> text(a[0]);
      case TO_INTEGER -> whole(number(a[0]));
      case TO_DOUBLE -> number(a[0]).doubleValue();
    };
  }

  private static @Nullable Object ofNumbers(Function function, Object[] a) {
    Number number = number(a[0]);
    return switch (function) {
      case ABS ->
          sign(number) >= 0 ? number : Numbers.calculate(ArithmeticOperator.SUBTRACT, 0L, number);
      case CEILING -> rounded(number, 0, RoundingMode.CEILING);
      case FLOOR -> rounded(number, 0, RoundingMode.FLOOR);
      case ROUND -> rounded(number, a.length == 1 ? 0 : integer(a[1]), RoundingMode.HALF_UP);
      case SIGN -> (long) sign(number);
      case SQRT -> finite(Math.sqrt(number.doubleValue()));
      case EXP -> finite(Math.exp(number.doubleValue()));
      case LN -> finite(Math.log(number.doubleValue()));
      case POWER -> finite(Math.pow(number.doubleValue(), number(a[1]).doubleValue()));
      case MOD -> Numbers.calculate(ArithmeticOperator.REMAINDER, number, number(a[1]));
      default -> throw new IllegalStateException(function.text());
    };
  }

  private static int sign(Number number) {
    return Integer.signum(Numbers.compare(number, 0L));
  }

  /// Null for what is no number, as of the square root of -1.
  private static @Nullable Double finite(double number) {
    return Double.isNaN(number) ? null : (Double) number;
  }

  private static Number rounded(Number number, long digits, RoundingMode mode) {
    if (number instanceof Double value && !Double.isFinite(value)) {
      return number;
    }
    if (Math.abs(digits) > Numbers.DIGITS_MAX) {
      throw new IllegalArgumentException("digits out of range: most=" + Numbers.DIGITS_MAX);
    }
    BigDecimal exact =
        number instanceof Double value ? BigDecimal.valueOf(value) : Numbers.decimal(number);
    BigDecimal rounded = exact.setScale((int) digits, mode);
    return switch (number) {
      case Long _ -> Numbers.normal(rounded.toBigInteger());
      case Double _ -> rounded.doubleValue();
      default -> rounded;
    };
  }

  private static Object ofTexts(Function function, Object[] a) {
    String text = text(a[0]);
    int length = text.codePointCount(0, text.length());
    return switch (function) {
      case LENGTH -> (long) length;
      case LOWER -> text.toLowerCase(Locale.ROOT);
      case UPPER -> text.toUpperCase(Locale.ROOT);
      case LEFT -> part(text, 0, integer(a[1]));
      case RIGHT -> part(text, Math.max(0, length - Math.max(0, integer(a[1]))), length);
      case SUBSTRING -> {
        long from = integer(a[1]) - 1;
        long to = a.length == 2 ? length : from + Math.max(0, integer(a[2]));
        yield part(text, from, to);
      }
      case LOCATE -> {
        String whole = text(a[1]);
        long from = a.length == 2 ? 1 : Math.max(1, integer(a[2]));
        int wholeLength = whole.codePointCount(0, whole.length());
        int start = whole.offsetByCodePoints(0, (int) Math.min(from - 1, wholeLength));
        int found = whole.indexOf(text, start);
        yield found < 0 ? 0L : (long) whole.codePointCount(0, found) + 1;
      }
      case REPLACE -> replace(text, text(a[1]), text(a[2]));
      default -> throw new IllegalStateException(function.text());
    };
  }

  /// The code points from one index to before another, as far as there are any.
  private static String part(String text, long from, long to) {
    int length = text.codePointCount(0, text.length());
    int first = Math.clamp(from, 0, length);
    int end = Math.clamp(to, first, length);
    return text.substring(text.offsetByCodePoints(0, first), text.offsetByCodePoints(0, end));
  }

  static String concat(List<?> values) {
    StringBuilder all = new StringBuilder();
    for (Object value : values) {
      String text = text(value);
      requireLength((long) all.length() + text.length());
      all.append(text);
    }
    return all.toString();
  }

  private static String replace(String text, String from, String to) {
    if (to.length() > from.length()) {
      long count = from.isEmpty() ? text.length() + 1L : 0;
      int at = from.isEmpty() ? -1 : text.indexOf(from);
      while (at >= 0) {
        count++;
        at = text.indexOf(from, at + from.length());
      }
      requireLength(text.length() + count * (to.length() - from.length()));
    }
    return text.replace(from, to);
  }

  private static void requireLength(long length) {
    if (length > TEXT_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "a text that the query makes is too long: length="
              + length
              + ", max="
              + TEXT_LENGTH_MAX
              + "; join or replace shorter ones");
    }
  }

  private static String trim(Object[] a, boolean atStart, boolean atEnd) {
    String text = text(a[0]);
    String blank = a.length == 1 ? " " : text(a[1]);
    int step = blank.length();
    int start = 0;
    int end = text.length();
    while (atStart && step > 0 && text.startsWith(blank, start)) {
      start += step;
    }
    while (atEnd && step > 0 && end - step >= start && text.startsWith(blank, end - step)) {
      end -= step;
    }
    return text.substring(start, end);
  }

  private static Object field(Object value, TemporalField field) {
    TemporalAccessor time = value instanceof Instant instant ? alike(instant) : temporal(value);
    if (!time.isSupported(field)) {
      throw lacking(value, field.toString());
    }
    long whole = time.getLong(field);
    if (field == ChronoField.YEAR && value instanceof Instant instant) {
      whole += CYCLE_YEARS * cyclesBeyondDates(instant);
    }
    int nanos = field == ChronoField.SECOND_OF_MINUTE ? time.get(ChronoField.NANO_OF_SECOND) : 0;
    return nanos == 0
        ? (Object) whole
        : BigDecimal.valueOf(whole).add(BigDecimal.valueOf(nanos, 9));
  }

  /// A point in time of UTC that differs from `instant` at most in its year. A program that sets
  /// `Instant.MAX` for "never" has a year that dates do not reach, but its days are those of the
  /// year 400 years before.
  private static OffsetDateTime alike(Instant instant) {
    return instant
        .minusSeconds(CYCLE_SECONDS * cyclesBeyondDates(instant))
        .atOffset(ZoneOffset.UTC);
  }

  private static int cyclesBeyondDates(Instant instant) {
    if (instant.isBefore(DATES_MIN)) {
      return -1;
    }
    return instant.isAfter(DATES_MAX) ? 1 : 0;
  }

  private static IllegalArgumentException lacking(Object value, String field) {
    return new IllegalArgumentException(
        "a time without this field: type=" + value.getClass().getName() + ", field=" + field);
  }

  private static TemporalAccessor temporal(Object value) {
    if (value instanceof TemporalAccessor time) {
      return time;
    }
    throw new IllegalArgumentException("not a date or time: type=" + value.getClass().getName());
  }

  /// Null for a point in time that no date reaches.
  private static @Nullable LocalDate date(Object value) {
    return switch (value) {
      case Instant instant -> cyclesBeyondDates(instant) == 0 ? alike(instant).toLocalDate() : null;
      case LocalDateTime time -> time.toLocalDate();
      case LocalDate date -> date;
      case String text -> (LocalDate) Conversion.convert(LocalDate.class, text);
      default -> throw lacking(value, "date");
    };
  }

  private static LocalTime time(Object value) {
    return switch (value) {
      case Instant instant -> alike(instant).toLocalTime();
      case LocalDateTime time -> time.toLocalTime();
      case LocalTime time -> time;
      case String text -> (LocalTime) Conversion.convert(LocalTime.class, text);
      default -> throw lacking(value, "time");
    };
  }

  private static long size(Iterable<?> elements) {
    long size = 0;
    for (Object _ : elements) {
      size++;
    }
    return size;
  }

  private static Number number(Object value) {
    return switch (value) {
      case Number number -> number;
      case String text -> Numbers.normal((Number) Conversion.convert(BigDecimal.class, text));
      default ->
          throw new IllegalArgumentException("not a number: type=" + value.getClass().getName());
    };
  }

  /// A number without its fraction; null for what is not finite.
  private static @Nullable Number whole(Number number) {
    return switch (number) {
      case Long value -> value;
      case Double value when !Double.isFinite(value) -> null;
      default -> Numbers.normal(Numbers.decimal(number).toBigInteger());
    };
  }

  /// A count or a position. The sum of two is a long: one that is further than any text is long
  /// stands for all that are.
  private static long integer(Object value) {
    Number number = number(value);
    if (Numbers.compare(number, POSITION_MAX) >= 0) {
      return POSITION_MAX;
    }
    return Numbers.compare(number, -POSITION_MAX) <= 0
        ? -POSITION_MAX
        : Numbers.decimal(number).longValue();
  }
}
