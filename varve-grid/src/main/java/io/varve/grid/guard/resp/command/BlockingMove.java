package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.infinispan.multimap.impl.EmbeddedMultimapListCache;
import org.infinispan.server.resp.AclCategory;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.serialization.ResponseWriter;

/// `BLMOVE` and `BRPOPLPUSH`: move an element of a list to another, by [Moving]. Infinispan has
/// none of them.
///
/// What was moved for a connection that has ended since stays where it was moved to.
public final class BlockingMove extends BlockingCommand<BlockingMove.Moved> {
  private final boolean hasEnds;
  private final long valueBytesMax;

  private BlockingMove(Description description, long valueBytesMax) {
    super(description, BlockedKeys.Kind.LIST);
    this.valueBytesMax = valueBytesMax;
    hasEnds = getName().equals("BLMOVE");
  }

  /// All of these commands.
  ///
  /// @param valueBytesMax of the list that an element is moved to
  public static List<RespCommand> all(long valueBytesMax) {
    long mask =
        AclCategory.WRITE.mask()
            | AclCategory.LIST.mask()
            | AclCategory.SLOW.mask()
            | AclCategory.BLOCKING.mask();
    return List.of(
        new BlockingMove(new Description("BLMOVE", 6, 1, 2, mask), valueBytesMax),
        new BlockingMove(new Description("BRPOPLPUSH", 4, 1, 2, mask), valueBytesMax));
  }

  /// An element that was moved.
  ///
  /// @param reach the keys that it may have reached since, by clients that waited when it was moved
  record Moved(byte[] element, BlockedKeys.Reach reach) {}

  /// `source destination [LEFT|RIGHT LEFT|RIGHT] timeout`
  @Override
  BlockedClient.Wanted<Moved> wanted(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    EmbeddedMultimapListCache<byte[], byte[]> lists = handler.getListMultimap();
    byte[] to = arguments.get(1);
    boolean fromLeft = hasEnds && isFirst(arguments.get(2), "LEFT", "RIGHT");
    boolean toLeft = !hasEnds || isFirst(arguments.get(3), "LEFT", "RIGHT");
    long timeoutMillis = timeoutMillis(arguments.getLast());
    return new BlockedClient.Wanted<>(
        kind(),
        List.of(arguments.getFirst()),
        timeoutMillis,
        List.of(to),
        from -> {
          // Before it is moved: a client that was served waits no more.
          BlockedKeys.Reach reach = BlockedKeys.reach(handler.cache().getName(), List.of(to));
          return Moving.element(
                  handler,
                  ctx.executor(),
                  new Moving.End(lists, from, fromLeft),
                  new Moving.End(lists, to, toLeft),
                  valueBytesMax)
              .thenApply(element -> element == null ? null : new Moved(element, reach));
        });
  }

  @Override
  CompletionStage<Void> served(Moved moved) {
    return moved.reach().served();
  }

  @Override
  void reply(Moved moved, ResponseWriter writer) {
    writer.string(moved.element());
  }

  @Override
  void putBack(Resp3Handler handler, Moved moved) {
    // It was added to a list, where others may have taken it.
  }
}
