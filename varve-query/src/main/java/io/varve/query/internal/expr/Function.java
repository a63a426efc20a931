package io.varve.query.internal.expr;

import java.util.Locale;

/// The functions of one row, with how many arguments each takes.
public enum Function {
  /// The number without its sign.
  ABS(1, 1),
  /// The least integer that is not below a number.
  CEILING(1, 1),
  /// The greatest integer that is not above a number.
  FLOOR(1, 1),
  /// A number to so many digits after the point.
  ROUND(1, 2),
  /// -1, 0 or 1.
  SIGN(1, 1),
  /// The square root.
  SQRT(1, 1),
  /// e to the power of a number.
  EXP(1, 1),
  /// The natural logarithm.
  LN(1, 1),
  /// The first number to the power of the second.
  POWER(2, 2),
  /// What remains of the first number divided by the second.
  MOD(2, 2),
  /// How many characters a text has.
  LENGTH(1, 1),
  /// A text in lower case.
  LOWER(1, 1),
  /// A text in upper case.
  UPPER(1, 1),
  /// The first characters of a text.
  LEFT(2, 2),
  /// The last characters of a text.
  RIGHT(2, 2),
  /// Characters of a text from a position, which counts from one, and how many of them.
  SUBSTRING(2, 3),
  /// Where the first text is in the second, counted from one; 0 if nowhere.
  LOCATE(2, 3),
  /// A text with each occurrence of the second replaced by the third.
  REPLACE(3, 3),
  /// Texts one after the other.
  CONCAT(2, Integer.MAX_VALUE),
  /// A text without blanks, or another character, at both ends.
  TRIM(1, 2),
  /// The same at the start.
  TRIM_LEADING(1, 2),
  /// The same at the end.
  TRIM_TRAILING(1, 2),
  /// The first value that is not null.
  COALESCE(1, Integer.MAX_VALUE),
  /// The first value, or null if it equals the second.
  NULLIF(2, 2),
  /// The year of a date.
  YEAR(1, 1),
  /// The quarter of a date.
  QUARTER(1, 1),
  /// The month of a date, 1 to 12.
  MONTH(1, 1),
  /// The week of a date as ISO 8601 counts it.
  WEEK(1, 1),
  /// The day of the month.
  DAY(1, 1),
  /// The hour of a time.
  HOUR(1, 1),
  /// The minute of a time.
  MINUTE(1, 1),
  /// The second of a time, with its fraction.
  SECOND(1, 1),
  /// The date of a point in time.
  DATE(1, 1),
  /// The time of a point in time.
  TIME(1, 1),
  /// The date and time at which a date begins; others stay as they are.
  START_OF_DAY(1, 1),
  /// How many elements an attribute with many values has.
  SIZE(1, 1),
  /// A value as a text.
  TO_STRING(1, 1),
  /// A value as an integer.
  TO_INTEGER(1, 1),
  /// A value as a number with a fraction.
  TO_DOUBLE(1, 1);

  private final int argumentsMin;
  private final int argumentsMax;

  Function(int argumentsMin, int argumentsMax) {
    this.argumentsMin = argumentsMin;
    this.argumentsMax = argumentsMax;
  }

  /// Whether it takes so many arguments.
  public boolean takes(int arguments) {
    return argumentsMin <= arguments && arguments <= argumentsMax;
  }

  /// How it is written.
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
