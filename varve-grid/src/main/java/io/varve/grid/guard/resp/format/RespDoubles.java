package io.varve.grid.guard.resp.format;

import java.math.BigDecimal;
import java.math.RoundingMode;

/// Numbers as Redis has them in texts: the shortest that is read as the same, without a fraction
/// that is zero.
public final class RespDoubles {
  /// Up to here every whole number has one double.
  private static final double EXACT = 1L << 53;

  /// Beyond these, a number is written with an exponent.
  private static final int EXPONENT_MIN = -5;

  private static final int EXPONENT_MAX = 17;

  /// Redis' own, of sums.
  private static final int FRACTION_DIGITS = 17;

  private RespDoubles() {}

  public static String text(double number) {
    return Double.isInfinite(number) ? number < 0 ? "-inf" : "inf" : text(Double.toString(number));
  }

  /// The text of a number that Java has written, or Infinispan, which knows infinities.
  public static String text(String written) {
    double number;
    try {
      number = Double.parseDouble(written);
    } catch (NumberFormatException e) {
      return written; // inf, -inf, nan
    }
    if (number == Math.rint(number) && Math.abs(number) < EXACT) {
      return Long.toString((long) number);
    }
    BigDecimal digits = new BigDecimal(Double.toString(number)).stripTrailingZeros();
    int exponent = digits.precision() - digits.scale() - 1;
    if (exponent > EXPONENT_MIN && exponent < EXPONENT_MAX) {
      return digits.toPlainString();
    }
    String power = "e" + (exponent < 0 ? "" : "+") + exponent;
    return digits.scaleByPowerOfTen(-exponent).toPlainString() + power;
  }

  /// The text of a sum, which never has an exponent, and at most [#FRACTION_DIGITS] after the
  /// point.
  public static String plain(BigDecimal number) {
    BigDecimal rounded = number.setScale(FRACTION_DIGITS, RoundingMode.HALF_EVEN);
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }
}
