package io.varve.grid.guard.resp.command;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.resp.command.StringChange.Outcome;
import io.varve.grid.guard.resp.format.RespDoubles;
import io.varve.grid.guard.resp.format.RespNumbers;
import java.math.BigDecimal;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.commands.ArgumentUtils;
import org.infinispan.server.resp.serialization.ResponseWriter;
import org.jspecify.annotations.Nullable;

/// Additions to numbers in strings.
///
/// (COUNT-1) A sum beyond 64 bits is refused, and the number stays. Infinispan's own commands wrap
/// to the other end.
///
/// (COUNT-2) Numbers with a fraction are added as they are written, in decimal digits: 0.1 and 0.2
/// are 0.3, and no sum has an exponent. Redis' numbers are long enough to show the same.
final class Counters {
  static final String OVERFLOW_TEXT = "increment or decrement would overflow";

  private static final Outcome OVERFLOW =
      new Outcome.Unchanged(writer -> writer.customError(OVERFLOW_TEXT));

  private static final Outcome INFINITE = new Outcome.Unchanged(ResponseWriter::nanOrInfinity);

  /// Longer than any number that is meant; the time of an addition grows with them.
  private static final int DIGITS_MAX = 400;

  private Counters() {}

  /// Adds a whole number.
  static CompletionStage<RespRequestHandler> add(
      Resp3Handler handler, ChannelHandlerContext ctx, byte[] key, long by) {
    return change(handler, ctx, key, value -> sum(value, by));
  }

  /// Takes a whole number away.
  static CompletionStage<RespRequestHandler> subtract(
      Resp3Handler handler, ChannelHandlerContext ctx, byte[] key, long by) {
    // The least number has no opposite. Redis refuses it whatever the value is.
    return by == Long.MIN_VALUE
        ? change(handler, ctx, key, _ -> OVERFLOW)
        : add(handler, ctx, key, -by);
  }

  /// Adds a number with a fraction.
  static CompletionStage<RespRequestHandler> add(
      Resp3Handler handler, ChannelHandlerContext ctx, byte[] key, byte[] by) {
    return StringChange.perform(
        handler, ctx, key, value -> sum(value, by), (bytes, writer) -> writer.string(bytes));
  }

  private static CompletionStage<RespRequestHandler> change(
      Resp3Handler handler,
      ChannelHandlerContext ctx,
      byte[] key,
      Function<byte @Nullable [], Outcome> change) {
    return StringChange.perform(
        handler, ctx, key, change, (bytes, writer) -> writer.integers(RespNumbers.toLong(bytes)));
  }

  private static Outcome sum(byte @Nullable [] value, long by) {
    try {
      long number = value == null ? 0 : RespNumbers.toLong(value);
      return new Outcome.Changed(ArgumentUtils.toByteArray(Math.addExact(number, by)));
    } catch (NumberFormatException _) {
      return new Outcome.Unchanged(ResponseWriter::valueNotInteger);
    } catch (ArithmeticException _) {
      return OVERFLOW;
    }
  }

  private static Outcome sum(byte @Nullable [] value, byte[] by) {
    try {
      BigDecimal number = value == null ? BigDecimal.ZERO : decimal(value);
      BigDecimal sum = number.add(decimal(by));
      return Double.isFinite(sum.doubleValue())
          ? new Outcome.Changed(RespDoubles.plain(sum).getBytes(US_ASCII))
          : INFINITE;
    } catch (NumberFormatException _) {
      return new Outcome.Unchanged(ResponseWriter::valueNotAValidFloat);
    } catch (ArithmeticException _) {
      return INFINITE;
    }
  }

  /// A number with all digits that it is written with, if they are not absurdly many (COUNT-2).
  ///
  /// @throws ArithmeticException if it is infinite
  private static BigDecimal decimal(byte[] written) {
    double number = ArgumentUtils.toDouble(written);
    if (!Double.isFinite(number)) {
      throw new ArithmeticException("infinite");
    }
    if (number == 0) {
      return BigDecimal.ZERO; // also what is too small for a double
    }
    if (written.length > DIGITS_MAX) {
      return BigDecimal.valueOf(number);
    }
    try {
      return new BigDecimal(new String(written, US_ASCII).strip());
    } catch (NumberFormatException _) {
      return BigDecimal.valueOf(number); // written in hexadecimal digits
    }
  }
}
