package io.varve.cli.console;

import java.time.Duration;

/// What progress is measured in.
public enum ProgressUnit {
  /// Things, one by one.
  COUNT("", 1) {
    @Override
    String amount(long value) {
      return Figures.count(value);
    }

    @Override
    String rate(long value, Duration time) {
      return Figures.rate(value, time);
    }
  },

  /// Bytes, shown in millions.
  BYTES(" MB", 1_000_000) {
    @Override
    String amount(long value) {
      return Figures.bytes(value);
    }

    @Override
    String rate(long value, Duration time) {
      return Figures.byteRate(value, time);
    }
  };

  final String barName;
  final long barSize;

  ProgressUnit(String barName, long barSize) {
    this.barName = barName;
    this.barSize = barSize;
  }

  abstract String amount(long value);

  abstract String rate(long value, Duration time);
}
