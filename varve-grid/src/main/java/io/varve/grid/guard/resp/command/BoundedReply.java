package io.varve.grid.guard.resp.command;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.connection.RequestThreads;
import io.varve.grid.guard.entry.EntryLength;
import io.varve.grid.guard.resp.format.RespFrames;
import io.varve.grid.guard.resp.format.RespNumbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.util.concurrent.CompletionStages;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.response.LCSResponse;
import org.infinispan.server.resp.serialization.ResponseWriter;
import org.jspecify.annotations.Nullable;

/// A command that is refused if its reply would be very much longer than its request and its
/// entries. What it takes in memory to make the reply counts, too.
///
/// - REPLY-4 `MGET` names a key any number of times: its values are together at most as long as a
///   reply may be.
/// - REPLY-5 A negative count of `SRANDMEMBER` and its kin asks for elements more than once: for at
///   most [#RANDOM_MAX].
/// - REPLY-6 `LCS` has a table with a number for each pair of bytes of both strings: it has at most
///   [#TABLE_BYTES_MAX]. A large one is computed on no event loop (ELEMENTS-1).
/// - REPLY-7 `SORT` with several words `GET` has a string for each element and word: at most
///   [RespFrames#ELEMENTS_MAX].
/// - REPLY-8 `SORT` reads another key for each element and pattern, one after the other: at most
///   [#READS_MAX].
public final class BoundedReply extends ReplacingCommand {
  /// Of other keys, which take an event loop some tenths of a second.
  private static final long READS_MAX = 1 << 17;

  /// Which take an event loop some tenths of a second, with values or scores.
  private static final long RANDOM_MAX = 1 << 17;

  private static final long TABLE_BYTES_MAX = 64 << 20; // which takes some tenths of a second

  private final long replyBytesMax;

  private BoundedReply(RespCommand command, long replyBytesMax) {
    super(command);
    this.replyBytesMax = replyBytesMax;
  }

