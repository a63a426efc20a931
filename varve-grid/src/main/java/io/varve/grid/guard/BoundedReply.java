package io.varve.grid.guard;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.commons.util.concurrent.CompletionStages;
import org.infinispan.multimap.impl.ListBucket;
import org.infinispan.multimap.impl.SetBucket;
import org.infinispan.multimap.impl.SortedSetBucket;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.commands.ArgumentUtils;
import org.infinispan.server.resp.serialization.ResponseWriter;
import org.jspecify.annotations.Nullable;

/// A command that is refused if its reply would be very much longer than its request and its
/// entries. What it takes in memory to make the reply counts, too.
///
/// - REPLY-4 `MGET` names a key any number of times: its values are together at most as long as a
///   reply may be.
/// - REPLY-5 A negative count of `SRANDMEMBER` and its kin asks for elements more than once: for at
///   most [#ELEMENTS_MAX].
/// - REPLY-6 `LCS` has a table with a number for each pair of bytes of both strings: it has at most
///   [#TABLE_BYTES_MAX].
/// - REPLY-7 `SORT` with several words `GET` has a string for each element and word: at most
///   [#ELEMENTS_MAX].
final class BoundedReply extends ReplacingCommand {
  /// As of a request.
  private static final long ELEMENTS_MAX = 1 << 20;

  private static final long TABLE_BYTES_MAX = 64 << 20; // which takes some tenths of a second

  private final long replyBytesMax;

  private BoundedReply(RespCommand command, long replyBytesMax) {
    super(command);
    this.replyBytesMax = replyBytesMax;
  }

  /// The command itself if its reply has the bound of what it reads.
  static RespCommand of(RespCommand command, long replyBytesMax) {
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
      case "LCS" -> longest(handler, ctx, arguments, 0);
      case "SORT", "SORT_RO" -> sorted(handler, ctx, arguments);
      case "STRALGO" -> longest(handler, ctx, arguments, 2); // STRALGO LCS KEYS key key
      default -> random(handler, ctx, arguments);
    };
  }

  @SuppressWarnings("NullAway") // Infinispan does not state that it may be null.
  private static CompletionStage<@Nullable Object> value(Resp3Handler handler, byte[] key) {
    AdvancedCache<byte[], byte[]> cache = handler.cache();
    MediaType stored = cache.getValueDataConversion().getStorageMediaType();
    return cache
        .<byte[], Object>withMediaType(MediaType.APPLICATION_OCTET_STREAM, stored)
        .getAsync(key);
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
    CompletionStage<List<byte[]>> values =
        CompletionStages.performSequentially(
            arguments.iterator(),
            key ->
                value(handler, key)
                    .thenApply(value -> length.add(value instanceof byte[] text ? text : null)),
            Collectors.<byte[]>toList());
    return handler.stageToReturn(values, ctx, ResponseWriter.ARRAY_BULK_STRING);
  }

  /// REPLY-5
  private CompletionStage<RespRequestHandler> random(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    if (arguments.size() > 1 && ArgumentUtils.toLong(arguments.get(1)) < -ELEMENTS_MAX) {
      handler.writer().customError("value is out of range: at least -" + ELEMENTS_MAX);
      return handler.myStage();
    }
    return performReplaced(handler, ctx, arguments);
  }

  /// REPLY-7
  private CompletionStage<RespRequestHandler> sorted(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    List<String> words =
        arguments.stream()
            .map(word -> new String(word, US_ASCII).toUpperCase(Locale.ROOT))
            .toList();
    long gets = words.subList(1, words.size()).stream().filter("GET"::equals).count();
    if (gets <= 1) {
      return performReplaced(handler, ctx, arguments);
    }
    List<byte[]> kept = List.copyOf(arguments);
    long limit = limit(words);
    CompletionStage<Long> strings =
        value(handler, kept.getFirst()).thenApply(value -> gets * Math.min(limit, elements(value)));
    return CompletionStages.isCompletedSuccessfully(strings)
        ? sorted(handler, ctx, kept, CompletionStages.join(strings))
        : strings.thenComposeAsync(count -> sorted(handler, ctx, kept, count), ctx.executor());
  }

  private CompletionStage<RespRequestHandler> sorted(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments, Long strings) {
    if (strings <= ELEMENTS_MAX) {
      return performReplaced(handler, ctx, arguments);
    }
    handler
        .writer()
        .customError("the reply would have more than " + ELEMENTS_MAX + " strings: use LIMIT");
    return handler.myStage();
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

  private static long elements(@Nullable Object value) {
    return switch (value) {
      case ListBucket<?> list -> list.size();
      case SetBucket<?> set -> set.size();
      case SortedSetBucket<?> sorted -> sorted.size();
      case null, default -> 0;
    };
  }

  /// REPLY-6
  private CompletionStage<RespRequestHandler> longest(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments, int first) {
    if (arguments.size() < first + 2) {
      return performReplaced(handler, ctx, arguments); // which refuses them
    }
    List<byte[]> kept = List.copyOf(arguments);
    CompletionStage<Long> table =
        value(handler, kept.get(first))
            .thenCombine(
                value(handler, kept.get(first + 1)),
                (one, other) -> (length(one) + 1) * (length(other) + 1) * Integer.BYTES);
    return CompletionStages.isCompletedSuccessfully(table)
        ? longest(handler, ctx, kept, CompletionStages.join(table))
        : table.thenComposeAsync(bytes -> longest(handler, ctx, kept, bytes), ctx.executor());
  }

  private CompletionStage<RespRequestHandler> longest(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments, Long tableBytes) {
    if (tableBytes <= TABLE_BYTES_MAX) {
      return performReplaced(handler, ctx, arguments);
    }
    handler.writer().customError("the strings are too long for LCS: both take too much memory");
    return handler.myStage();
  }

  private static long length(@Nullable Object value) {
    return value instanceof byte[] text ? text.length : 0;
  }
}
