package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.infinispan.AdvancedCache;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.metadata.Metadata;
import org.infinispan.metadata.impl.InternalMetadataImpl;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.serialization.ResponseWriter;

/// `RENAME` and `RENAMENX`.
///
/// (RENAME-1) The entry expires under its new name when it would have under the old one, to the
/// millisecond: it takes the time of creation with it. Infinispan's own command begins what was
/// left of the lifespan again. (RENAME-2) A key that is given its own name stays; Infinispan's
/// command removes it. (RENAME-3) The entry is under its new name before it is removed under the
/// old one. So a kill leaves it under one name or under both. What another client writes between
/// both steps is renamed, too: the entry is removed only as it was read, in up to [#ROUNDS_MAX]
/// rounds. Of a key that is written faster, the entry is then taken as it is. (RENAME-4) `RENAMENX`
/// takes a name that is free in one step.
///
/// Commands that move something from one key follow each other in a process ([KeyQueue]).
final class Renaming {
  /// How often the entry may have changed between both steps.
  private static final int ROUNDS_MAX = 8;

  private final AdvancedCache<byte[], Object> cache;
  private final byte[] from;
  private final byte[] to;

  private Renaming(Resp3Handler handler, List<byte[]> arguments) {
    cache = EachType.of(handler);
    from = arguments.getFirst();
    to = arguments.get(1);
  }

  private enum Outcome {
    DONE,
    ABSENT,
    TAKEN
  }

  /// Carries out `RENAME`.
  ///
  /// @param done writes the reply
  static CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler,
      ChannelHandlerContext ctx,
      List<byte[]> arguments,
      Consumer<ResponseWriter> done) {
    return perform(handler, ctx, arguments, /* ifAbsent= */ false, done);
  }

  /// Carries out `RENAMENX`.
  static CompletionStage<RespRequestHandler> performIfAbsent(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    return perform(handler, ctx, arguments, /* ifAbsent= */ true, writer -> writer.integers(1));
  }

  private static CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler,
      ChannelHandlerContext ctx,
      List<byte[]> arguments,
      boolean ifAbsent,
      Consumer<ResponseWriter> done) {
    var renaming = new Renaming(handler, arguments);
    return handler.stageToReturn(
        KeyQueue.MOVES.next(
            renaming.cache.getName(),
            renaming.from,
            ctx.executor(),
            () -> renaming.rename(ifAbsent)),
        ctx,
        (outcome, writer) -> {
          switch (outcome) {
            case DONE -> done.accept(writer);
            case ABSENT -> writer.noSuchKey();
            case TAKEN -> writer.integers(0);
          }
        });
  }

  private CompletionStage<Outcome> rename(boolean ifAbsent) {
    return cache
        .getCacheEntryAsync(from)
        .thenCompose(entry -> {
          if (entry == null) {
            return CompletableFuture.completedFuture(Outcome.ABSENT);
          }
          if (Arrays.equals(from, to)) { // RENAME-2
            return CompletableFuture.completedFuture(ifAbsent ? Outcome.TAKEN : Outcome.DONE);
          }
          return ifAbsent
              ? cache
                  .putIfAbsentAsync(to, entry.getValue(), metadata(entry)) // RENAME-4
                  .thenCompose(there ->
                      there == null
                          ? remove(entry, 1)
                          : CompletableFuture.completedFuture(Outcome.TAKEN))
              : replace(entry, 1);
        });
  }

  private CompletionStage<Outcome> replace(CacheEntry<byte[], Object> entry, int round) {
    return cache
        .putAsync(to, entry.getValue(), metadata(entry))
        .thenCompose(_ -> remove(entry, round)); // RENAME-3
  }

  /// Removes the entry that is under its new name as well, or renames what is there now.
  private CompletionStage<Outcome> remove(CacheEntry<byte[], Object> entry, int round) {
    return cache
        .removeAsync(from, entry.getValue())
        .thenCompose(removed -> {
          if (removed) {
            return CompletableFuture.completedFuture(Outcome.DONE);
          }
          return round < ROUNDS_MAX
              ? cache
                  .getCacheEntryAsync(from)
                  .thenCompose(now -> now == null ? done() : replace(now, round + 1))
              : cache
                  .removeAsyncEntry(from)
                  .thenCompose(last -> last == null ? done() : taken(last));
        });
  }

  private CompletionStage<Outcome> taken(CacheEntry<byte[], Object> last) {
    return cache.putAsync(to, last.getValue(), metadata(last)).thenApply(_ -> Outcome.DONE);
  }

  private static CompletionStage<Outcome> done() {
    return CompletableFuture.completedFuture(Outcome.DONE);
  }

  /// RENAME-1
  static Metadata metadata(CacheEntry<byte[], Object> entry) {
    return new InternalMetadataImpl(entry.getMetadata(), entry.getCreated(), entry.getLastUsed());
  }
}