  /// The command itself if its reply has the bound of what it reads.
  public static RespCommand of(RespCommand command, long replyBytesMax) {
    RespCommand unbounded = command instanceof BoundedReply bounded ? bounded.replaced() : command;
    return switch (command.getName()) {
      case "HRANDFIELD",
          "LCS",
          "MGET",
          "SORT",
          "SORT_RO",
          "SRANDMEMBER",
          "STRALGO",
          "ZRANDMEMBER" ->
          new BoundedReply(unbounded, replyBytesMax);
      default -> command;
    };
  }

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    return switch (getName()) {
      case "MGET" -> values(handler, ctx, arguments);
      case "LCS" -> longest(handler, ctx, arguments, List.of());
      case "SORT", "SORT_RO" -> sorted(handler, ctx, arguments);
      case "STRALGO" -> longest(handler, ctx, arguments, List.of("LCS", "KEYS"));
      default -> random(handler, ctx, arguments);
    };
  }

  @SuppressWarnings("NullAway") // Infinispan does not state that it may be null.
  private static CompletionStage<@Nullable Object> value(Resp3Handler handler, byte[] key) {
    return EachType.of(handler).getAsync(key);
  }

  /// The length of values of a reply.
  private static final class Length {
    private final long bytesMax;
    private long bytes; // one after the other

    Length(long bytesMax) {
      this.bytesMax = bytesMax;
    }

    byte @Nullable [] add(byte @Nullable [] value) {
      bytes += value == null ? 0 : value.length;
      if (bytes > bytesMax) {
        throw new IllegalArgumentException(
            "the reply would be longer than " + bytesMax + " bytes: name fewer keys");
      }
      return value;
    }
  }

  /// REPLY-4
  private CompletionStage<RespRequestHandler> values(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    var length = new Length(replyBytesMax);
    AdvancedCache<byte[], Object> cache = EachType.of(handler);
    List<byte[]> values = new ArrayList<>(arguments.size());
    CompletionStage<List<byte[]>> read =
        ManyKeysCommand.inSlices(
            List.copyOf(arguments),
            ctx.channel().eventLoop(),
            values,
            (_, keys) ->
                CompletionStages.performSequentially(
                        keys.iterator(),
                        key ->
                            cache
                                .getAsync(key)
                                .thenAccept(value ->
                                    values.add(
                                        length.add(value instanceof byte[] text ? text : null))))
                    .thenApply(_ -> values));
    return handler.stageToReturn(read, ctx, ResponseWriter.ARRAY_BULK_STRING);
  }

  /// REPLY-5
  private CompletionStage<RespRequestHandler> random(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    if (arguments.size() > 1 && RespNumbers.toLong(arguments.get(1)) < -RANDOM_MAX) {
      handler.writer().customError("value is out of range: at least -" + RANDOM_MAX);
      return handler.myStage();
    }
    return performReplaced(handler, ctx, arguments);
  }

  private CompletionStage<RespRequestHandler> sorted(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    List<byte[]> kept = List.copyOf(arguments);
    List<String> words =
        kept.stream().map(word -> new String(word, US_ASCII).toUpperCase(Locale.ROOT)).toList();
    long gets = words.subList(1, words.size()).stream().filter("GET"::equals).count();
    long patternsOfGet = patterns(words, "GET");
    long patternsOfBy = patterns(words, "BY");
    if (gets <= 1 && patternsOfGet + patternsOfBy == 0) {
      return performReplaced(handler, ctx, arguments);
    }
    long limit = limit(words);
    CompletionStage<String> error =
        value(handler, kept.getFirst())
            .thenApply(EntryLength::elements)
            .thenApply(elements -> {
              long sorted = Math.min(limit, elements);
              if (gets > 1 && gets * sorted > RespFrames.ELEMENTS_MAX) { // REPLY-7
                return "the reply would have more than "
                    + RespFrames.ELEMENTS_MAX
                    + " strings: use LIMIT";
              }
              return patternsOfBy * elements + patternsOfGet * sorted > READS_MAX // REPLY-8
                  ? "it would read more than " + READS_MAX + " other keys: use LIMIT, or no BY"
                  : "";
            });
    return composed(
        error,
        ctx,
        text -> {
          if (text.isEmpty()) {
            return performReplaced(handler, ctx, kept);
          }
          handler.writer().customError(text);
          return handler.myStage();
        });
  }

  /// How often a word is followed by a pattern.
  private static long patterns(List<String> words, String word) {
    return IntStream.range(1, words.size() - 1)
        .filter(at -> words.get(at).equals(word) && words.get(at + 1).contains("*"))
        .count();
  }

  /// The elements that are asked for, by `LIMIT OFFSET COUNT`.
  private static long limit(List<String> words) {
    int at = words.lastIndexOf("LIMIT") + 2;
    if (at < 2 || at >= words.size()) {
      return Long.MAX_VALUE;
    }
    try {
      long count = Long.parseLong(words.get(at));
      return count < 0 ? Long.MAX_VALUE : count;
    } catch (NumberFormatException _) {
      return Long.MAX_VALUE; // The command refuses it.
    }
  }

  /// REPLY-6
  private CompletionStage<RespRequestHandler> longest(
      Resp3Handler handler,
      ChannelHandlerContext ctx,
      List<byte[]> arguments,
      List<String> wordsBefore) {
    int first = wordsBefore.size();
    if (arguments.size() < first + 2
        || !arguments.stream()
            .limit(first)
            .map(word -> new String(word, US_ASCII))
            .toList()
            .equals(wordsBefore)) {
      return performReplaced(handler, ctx, arguments); // which refuses them
    }
    List<byte[]> words = List.copyOf(arguments.subList(first + 2, arguments.size()));
    return composed(
        value(handler, arguments.get(first))
            .thenCombine(value(handler, arguments.get(first + 1)), Strings::new),
        ctx,
        strings -> longest(handler, ctx, words, strings));
  }

  /// The values of both keys.
  private record Strings(@Nullable Object first, @Nullable Object second) {
    long tableBytes() {
      return (length(first) + 1) * (length(second) + 1) * Integer.BYTES;
    }

    boolean areStrings() {
      return isString(first) && isString(second);
    }

    private static boolean isString(@Nullable Object value) {
      return value == null || value instanceof byte[];
    }
  }

  private CompletionStage<RespRequestHandler> longest(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> words, Strings strings) {
    CommonSubsequence.Options options;
    try {
      if (!strings.areStrings()) {
        throw new IllegalArgumentException("The specified keys must contain string values");
      }
      if (strings.tableBytes() > TABLE_BYTES_MAX) {
        throw new IllegalArgumentException(
            "the strings are too long for LCS: both take too much memory");
      }
      options = CommonSubsequence.Options.of(words);
    } catch (IllegalArgumentException e) {
      handler.writer().customError(e.getMessage());
      return handler.myStage();
    }
    return handler.stageToReturn(
        CompletableFuture.supplyAsync(
            () -> CommonSubsequence.of(bytes(strings.first()), bytes(strings.second()), options),
            RequestThreads.ofElements(ctx.channel(), strings.tableBytes() / Integer.BYTES)),
        ctx,
        LCSResponse.SERIALIZER);
  }

  private static byte[] bytes(@Nullable Object value) {
    return value instanceof byte[] text ? text : new byte[0];
  }

  private static long length(@Nullable Object value) {
    return value instanceof byte[] text ? text.length : 0;
  }
}
