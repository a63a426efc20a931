package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.commands.ArgumentUtils;
import org.infinispan.server.resp.commands.sortedset.ZSetCommonUtils;
import org.infinispan.server.resp.serialization.ResponseWriter;
import org.jspecify.annotations.Nullable;

/// Infinispan's command, which goes through the members from the first one for each that it
/// chooses: a client that asked for all of 30,000 waited for many seconds, and those of a negative
/// count took a thread for minutes. A command is called as its class is.
public final class ZRANDMEMBER extends org.infinispan.server.resp.commands.sortedset.ZRANDMEMBER {
  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    boolean isOfOne = arguments.size() == 1;
    boolean hasScores = arguments.size() > 2 && ZSetCommonUtils.isWithScoresArg(arguments.get(2));
    int count;
    try {
      count = isOfOne ? 1 : ArgumentUtils.toInt(arguments.get(1));
    } catch (NumberFormatException _) {
      return super.perform(handler, ctx, arguments); // which refuses it
    }
    if (isOfOne || (arguments.size() > 2 && !hasScores)) {
      return super.perform(handler, ctx, arguments);
    }
    return handler.stageToReturn(
        handler
            .getSortedSeMultimap()
            .getValueAsList(arguments.getFirst())
            .thenApply(members -> ZSetCommonUtils.response(chosen(members, count), hasScores)),
        ctx,
        ResponseWriter.CUSTOM);
  }

  /// @param count of different ones; a negative one is of any
  private static <T> List<T> chosen(@Nullable List<T> members, int count) {
    if (members == null || members.isEmpty()) {
      return List.of();
    }
    if (count < 0) {
      return ThreadLocalRandom.current()
          .ints(-(long) count, 0, members.size())
          .mapToObj(members::get)
          .toList();
    }
    List<T> shuffled = new ArrayList<>(members);
    Collections.shuffle(shuffled);
    return shuffled.subList(0, Math.min(count, shuffled.size()));
  }
}
