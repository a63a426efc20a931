package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.infinispan.AdvancedCache;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.multimap.impl.EmbeddedMultimapSortedSetCache;
import org.infinispan.multimap.impl.ScoredValue;
import org.infinispan.multimap.impl.SortedSetAddArgs;
import org.infinispan.multimap.impl.SortedSetBucket;
import org.infinispan.server.resp.AclCategory;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.serialization.ResponseWriter;
import org.jspecify.annotations.Nullable;

/// `BZPOPMIN`, `BZPOPMAX` and `BZMPOP`: take members of the first of some sorted sets that has any.
/// Infinispan has none of them.
public final class BlockingSortedPop extends BlockingCommand<BlockingSortedPop.Taken> {
  private final boolean isOfCount;
  private final boolean isOfLowest;

  private BlockingSortedPop(Description description) {
    super(description, BlockedKeys.Kind.SORTED_SET);
    isOfCount = getName().equals("BZMPOP");
    isOfLowest = getName().equals("BZPOPMIN");
  }

  /// All of these commands.
  public static List<RespCommand> all() {
    long mask =
        AclCategory.WRITE.mask() | AclCategory.SORTEDSET.mask() | AclCategory.BLOCKING.mask();
    long fast = mask | AclCategory.FAST.mask();
    return List.of(
        new BlockingSortedPop(new Description("BZPOPMIN", -3, 1, -2, fast)),
        new BlockingSortedPop(new Description("BZPOPMAX", -3, 1, -2, fast)),
        new BlockingSortedPop(new Description("BZMPOP", -5, 0, 0, mask | AclCategory.SLOW.mask())));
  }

  /// What a client gets of a sorted set.
  ///
  /// @param set as it was found before; null if there was none, or it was not looked for
  record Taken(
      byte[] key,
      Collection<ScoredValue<byte[]>> members,
      @Nullable CacheEntry<byte[], Object> set) {
    private Taken of(@Nullable CacheEntry<byte[], Object> set) {
      return new Taken(key, members, set);
    }
  }

  @Override
  BlockedClient.Wanted<Taken> wanted(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    Counted counted = isOfCount ? counted(arguments, "MIN", "MAX") : ofOne(arguments, isOfLowest);
    return wanted(handler, counted, key -> take(handler, key, counted), Taken::of);
  }

  /// Takes members of one sorted set; null if it has none.
  static CompletionStage<@Nullable Taken> take(Resp3Handler handler, byte[] key, Counted counted) {
    return handler
        .getSortedSeMultimap()
        .pop(key, counted.isFirst(), counted.count())
        .thenApply(members ->
            members == null || members.isEmpty() ? null : new Taken(key, members, /* set= */ null));
  }

  @Override
  void reply(Taken taken, ResponseWriter writer) {
    if (isOfCount) {
      replyCounted(taken, writer);
      return;
    }
    writer.arrayStart(3);
    writer.string(taken.key());
    for (ScoredValue<byte[]> member : taken.members()) {
      reply(member, writer);
    }
  }

  /// The key and an array of the members, each with its score.
  static void replyCounted(Taken taken, ResponseWriter writer) {
    writer.arrayStart(2);
    writer.string(taken.key());
    writer.arrayStart(taken.members().size());
    for (ScoredValue<byte[]> member : taken.members()) {
      writer.arrayStart(2);
      reply(member, writer);
    }
  }

  private static void reply(ScoredValue<byte[]> member, ResponseWriter writer) {
    writer.string(member.getValue());
    writer.doubles(member.score()); // as Redis writes it: REPLIES-3
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // No client waits for what is put back.
  void putBack(Resp3Handler handler, Taken taken) {
    putBack(EachType.of(handler), handler.getSortedSeMultimap(), taken);
  }

  /// A set that has gone with its last member is made again, with the time to live that it had. A
  /// member that has another score since keeps that.
  static CompletionStage<?> putBack(
      AdvancedCache<byte[], Object> cache,
      EmbeddedMultimapSortedSetCache<byte[], byte[]> sets,
      Taken taken) {
    CacheEntry<byte[], Object> set = taken.set();
    CompletionStage<Boolean> made =
        set == null
            ? CompletableFuture.completedFuture(false)
            : cache
                .putIfAbsentAsync(
                    taken.key(),
                    new SortedSetBucket<byte[]>().replace(taken.members()),
                    Renaming.metadata(set))
                .thenApply(there -> there == null);
    return made.thenCompose(isMade ->
        isMade
            ? CompletableFuture.completedFuture(0L)
            : sets.addMany(
                taken.key(), taken.members(), SortedSetAddArgs.create().addOnly().build()));
  }
}
