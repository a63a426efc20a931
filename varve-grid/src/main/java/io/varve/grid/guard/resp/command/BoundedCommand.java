package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.entry.EntryLength;
import io.varve.grid.guard.entry.LargeCollections;
import io.varve.grid.guard.resp.format.RespFrames;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.multimap.impl.ListBucket;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.RespRequestHandler;
import org.jspecify.annotations.Nullable;

/// A command that adds its arguments to an entry, refused where that would be longer than a request
/// may be: before memory is taken for it.
///
/// (BOUND-1) An entry that grows by requests is at most as long as one request; it may have one
/// more for each connection that adds to it concurrently: the length is read before the command
/// runs. (BOUND-2) So it is with its elements, of which there are as many as a request may have.
/// Empty ones add nothing to the length, and took all memory.
public final class BoundedCommand extends ReplacingCommand {
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

  /// Those with two words for each element.
  private static final Set<String> OF_PAIRS = Set.of("HSET", "HMSET", "ZADD");

  static final String TOO_LONG = "the entry would be longer than --value-max";

  private final long valueBytesMax;

  private BoundedCommand(RespCommand command, long valueBytesMax) {
    super(command);
    this.valueBytesMax = valueBytesMax;
  }

  /// The command itself if it adds nothing.
  public static RespCommand of(RespCommand command, long valueBytesMax) {
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
      return performIf(SETRANGE.fits(arguments, valueBytesMax), handler, ctx, arguments);
    }
    if (MOVING.contains(getName())) {
      return move(handler, ctx, arguments);
    }
    long added = 0;
    for (byte[] argument : arguments.subList(1, arguments.size())) {
      added += argument.length;
    }
    long addedBytes = added;
    int addedElements = (arguments.size() - 1) / (OF_PAIRS.contains(getName()) ? 2 : 1);
    return composed(
        EntryLength.read(handler, arguments.getFirst())
            .thenApply(entry -> fits(entry, addedBytes, addedElements, valueBytesMax)),
        ctx,
        fits ->
            LargeCollections.adding(
                addedElements, () -> performIf(fits, handler, ctx, arguments))); // LARGE-3
  }

  /// Moves an element to another entry that it fits in. One that is moved within its own fits.
  private CompletionStage<RespRequestHandler> move(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    if (Arrays.equals(arguments.getFirst(), arguments.get(1))) {
      return performReplaced(handler, ctx, arguments);
    }
    return composed(
        EntryLength.read(handler, arguments.getFirst()),
        ctx,
        from -> {
          long movedBytes = movedBytes(from, arguments);
          return composed(
              EntryLength.read(handler, arguments.get(1))
                  .thenApply(to -> fits(to, movedBytes, 1, valueBytesMax)),
              ctx,
              fits -> performIf(fits, handler, ctx, arguments));
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
    return moved == null ? 0 : EntryLength.bytes(moved);
  }

  /// Whether an entry may grow by so many bytes and elements. BOUND-1, BOUND-2
  static boolean fits(
      @Nullable CacheEntry<?, ?> entry, long addedBytes, int addedElements, long valueBytesMax) {
    Object value = entry == null ? null : entry.getValue();
    return EntryLength.bytes(entry) + addedBytes <= valueBytesMax
        && EntryLength.elements(value) + addedElements <= RespFrames.ELEMENTS_MAX;
  }

  private CompletionStage<RespRequestHandler> performIf(
      boolean fits, Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    if (fits) {
      return performReplaced(handler, ctx, arguments);
    }
    handler.writer().customError(TOO_LONG);
    return handler.myStage();
  }
}
