package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.connection.CacheParts;
import io.varve.grid.guard.connection.RequestThreads;
import io.varve.grid.guard.entry.EntryLength;
import io.varve.infinispan.ExpiryGuard;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.infinispan.AdvancedCache;
import org.infinispan.functional.EntryView.ReadWriteEntryView;
import org.infinispan.functional.impl.FunctionalMapImpl;
import org.infinispan.functional.impl.ReadWriteMapImpl;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.serialization.ResponseWriter;
import org.jspecify.annotations.Nullable;

/// `SREM`, `HDEL`, `ZREM`, those of the kind of `ZREMRANGEBYSCORE`, and `SPOP` with a count: they
/// remove many elements of one collection.
///
/// - REMOVING-1 The time that it takes grows as the elements do. Infinispan compares each element
///   with each that is removed: `SPOP` of 10,000 of 20,000 members held an event loop for two
///   seconds. What compares few is left to it.
/// - REMOVING-2 It is one write, after which the time to live stays (EXPIRY-2). In a cache of this
///   node alone, what is left is computed under the lock of the key. In a cluster that would be a
///   function that nodes of an earlier release do not know. There, what is left is written only
///   over what it was computed of: where another client was quicker, it is computed again. After
///   [#ATTEMPTS_MAX] attempts Infinispan carries it out: clients that change the collection all the
///   time would have it computed without an end.
/// - REMOVING-3 What is left of a large collection is computed, and written, on no event loop
///   (ELEMENTS-1), unless one has just released the lock.
public final class RemovingCommand extends ReplacingCommand {
  /// Names of elements that Infinispan compares at their owner, which need not send the collection.
  private static final int NAMED_BY_OWNER_MAX = 16;

  /// Each but the last is made useless by another client's change.
  private static final int ATTEMPTS_MAX = 8;

  private RemovingCommand(RespCommand command) {
    super(command);
  }

  /// The command itself if it is another one, is one of these, or replaces one.
  public static RespCommand of(RespCommand command) {
    RespCommand inner =
        command instanceof ReplacingCommand replacing ? replacing.replaced() : command;
    if (command instanceof RemovingCommand || inner instanceof RemovingCommand) {
      return command;
    }
    return switch (command.getName()) {
      case "HDEL",
          "SPOP",
          "SREM",
          "ZREM",
          "ZREMRANGEBYLEX",
          "ZREMRANGEBYRANK",
          "ZREMRANGEBYSCORE" ->
          new RemovingCommand(command);
      default -> command;
    };
  }

  /// A removal that was to be written, null if Infinispan is to carry the command out.
  private record Outcome(@Nullable Removal removal, boolean isWritten) {}

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    boolean isOfFew =
        switch (getName()) {
          case "HDEL", "SREM", "ZREM" -> arguments.size() <= 1 + NAMED_BY_OWNER_MAX;
          case "SPOP" -> arguments.size() != 2;
          default -> false;
        };
    return isOfFew
        ? performReplaced(handler, ctx, arguments)
        : remove(handler, ctx, List.copyOf(arguments), ATTEMPTS_MAX);
  }

  private CompletionStage<RespRequestHandler> remove(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> words, int attempts) {
    AdvancedCache<byte[], Object> cache = EachType.of(handler);
    boolean isClustered = CacheParts.isClustered(handler);
    return composed(
        cache.getAsync(words.getFirst()),
        ctx,
        collection ->
            collection == null || attempts == 0
                ? performReplaced(handler, ctx, words)
                : composed(
                    CompletableFuture.supplyAsync(
                            () ->
                                isClustered
                                    ? write(cache, collection, words)
                                    : writeLocked(cache, words),
                            RequestThreads.ofElements(
                                ctx.channel(), EntryLength.elements(collection)))
                        .thenCompose(outcome -> outcome),
                    ctx,
                    outcome -> end(outcome, handler, ctx, words, attempts)));
  }

  private CompletionStage<Outcome> writeLocked(
      AdvancedCache<byte[], Object> cache, List<byte[]> words) {
    Function<ReadWriteEntryView<byte[], Object>, @Nullable Removal> change =
        entry -> change(entry, words);
    return ReadWriteMapImpl.create(FunctionalMapImpl.create(cache))
        .eval(words.getFirst(), change)
        .thenApply(removal -> new Outcome(removal, true));
  }

  private @Nullable Removal change(ReadWriteEntryView<byte[], Object> entry, List<byte[]> words) {
    Object collection = entry.find().orElse(null);
    Removal removal = collection == null ? null : Removal.of(getName(), collection, words);
    if (removal != null && removal.count() > 0) {
      Object rest = removal.rest();
      if (rest == null) {
        entry.remove();
      } else {
        entry.set(rest);
      }
    }
    return removal;
  }

  private CompletionStage<Outcome> write(
      AdvancedCache<byte[], Object> cache, Object collection, List<byte[]> words) {
    Removal removal = Removal.of(getName(), collection, words);
    if (removal == null || removal.count() == 0) {
      return CompletableFuture.completedFuture(new Outcome(removal, true));
    }
    byte[] key = words.getFirst();
    Object rest = removal.rest();
    CompletionStage<Boolean> written =
        rest == null
            ? cache.removeAsync(key, collection)
            : cache.replaceAsync(key, collection, rest, ExpiryGuard.UNCHANGED);
    return written.thenApply(isWritten -> new Outcome(removal, isWritten));
  }

  private CompletionStage<RespRequestHandler> end(
      Outcome outcome,
      Resp3Handler handler,
      ChannelHandlerContext ctx,
      List<byte[]> words,
      int attempts) {
    Removal removal = outcome.removal();
    if (removal == null) {
      return performReplaced(handler, ctx, words);
    }
    if (!outcome.isWritten()) {
      return remove(handler, ctx, words, attempts - 1); // REMOVING-2
    }
    if (getName().equals("SPOP")) {
      ResponseWriter.ARRAY_BULK_STRING.accept(removal.named(), handler.writer());
    } else {
      handler.writer().integers(removal.count());
    }
    return handler.myStage();
  }
}
