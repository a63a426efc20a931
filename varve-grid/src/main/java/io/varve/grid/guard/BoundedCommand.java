package io.varve.grid.guard;

import io.netty.channel.ChannelHandlerContext;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.commons.util.concurrent.CompletionStages;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.multimap.impl.HashMapBucket;
import org.infinispan.multimap.impl.ListBucket;
import org.infinispan.multimap.impl.ScoredValue;
import org.infinispan.multimap.impl.SetBucket;
import org.infinispan.multimap.impl.SortedSetBucket;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.RespRequestHandler;
import org.jspecify.annotations.Nullable;

/// A command that adds its arguments to an entry, refused where that would be longer than a request
/// may be: before memory is taken for it.
///
/// (BOUND-1) An entry that grows by requests is at most as long as one request; it may have one
/// more for each connection that adds to it concurrently: the length is read before the command
/// runs.
final class BoundedCommand extends ReplacingCommand {
  /// Those that add to what is there. What makes an entry of others, as `SUNIONSTORE`, is bounded
  /// by their number.
  private static final Set<String> ADDING =
      Set.of(
          "APPEND",
          "LPUSH",
          "LPUSHX",
          "RPUSH",
          "RPUSHX",
          "LINSERT",
          "SADD",
          "HSET",
          "HMSET",
          "HSETNX",
          "ZADD",
          "PFADD",
          "LSET",
          "HINCRBY",
          "HINCRBYFLOAT",
          "ZINCRBY");

  /// Those that move an element of their first key to their second.
  private static final Set<String> MOVING = Set.of("SMOVE", "LMOVE", "RPOPLPUSH");

  private final long valueBytesMax;

  private BoundedCommand(RespCommand command, long valueBytesMax) {
    super(command);
    this.valueBytesMax = valueBytesMax;
  }

  /// The command itself if it adds nothing.
  static RespCommand of(RespCommand command, long valueBytesMax) {
    String name = command.getName();
    if (!ADDING.contains(name) && !MOVING.contains(name) && !(command instanceof SETRANGE)) {
      return command;
    }
    RespCommand unbounded =
        command instanceof BoundedCommand bounded ? bounded.replaced() : command;
    return new BoundedCommand(unbounded, valueBytesMax);
  }

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    if (replaced() instanceof SETRANGE) {
      return add(SETRANGE.end(arguments), handler, ctx, arguments);
    }
    if (MOVING.contains(getName())) {
      return move(handler, ctx, arguments);
    }
    long added = 0;
    for (byte[] argument : arguments.subList(1, arguments.size())) {
      added += argument.length;
    }
    long addedBytes = added;
    return composed(
        read(handler, arguments.getFirst()),
        ctx,
        entry -> add(bytes(entry) + addedBytes, handler, ctx, arguments));
  }

  /// Moves an element to another entry that it fits in. One that is moved within its own fits.
  private CompletionStage<RespRequestHandler> move(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    if (Arrays.equals(arguments.getFirst(), arguments.get(1))) {
      return add(0, handler, ctx, arguments);
    }
    return composed(
        read(handler, arguments.getFirst()),
        ctx,
        from -> {
          long movedBytes = movedBytes(from, arguments);
          return composed(
              read(handler, arguments.get(1)),
              ctx,
              to -> add(bytes(to) + movedBytes, handler, ctx, arguments));
        });
  }

  /// The bytes of the element that a command moves out of an entry.
  private long movedBytes(@Nullable CacheEntry<?, ?> from, List<byte[]> arguments) {
    if (getName().equals("SMOVE")) {
      return arguments.get(2).length;
    }
    if (from == null || !(from.getValue() instanceof ListBucket<?> list)) {
      return 0;
    }
    boolean isFirst =
        getName().equals("LMOVE")
            && new String(arguments.get(2), StandardCharsets.US_ASCII).equalsIgnoreCase("LEFT");
    Object moved = isFirst ? list.toDeque().peekFirst() : list.toDeque().peekLast();
    return moved == null ? 0 : bytes(moved);
  }

  private static CompletionStage<CacheEntry<byte[], Object>> read(
      Resp3Handler handler, byte[] key) {
    AdvancedCache<byte[], byte[]> cache = handler.cache();
    MediaType stored = cache.getValueDataConversion().getStorageMediaType();
    return cache
        .<byte[], Object>withMediaType(MediaType.APPLICATION_OCTET_STREAM, stored)
        .getCacheEntryAsync(key);
  }

  /// Continues on the event loop. The list of arguments is that of the next command, which is read
  /// when this one has ended.
  private static CompletionStage<RespRequestHandler> composed(
      CompletionStage<CacheEntry<byte[], Object>> entry,
      ChannelHandlerContext ctx,
      Function<@Nullable CacheEntry<byte[], Object>, CompletionStage<RespRequestHandler>> next) {
    return CompletionStages.isCompletedSuccessfully(entry)
        ? next.apply(CompletionStages.join(entry))
        : entry.thenComposeAsync(next, ctx.channel().eventLoop());
  }

  private CompletionStage<RespRequestHandler> add(
      long bytes, Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    if (bytes <= valueBytesMax) {
      return performReplaced(handler, ctx, arguments);
    }
    handler.writer().customError("the entry would be longer than --value-max");
    return handler.myStage();
  }

  private static long bytes(@Nullable CacheEntry<?, ?> entry) {
    return entry == null ? 0 : bytes(entry.getValue());
  }

  /// The bytes of all strings of a value.
  private static long bytes(Object value) {
    return switch (value) {
      case byte[] bytes -> bytes.length;
      case ListBucket<?> list -> sum(list.toDeque());
      case SetBucket<?> set -> sum(set.toList());
      case HashMapBucket<?, ?> hash -> {
        Map<?, ?> fields = hash.converted();
        yield sum(fields.keySet()) + sum(fields.values());
      }
      case SortedSetBucket<?> sorted -> {
        long bytes = 0;
        for (ScoredValue<?> entry : sorted.getScoredEntriesAsList()) {
          bytes += Double.BYTES + bytes(entry.getValue());
        }
        yield bytes;
      }
      case String text -> text.getBytes(StandardCharsets.UTF_8).length;
      default -> 0;
    };
  }

  private static long sum(Collection<?> values) {
    long bytes = 0;
    for (Object value : values) {
      bytes += bytes(value);
    }
    return bytes;
  }
}
