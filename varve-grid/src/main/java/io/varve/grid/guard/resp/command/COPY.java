package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.infinispan.AdvancedCache;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.server.resp.AclCategory;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.commands.ArgumentUtils;
import org.infinispan.server.resp.commands.Resp3Command;
import org.infinispan.server.resp.serialization.ResponseWriter;

/// `COPY`, which Infinispan does not have. A command is called as its class is.
///
/// (COPY-1) The new key has the value that the old one had at some time of the call. It expires
/// when that would, to the millisecond ([Renaming], RENAME-1). (COPY-2) It is written in one step.
/// Without `REPLACE` that is done only if its name is free in that step. (COPY-3) What a later
/// command changes in place is not shared by both keys ([Unshared]).
///
/// Commands that take something from one key follow each other in a process ([KeyQueue]).
public final class COPY extends RespCommand implements Resp3Command {
  public COPY() {
    super(
        -3,
        1,
        2,
        1,
        AclCategory.KEYSPACE.mask() | AclCategory.WRITE.mask() | AclCategory.SLOW.mask());
  }

  /// `source destination [DB 0] [REPLACE]`
  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    byte[] from = arguments.getFirst();
    byte[] to = arguments.get(1);
    boolean replaces;
    try {
      replaces = replaces(arguments.subList(2, arguments.size()));
    } catch (NumberFormatException _) {
      handler.writer().valueNotInteger();
      return handler.myStage();
    } catch (IllegalArgumentException e) {
      handler.writer().customError(e.getMessage());
      return handler.myStage();
    }
    if (Arrays.equals(from, to)) {
      handler.writer().customError("source and destination objects are the same");
      return handler.myStage();
    }
    AdvancedCache<byte[], Object> cache = EachType.of(handler);
    return handler.stageToReturn(
        KeyQueue.MOVES.next(
            cache.getName(), from, ctx.executor(), () -> copy(cache, from, to, replaces)),
        ctx,
        ResponseWriter.INTEGER);
  }

  private static boolean replaces(List<byte[]> options) {
    boolean replaces = false;
    for (int at = 0; at < options.size(); at++) {
      String word = ExpiryTime.option(options.get(at));
      if (word.equals("REPLACE")) {
        replaces = true;
      } else if (word.equals("DB") && at + 1 < options.size()) {
        at++;
        if (ArgumentUtils.toInt(options.get(at)) != 0) {
          throw new IllegalArgumentException("DB index is out of range");
        }
      } else {
        throw new IllegalArgumentException("syntax error");
      }
    }
    return replaces;
  }

  private static CompletionStage<Long> copy(
      AdvancedCache<byte[], Object> cache, byte[] from, byte[] to, boolean replaces) {
    return cache
        .getCacheEntryAsync(from)
        .thenCompose(entry ->
            entry == null
                ? CompletableFuture.completedFuture(0L)
                : write(cache, to, entry, replaces));
  }

  /// COPY-2
  private static CompletionStage<Long> write(
      AdvancedCache<byte[], Object> cache,
      byte[] to,
      CacheEntry<byte[], Object> entry,
      boolean replaces) {
    Object value = Unshared.of(entry.getValue());
    return replaces
        ? cache.putAsync(to, value, Renaming.metadata(entry)).thenApply(_ -> 1L)
        : cache
            .putIfAbsentAsync(to, value, Renaming.metadata(entry))
            .thenApply(there -> there == null ? 1L : 0L);
  }
}
