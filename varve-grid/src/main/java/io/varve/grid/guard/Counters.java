package io.varve.grid.guard;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.StringChange.Outcome;
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
final class Counters {
  private static final Outcome OVERFLOW =
      new Outcome.Unchanged(writer -> writer.customError("increment or decrement would overflow"));

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
      Resp3Handler handler, ChannelHandlerContext ctx, byte[] key, double by) {
    return StringChange.perform(
        handler, ctx, key, value -> sum(value, by), (bytes, writer) -> writer.string(bytes));
  }

  private static CompletionStage<RespRequestHandler> change(
      Resp3Handler handler,
      ChannelHandlerContext ctx,
      byte[] key,
      Function<byte @Nullable [], Outcome> change) {
    return StringChange.perform(
        handler, ctx, key, change, (bytes, writer) -> writer.integers(ArgumentUtils.toLong(bytes)));
  }

  private static Outcome sum(byte @Nullable [] value, long by) {
    try {
      long number = value == null ? 0 : ArgumentUtils.toLong(value);
      return new Outcome.Changed(ArgumentUtils.toByteArray(Math.addExact(number, by)));
    } catch (NumberFormatException _) {
      return new Outcome.Unchanged(ResponseWriter::valueNotInteger);
    } catch (ArithmeticException _) {
      return OVERFLOW;
    }
  }

  private static Outcome sum(byte @Nullable [] value, double by) {
    double sum;
    try {
      sum = (value == null ? 0 : ArgumentUtils.toDouble(value)) + by;
    } catch (NumberFormatException _) {
      return new Outcome.Unchanged(ResponseWriter::valueNotAValidFloat);
    }
    return Double.isFinite(sum)
        ? new Outcome.Changed(RespDoubles.text(Double.toString(sum)).getBytes(US_ASCII))
        : new Outcome.Unchanged(ResponseWriter::nanOrInfinity);
  }
}
