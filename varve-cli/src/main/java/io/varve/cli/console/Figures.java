package io.varve.cli.console;

import java.time.Duration;
import java.util.Locale;

/// Numbers as people read them, the same in every locale. Bytes are decimal: 1 MB is 1,000,000.
public final class Figures {
  private static final String[] BYTE_UNITS = {"kB", "MB", "GB", "TB", "PB", "EB"};

  private Figures() {}

  /// `1,234,567`.
  public static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /// `1,234 files`, `1 file`: the plain plural.
  public static String count(long value, String noun) {
    return count(value) + " " + noun + (value == 1 ? "" : "s");
  }

  /// `12 B`, `3.4 MB`, `120 GB`.
  public static String bytes(long value) {
    if (value < 1000) {
      return value + " B";
    }
    double scaled = value;
    int unit = -1;
    while (scaled >= 999.5) {
      scaled /= 1000;
      unit++;
    }
    return decimal(scaled) + " " + BYTE_UNITS[unit];
  }

  /// `850 ns`, `1.2 ms`, `3.40 s`, `2 min 5 s`.
  public static String time(Duration value) {
    long nanos = value.toNanos();
    if (nanos < 1_000) {
      return nanos + " ns";
    } else if (nanos < 1_000_000) {
      return decimal(nanos / 1e3) + " us";
    } else if (nanos < 1_000_000_000) {
      return decimal(nanos / 1e6) + " ms";
    } else if (nanos < 60_000_000_000L) {
      return decimal(nanos / 1e9) + " s";
    }
    return value.toMinutes() + " min " + value.toSecondsPart() + " s";
  }

  /// How many things happen in a second: `12,345/s`, `0.52/s`.
  public static String rate(long things, Duration time) {
    return number(perSecond(things, time)) + "/s";
  }

  /// How many things happen in a second, by name: `12,345 files/s`.
  public static String rate(long things, String name, Duration time) {
    return number(perSecond(things, time)) + " " + name + "/s";
  }

  /// How many bytes go by in a second: `12.3 MB/s`.
  public static String byteRate(long bytes, Duration time) {
    return bytes(Math.round(perSecond(bytes, time))) + "/s";
  }

  /// `1.23`, of `part / whole`; `-` when there is no whole.
  public static String ratio(long part, long whole) {
    return whole == 0 ? "-" : decimal((double) part / whole);
  }

  /// `45 %`.
  public static String percent(long part, long whole) {
    return whole == 0 ? "- %" : Math.round(100.0 * part / whole) + " %";
  }

  private static double perSecond(long things, Duration time) {
    return things / Math.max(time.toNanos() / 1e9, 1e-9);
  }

  private static String number(double value) {
    return value < 100 ? decimal(value) : count(Math.round(value));
  }

  /// Three digits that matter.
  private static String decimal(double value) {
    int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }
}
