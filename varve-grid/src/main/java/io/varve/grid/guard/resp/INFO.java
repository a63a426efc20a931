package io.varve.grid.guard.resp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;

/// Infinispan's command, with what is true of a node. A command is called as its class is.
///
/// (INFO-1) The commit of the build is unknown, as for a package of Redis: Infinispan has the name
/// of a property there. The policy is that of `CONFIG GET`, as a node evicts nothing for good:
/// libraries of queues warn of another. A section that is unknown has no lines.
final class INFO extends org.infinispan.server.resp.commands.INFO {
  private static final Set<String> SECTIONS =
      Set.of(
          "ALL",
          "CLIENTS",
          "CLUSTER",
          "COMMANDSTATS",
          "CPU",
          "DEFAULT",
          "ERRORSTATS",
          "EVERYTHING",
          "KEYSPACE",
          "LATENCYSTATS",
          "MEMORY",
          "MODULES",
          "PERSISTENCE",
          "REPLICATION",
          "SENTINEL",
          "SERVER",
          "STATS");

  private static final String LINE_END = "\r\n";

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    List<byte[]> known =
        arguments.stream()
            .filter(word -> SECTIONS.contains(new String(word, UTF_8).toUpperCase(Locale.ROOT)))
            .toList();
    if (known.isEmpty() && !arguments.isEmpty()) {
      handler.writer().string("");
      return handler.myStage();
    }
    String reply = KeptReply.of(handler, () -> super.perform(handler, ctx, known)).toString(UTF_8);
    String lines =
        reply.substring(
            reply.indexOf(LINE_END) + LINE_END.length(), reply.length() - LINE_END.length());
    handler
        .writer()
        .string(
            lines
                .replaceFirst("(?m)^redis_git_sha1:.*$", "redis_git_sha1:00000000")
                .replaceFirst("(?m)^maxmemory_policy:.*$", "maxmemory_policy:noeviction"));
    return handler.myStage();
  }
}
