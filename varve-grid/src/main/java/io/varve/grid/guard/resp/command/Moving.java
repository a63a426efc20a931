package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.entry.EntryLength;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.infinispan.commons.util.concurrent.CompletionStages;
import org.infinispan.multimap.impl.EmbeddedMultimapListCache;
import org.infinispan.multimap.impl.EmbeddedSetCache;
import org.infinispan.multimap.impl.ListBucket;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.RespUtil;
import org.infinispan.server.resp.exception.RespCommandException;
import org.infinispan.server.resp.serialization.ResponseWriter;
import org.jspecify.annotations.Nullable;

/// `LMOVE`, `RPOPLPUSH` and `SMOVE` from one key to another, and those of lists that wait.
///
/// (MOVE-1) The element is added to its new key before it is removed from the old one. So a kill
/// leaves it in one of both or in both, and a new key of another type leaves it in the old one.
/// Infinispan's own commands remove it first. (MOVE-2) Another client may have taken an element of
/// a list between both steps. It is then taken back from the new key, and the next one is moved.
///
/// (MOVE-4) A new key may become one of another type before the element is added to it. The client
/// whose command names it is answered so, and the element stays for others.
///
/// (MOVE-3) A list that an element is moved to by a command that may wait is as long as BOUND-1
/// permits: which element that is, is known when it is moved.
///
/// Commands that move something from one key, or take it ([TakingCommand]), follow each other in a
/// process ([KeyQueue]).
final class Moving {
  private Moving() {}

  /// One list, and the end of it that is meant.
  record End(EmbeddedMultimapListCache<byte[], byte[]> lists, byte[] key, boolean isLeft) {
    /// The element there, null if there is none.
    @SuppressWarnings("NullAway") // Infinispan does not state that.
    CompletionStage<byte @Nullable []> element() {
      return lists.index(key, isLeft ? 0 : -1);
    }

    /// MOVE-4
    CompletionStage<Void> add(byte[] element) {
      CompletionStage<Void> added =
          isLeft ? lists.offerFirst(key, element) : lists.offerLast(key, element);
      return CompletionStages.handleAndCompose(
          added,
          (_, failure) ->
              failure == null
                  ? CompletableFuture.completedFuture(null)
                  : CompletableFuture.failedFuture(
                      RespUtil.isWrongTypeError(failure) ? ofAnotherType() : failure));
    }

    /// Removes the element that is nearest to this end, of those that are equal.
    CompletionStage<Boolean> remove(byte[] element) {
      return lists.remove(key, isLeft ? 1 : -1, element).thenApply(count -> count > 0);
    }
  }

  /// Carries out `LMOVE` and `RPOPLPUSH`.
  ///
  /// @param fromLeft whether the first element of the old list is moved, and not the last
  /// @param toLeft whether it becomes the first of the new one
  static CompletionStage<RespRequestHandler> list(
      Resp3Handler handler,
      ChannelHandlerContext ctx,
      List<byte[]> arguments,
      boolean fromLeft,
      boolean toLeft) {
    EmbeddedMultimapListCache<byte[], byte[]> lists = handler.getListMultimap();
    var from = new End(lists, arguments.getFirst(), fromLeft);
    var to = new End(lists, arguments.get(1), toLeft);
    return handler.stageToReturn(
        KeyQueue.MOVES.next(
            handler.cache().getName(),
            from.key,
            ctx.executor(),
            () -> move(from, to, _ -> CompletableFuture.completedFuture(null))),
        ctx,
        ResponseWriter.BULK_STRING_BYTES);
  }

  /// Moves an element for a command that may wait, also within a list.
  ///
  /// @param executor of the connection
  /// @param valueBytesMax of the list that it is moved to
  /// @return the element, null if there is none; fails with the error that is answered, and with
  ///   that of another type only for the list that it is moved from
  @SuppressWarnings("NullAway") // The queue does not state that there may be no result.
  static CompletionStage<byte @Nullable []> element(
      Resp3Handler handler, Executor executor, End from, End to, long valueBytesMax) {
    return KeyQueue.MOVES.next(
        handler.cache().getName(),
        from.key,
        executor,
        () ->
            Arrays.equals(from.key, to.key)
                ? within(from, to)
                : move(from, to, element -> check(handler, to, element, valueBytesMax)));
  }

  @SuppressWarnings("NullAway") // Infinispan does not state that there may be no element.
  private static CompletionStage<byte @Nullable []> within(End from, End to) {
    return from.isLeft == to.isLeft
        ? from.element()
        : from.lists.rotate(from.key, /* rotateRight= */ from.isLeft);
  }

  /// Fails if the list that an element is moved to is none, or would be too long. MOVE-3
  private static CompletionStage<?> check(
      Resp3Handler handler, End to, byte[] element, long valueBytesMax) {
    return EntryLength.read(handler, to.key)
        .thenAccept(entry -> {
          if (entry != null && !(entry.getValue() instanceof ListBucket<?>)) {
            throw ofAnotherType();
          }
          if (!BoundedCommand.fits(entry, element.length, 1, valueBytesMax)) {
            throw new RespCommandException("ERR " + BoundedCommand.TOO_LONG);
          }
        });
  }

  private static RespCommandException ofAnotherType() {
    return new RespCommandException(
        "WRONGTYPE Operation against a key holding the wrong kind of value");
  }

  /// @param check fails if an element cannot be moved
  static CompletionStage<byte @Nullable []> move(
      End from, End to, Function<byte[], CompletionStage<?>> check) {
    return from.element()
        .thenCompose(element ->
            element == null
                ? CompletableFuture.completedFuture(null)
                : check
                    .apply(element)
                    .thenCompose(_ -> to.add(element))
                    .thenCompose(_ -> from.remove(element))
                    .thenCompose(removed ->
                        removed
                            ? CompletableFuture.completedFuture(element)
                            : to.remove(element)
                                .thenCompose(_ -> move(from, to, check)))); // MOVE-2
  }

  /// Carries out `SMOVE`.
  static CompletionStage<RespRequestHandler> member(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    EmbeddedSetCache<byte[], byte[]> sets = handler.getEmbeddedSetCache();
    byte[] from = arguments.getFirst();
    byte[] to = arguments.get(1);
    byte[] member = arguments.get(2);
    return handler.stageToReturn(
        KeyQueue.MOVES.next(
            handler.cache().getName(), from, ctx.executor(), () -> move(sets, from, to, member)),
        ctx,
        ResponseWriter.INTEGER);
  }

  /// 1 if the member was moved. Another client may have removed it between both steps: then it is
  /// as if that came later. Where there is nothing to move, the type of the new key does not
  /// matter.
  private static CompletionStage<Long> move(
      EmbeddedSetCache<byte[], byte[]> sets, byte[] from, byte[] to, byte[] member) {
    return sets.exists(from) // It fails for another type.
        .thenCompose(exists ->
            exists
                ? sets.exists(to).thenCompose(_ -> sets.mIsMember(from, member))
                : CompletableFuture.completedFuture(List.of(0L)))
        .thenCompose(there ->
            there.getFirst() == 0
                ? CompletableFuture.completedFuture(0L)
                : sets.add(to, member)
                    .thenCompose(added ->
                        sets.remove(from, member).thenApply(removed -> Math.max(added, removed))));
  }
}
