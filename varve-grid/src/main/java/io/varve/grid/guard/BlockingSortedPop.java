package io.varve.grid.guard;

import io.netty.channel.ChannelHandlerContext;
import java.util.Collection;
import java.util.List;
import org.infinispan.multimap.impl.EmbeddedMultimapSortedSetCache;
import org.infinispan.multimap.impl.ScoredValue;
import org.infinispan.multimap.impl.SortedSetAddArgs;
import org.infinispan.server.resp.AclCategory;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.serialization.ResponseWriter;

/// `BZPOPMIN`, `BZPOPMAX` and `BZMPOP`: take members of the first of some sorted sets that has any.
/// Infinispan has none of them.
final class BlockingSortedPop extends BlockingCommand<BlockingSortedPop.Taken> {
  private final boolean isOfCount;
  private final boolean isOfLowest;

  private BlockingSortedPop(Description description) {
    super(description, BlockedKeys.Kind.SORTED_SET);
    isOfCount = getName().equals("BZMPOP");
    isOfLowest = getName().equals("BZPOPMIN");
  }

  /// All of these commands.
  static List<RespCommand> all() {
    long mask =
        AclCategory.WRITE.mask() | AclCategory.SORTEDSET.mask() | AclCategory.BLOCKING.mask();
    long fast = mask | AclCategory.FAST.mask();
    return List.of(
        new BlockingSortedPop(new Description("BZPOPMIN", -3, 1, -2, fast)),
        new BlockingSortedPop(new Description("BZPOPMAX", -3, 1, -2, fast)),
        new BlockingSortedPop(new Description("BZMPOP", -5, 0, 0, mask | AclCategory.SLOW.mask())));
  }

  /// What a client gets of a sorted set.
  record Taken(byte[] key, Collection<ScoredValue<byte[]>> members) {}

  @Override
  BlockedClient.Wanted<Taken> wanted(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    Counted counted = isOfCount ? counted(arguments, "MIN", "MAX") : ofOne(arguments, isOfLowest);
    EmbeddedMultimapSortedSetCache<byte[], byte[]> sets = handler.getSortedSeMultimap();
    return new BlockedClient.Wanted<>(
        kind(),
        counted.keys(),
        counted.timeoutMillis(),
        List.of(),
        key ->
            sets.pop(key, counted.isFirst(), counted.count())
                .thenApply(members ->
                    members == null || members.isEmpty() ? null : new Taken(key, members)));
  }

  @Override
  void reply(Taken taken, ResponseWriter writer) {
    writer.arrayStart(isOfCount ? 2 : 3);
    writer.string(taken.key());
    if (isOfCount) {
      writer.arrayStart(taken.members().size());
    }
    for (ScoredValue<byte[]> member : taken.members()) {
      if (isOfCount) {
        writer.arrayStart(2);
      }
      writer.string(member.getValue());
      writer.doubles(member.score()); // as Redis writes it: REPLIES-3
    }
  }

  /// A member that has another score since keeps that.
  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // No client waits for what is put back.
  void putBack(Resp3Handler handler, Taken taken) {
    handler
        .getSortedSeMultimap()
        .addMany(taken.key(), taken.members(), SortedSetAddArgs.create().addOnly().build());
  }
}
