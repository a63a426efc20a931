package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.util.concurrent.CompletionStages;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.multimap.impl.EmbeddedMultimapListCache;
import org.infinispan.multimap.impl.ListBucket;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.serialization.Resp3Type;
import org.infinispan.server.resp.serialization.ResponseWriter;
import org.jspecify.annotations.Nullable;

/// `BLPOP`, `BRPOP` and `BLMPOP`: take elements of the first of some lists that has any.
///
/// Infinispan's own commands wait on for a connection that has ended, and take the next element for
/// it. An element that they take as the time of a client ends is given to no client, either. Its
/// `BLMPOP` takes as many elements as there are keys, and answers no array of them.
public final class BlockingPop extends BlockingCommand<BlockingPop.Taken> {
  private final boolean isOfCount;

  private BlockingPop(RespCommand command) {
    super(Description.of(command), BlockedKeys.Kind.LIST);
    isOfCount = getName().equals("BLMPOP");
  }

  /// The command itself if it takes nothing and waits for nothing, or is one of these.
  public static RespCommand of(RespCommand command) {
    return switch (command.getName()) {
      case "BLPOP", "BRPOP", "BLMPOP" ->
          command instanceof BlockingPop ? command : new BlockingPop(command);
      default -> command;
    };
  }

  /// What a client gets of a list.
  ///
  /// @param list as it was found before; null if there was none, or it was not looked for
  record Taken(
      byte[] key,
      Collection<byte[]> elements,
      boolean fromLeft,
      @Nullable CacheEntry<byte[], Object> list) {
    private Taken of(@Nullable CacheEntry<byte[], Object> list) {
      return new Taken(key, elements, fromLeft, list);
    }
  }

  @Override
  BlockedClient.Wanted<Taken> wanted(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    Counted counted =
        isOfCount
            ? counted(arguments, "LEFT", "RIGHT")
            : ofOne(arguments, getName().equals("BLPOP"));
    return wanted(handler, counted, key -> take(handler, ctx, key, counted), Taken::of);
  }

  /// Takes elements of a list when moves of it have ended (TAKE-1); null if it has none.
  @SuppressWarnings("NullAway") // The queue does not state that there may be no result.
  static CompletionStage<@Nullable Taken> take(
      Resp3Handler handler, ChannelHandlerContext ctx, byte[] key, Counted counted) {
    EmbeddedMultimapListCache<byte[], byte[]> lists = handler.getListMultimap();
    return KeyQueue.MOVES.next(
        handler.cache().getName(), key, ctx.executor(), () -> take(lists, key, counted));
  }

  @SuppressWarnings("NullAway") // Infinispan does not state that there may be no elements.
  private static CompletionStage<@Nullable Taken> take(
      EmbeddedMultimapListCache<byte[], byte[]> lists, byte[] key, Counted counted) {
    return lists
        .poll(key, counted.count(), counted.isFirst())
        .thenApply(elements ->
            elements == null || elements.isEmpty()
                ? null
                : new Taken(key, elements, counted.isFirst(), /* list= */ null));
  }

  @Override
  void reply(Taken taken, ResponseWriter writer) {
    if (isOfCount) {
      replyCounted(taken, writer);
    } else {
      writer.array(List.of(taken.key(), taken.elements().iterator().next()), Resp3Type.BULK_STRING);
    }
  }

  static void replyCounted(Taken taken, ResponseWriter writer) {
    writer.arrayStart(2);
    writer.string(taken.key());
    writer.array(taken.elements(), Resp3Type.BULK_STRING);
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // No client waits for what is put back.
  void putBack(Resp3Handler handler, Taken taken) {
    putBack(EachType.of(handler), handler.getListMultimap(), taken);
  }

  /// A list that has gone with its last element is made again, with the time to live that it had.
  static CompletionStage<Void> putBack(
      AdvancedCache<byte[], Object> cache,
      EmbeddedMultimapListCache<byte[], byte[]> lists,
      Taken taken) {
    List<byte[]> inOrder = List.copyOf(taken.elements());
    List<byte[]> lastFirst = inOrder.reversed();
    CacheEntry<byte[], Object> list = taken.list();
    CompletionStage<Boolean> made =
        list == null
            ? CompletableFuture.completedFuture(false)
            : cache
                .putIfAbsentAsync(
                    taken.key(),
                    ListBucket.create(taken.fromLeft() ? inOrder : lastFirst),
                    Renaming.metadata(list))
                .thenApply(there -> there == null);
    return made.thenCompose(isMade ->
        isMade
            ? CompletableFuture.completedFuture(null)
            : CompletionStages.performSequentially(
                lastFirst.iterator(), element -> putBack(lists, taken, element)));
  }

  private static CompletionStage<Void> putBack(
      EmbeddedMultimapListCache<byte[], byte[]> lists, Taken taken, byte[] element) {
    return taken.fromLeft()
        ? lists.offerFirst(taken.key(), element)
        : lists.offerLast(taken.key(), element);
  }
}
