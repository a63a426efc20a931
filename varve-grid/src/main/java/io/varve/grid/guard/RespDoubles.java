package io.varve.grid.guard;

/// Numbers as Redis has them in texts: the shortest that is read as the same, without a fraction
/// that is zero.
final class RespDoubles {
  /// Up to here every whole number has one double.
  private static final double EXACT = 1L << 53;

  private RespDoubles() {}

  /// The text of a number that Java has written, or Infinispan, which knows infinities.
  static String text(String written) {
    double number;
    try {
      number = Double.parseDouble(written);
    } catch (NumberFormatException e) {
      return written; // inf, -inf, nan
    }
    if (number == Math.rint(number) && Math.abs(number) < EXACT) {
      return Long.toString((long) number);
    }
    String text = Double.toString(number);
    int exponent = text.indexOf('E');
    if (exponent < 0) {
      return text;
    }
    String digits = text.substring(0, exponent);
    if (digits.endsWith(".0")) {
      digits = digits.substring(0, digits.length() - 2);
    }
    String power = text.substring(exponent + 1);
    return digits + "e" + (power.startsWith("-") ? power : "+" + power);
  }
}
