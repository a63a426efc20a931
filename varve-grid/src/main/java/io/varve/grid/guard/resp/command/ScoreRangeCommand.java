package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.RespRequestHandler;

/// A command on the members of a sorted set within a range of scores, with bounds that Infinispan
/// takes for what they mean.
///
/// Where no member is below a highest score that is not included, Infinispan takes the last member
/// for the end of the range: `ZREMRANGEBYSCORE key -9 (-6` removed members of any score. Where the
/// lowest score is above the highest one, it may fail. It takes both infinities for no bound, also
/// as the lowest score that is `+inf`.
///
/// - (SCORE-1) A highest score that is not included is passed on as the next lower one, included.
/// - (SCORE-2) A range that no score is in is passed on as one that Infinispan knows to be empty.
/// - (SCORE-3) An infinity that is a bound is passed on as a number that is read as one.
public final class ScoreRangeCommand extends ReplacingCommand {
  private static final byte[] NOTHING = bytes("(0");

  /// Infinispan takes the highest finite score for no bound.
  private static final double BELOW_INFINITY = Math.nextDown(Double.MAX_VALUE);

  private ScoreRangeCommand(RespCommand command) {
    super(command);
  }

  /// The command itself if it takes no range of scores, or is one of these.
  public static RespCommand of(RespCommand command) {
    if (command instanceof ScoreRangeCommand) {
      return command;
    }
    return switch (command.getName()) {
      case "ZCOUNT",
          "ZRANGE",
          "ZRANGEBYSCORE",
          "ZRANGESTORE",
          "ZREMRANGEBYSCORE",
          "ZREVRANGEBYSCORE" ->
          new ScoreRangeCommand(command);
      default -> command;
    };
  }

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    return performReplaced(handler, ctx, bounded(arguments));
  }

  private List<byte[]> bounded(List<byte[]> arguments) {
    int first = getName().equals("ZRANGESTORE") ? 2 : 1;
    List<byte[]> options = arguments.subList(first + 2, arguments.size());
    boolean isOfScores =
        switch (getName()) {
          case "ZRANGE", "ZRANGESTORE" -> contains(options, "BYSCORE");
          default -> true;
        };
    if (!isOfScores) {
      return arguments;
    }
    boolean isDescending = getName().equals("ZREVRANGEBYSCORE") || contains(options, "REV");
    return bounded(arguments, isDescending ? first + 1 : first, isDescending ? first : first + 1);
  }

  private static boolean contains(List<byte[]> options, String word) {
    return options.stream()
        .anyMatch(option -> new String(option, StandardCharsets.US_ASCII).equalsIgnoreCase(word));
  }

  /// @param lowest the index of the lowest score
  /// @param highest that of the highest one
  private static List<byte[]> bounded(List<byte[]> arguments, int lowest, int highest) {
    double from;
    double to;
    try {
      from = score(arguments.get(lowest));
      to = score(arguments.get(highest));
    } catch (NumberFormatException _) {
      return arguments; // Infinispan refuses them.
    }
    boolean excludesHighest = isExclusive(arguments.get(highest));
    double last = excludesHighest ? below(to) : to;
    List<byte[]> bounded = new ArrayList<>(arguments); // The list is that of the next command.
    if (from > last
        || (excludesHighest && to == Double.NEGATIVE_INFINITY)
        || (isExclusive(arguments.get(lowest)) && from == Double.POSITIVE_INFINITY)) {
      bounded.set(lowest, NOTHING); // SCORE-2
      bounded.set(highest, NOTHING);
      return bounded;
    }
    if (from == Double.POSITIVE_INFINITY) {
      bounded.set(lowest, bytes("1e999")); // SCORE-3
    }
    if (excludesHighest) {
      bounded.set(highest, bytes(Double.toString(last))); // SCORE-1
    } else if (to == Double.NEGATIVE_INFINITY) {
      bounded.set(highest, bytes("-1e999")); // SCORE-3
    }
    return bounded;
  }

  private static byte[] bytes(String bound) {
    return bound.getBytes(StandardCharsets.US_ASCII);
  }

  private static double below(double score) {
    return score > Double.MAX_VALUE ? BELOW_INFINITY : Math.nextDown(score);
  }

  private static boolean isExclusive(byte[] bound) {
    return bound.length > 0 && bound[0] == '(';
  }

  private static double score(byte[] bound) {
    String text = new String(bound, StandardCharsets.US_ASCII);
    String number = isExclusive(bound) ? text.substring(1) : text;
    return switch (number.toLowerCase(Locale.ROOT)) {
      case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
      case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(number);
    };
  }
}
