package io.varve.query.internal.expr;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import org.jspecify.annotations.Nullable;

/// Numbers in their normal form: a `Long`, a `Double`, or a `BigDecimal` for what neither holds.
public final class Numbers {
  /// The most digits of a number that a text contains, before and after the point.
  public static final int DIGITS_MAX = 10_000;

  /// 2 to the 63rd, which no long reaches.
  private static final double LONG_END = 0x1p63;

  private Numbers() {}

  /// The normal form of a number.
  public static Number normal(Number number) {
    return switch (number) {
      case Long value -> value;
      case Double value -> value;
      case BigDecimal value -> value;
      case Integer value -> value.longValue();
      case Short value -> value.longValue();
      case Byte value -> value.longValue();
      case Float value -> value.doubleValue();
      case BigInteger value -> normal(value);
      default -> normal(new BigDecimal(number.toString()));
    };
  }

  private static Number normal(BigInteger value) {
    return value.bitLength() < Long.SIZE ? (Number) value.longValue() : new BigDecimal(value);
  }

  /// The zero that stands for both where an answer has one for all values that are equal: in
  /// groups, in distinct answers, and in `min` and `max`. Which of them a plan finds first does not
  /// matter then. Other values are themselves.
  public static @Nullable Object unsignedZero(@Nullable Object value) {
    return switch (value) {
      case Double number when number == 0 -> (Object) 0.0;
      case Float number when number == 0 -> (Object) 0.0f;
      case null, default -> value;
    };
  }

  /// Compares two numbers in their normal form by value: exactly, whatever their types. Infinity is
  /// above all finite numbers, and NaN above that. Both zeros are equal.
  public static int compare(Number left, Number right) {
    if (left instanceof Long a && right instanceof Long b) {
      return Long.compare(a, b);
    }
    if (left instanceof Double a && right instanceof Double b) {
      return compareDoubles(a, b);
    }
    if (left instanceof Long a && right instanceof Double b) {
      return compareLongToDouble(a, b);
    }
    if (left instanceof Double a && right instanceof Long b) {
      return -compareLongToDouble(b, a);
    }
    if (left instanceof Double a && !Double.isFinite(a)) {
      return a == Double.NEGATIVE_INFINITY ? -1 : 1;
    }
    if (right instanceof Double b && !Double.isFinite(b)) {
      return b == Double.NEGATIVE_INFINITY ? 1 : -1;
    }
    return decimal(left).compareTo(decimal(right));
  }

  private static int compareDoubles(double a, double b) {
    return a == b ? 0 : Double.compare(a, b);
  }

  private static int compareLongToDouble(long a, double b) {
    if (Double.isNaN(b) || b >= LONG_END) {
      return -1;
    }
    if (b < -LONG_END) {
      return 1;
    }
    long whole = (long) b;
    int order = Long.compare(a, whole);
    return order != 0 ? order : compareDoubles(0, b - whole);
  }

  /// A finite number as a decimal, exactly.
  public static BigDecimal decimal(Number number) {
    return switch (number) {
      case BigDecimal value -> value;
      case Double value -> new BigDecimal(value);
      default -> BigDecimal.valueOf(number.longValue());
    };
  }

  /// What an operator makes of two numbers in their normal form: of integers an integer, of a
  /// `Double` and any other a `Double`, else a `BigDecimal`.
  ///
  /// @return null for a division by zero
  public static @Nullable Number calculate(ArithmeticOperator operator, Number left, Number right) {
    if (left instanceof Long a && right instanceof Long b) {
      return integers(operator, a, b);
    }
    if (left instanceof Double || right instanceof Double) {
      return doubles(operator, left.doubleValue(), right.doubleValue());
    }
    return decimals(operator, decimal(left), decimal(right));
  }

  private static @Nullable Number integers(ArithmeticOperator operator, long a, long b) {
    if (operator.divides() && b == 0) {
      return null;
    }
    try {
      return switch (operator) {
        case ADD -> Math.addExact(a, b);
        case SUBTRACT -> Math.subtractExact(a, b);
        case MULTIPLY -> Math.multiplyExact(a, b);
        case DIVIDE -> Math.divideExact(a, b);
        case REMAINDER -> a % b;
      };
    } catch (ArithmeticException _) {
      BigInteger x = BigInteger.valueOf(a);
      BigInteger y = BigInteger.valueOf(b);
      return normal(
          switch (operator) {
            case ADD -> x.add(y);
            case SUBTRACT -> x.subtract(y);
            case MULTIPLY -> x.multiply(y);
            case DIVIDE -> x.divide(y);
            case REMAINDER -> x.remainder(y);
          });
    }
  }

  private static @Nullable Number doubles(ArithmeticOperator operator, double a, double b) {
    if (operator.divides() && b == 0) {
      return null;
    }
    return switch (operator) {
      case ADD -> a + b;
      case SUBTRACT -> a - b;
      case MULTIPLY -> a * b;
      case DIVIDE -> a / b;
      case REMAINDER -> a % b;
    };
  }

  private static @Nullable Number decimals(
      ArithmeticOperator operator, BigDecimal a, BigDecimal b) {
    if (operator.divides() && b.signum() == 0) {
      return null;
    }
    return switch (operator) {
      case ADD -> a.add(b, MathContext.DECIMAL128);
      case SUBTRACT -> a.subtract(b, MathContext.DECIMAL128);
      case MULTIPLY -> a.multiply(b, MathContext.DECIMAL128);
      case DIVIDE -> a.divide(b, MathContext.DECIMAL128);
      case REMAINDER -> a.subtract(truncated(a, b).multiply(b));
    };
  }

  private static BigDecimal truncated(BigDecimal a, BigDecimal b) {
    return new BigDecimal(a.divide(b, MathContext.DECIMAL128).toBigInteger());
  }
}
