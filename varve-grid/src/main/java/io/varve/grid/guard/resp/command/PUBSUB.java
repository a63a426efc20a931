package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.infinispan.commons.marshall.WrappedByteArray;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.serialization.Resp3Type;
import org.infinispan.server.resp.serialization.ResponseWriter;

/// Infinispan's command, which lacks `NUMSUB`, `HELP` and what there is of shards: a node has no
/// channels of those. Its `CHANNELS` compares each channel with each other, and its patterns fail
/// at some thousand stars. A command is called as its class is.
public final class PUBSUB extends org.infinispan.server.resp.commands.pubsub.PUBSUB {
  private static final List<String> HELP =
      List.of(
          "PUBSUB <subcommand> [<arg> ...]. Subcommands are:",
          "CHANNELS [<pattern>]",
          "NUMPAT",
          "NUMSUB [<channel> ...]",
          "SHARDCHANNELS [<pattern>]",
          "SHARDNUMSUB [<channel> ...]",
          "HELP");

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    ResponseWriter writer = handler.writer();
    List<byte[]> words = arguments.subList(1, arguments.size());
    switch (new String(arguments.getFirst(), StandardCharsets.US_ASCII).toUpperCase(Locale.ROOT)) {
      case "CHANNELS" -> {
        if (words.size() > 1) {
          return super.perform(handler, ctx, arguments);
        }
        if (!words.isEmpty() && words.getFirst().length > GlobPattern.BYTES_MAX) {
          writer.customError(GlobPattern.TOO_LONG);
          return handler.myStage();
        }
        channels(writer, words, Channels.subscribed(handler).keySet());
      }
      case "NUMPAT" -> writer.integers(patterns(handler));
      case "NUMSUB" -> counts(writer, words, Channels.subscribed(handler));
      case "SHARDNUMSUB" -> counts(writer, words, Map.of());
      case "SHARDCHANNELS" -> writer.arrayEmpty();
      case "HELP" -> help(writer);
      default -> {
        return super.perform(handler, ctx, arguments);
      }
    }
    return handler.myStage();
  }

  private static void channels(
      ResponseWriter writer, List<byte[]> pattern, Set<WrappedByteArray> subscribed) {
    List<byte[]> channels =
        subscribed.stream()
            .map(WrappedByteArray::getBytes)
            .filter(
                channel -> pattern.isEmpty() || GlobPattern.matches(pattern.getFirst(), channel))
            .toList();
    writer.array(channels, Resp3Type.BULK_STRING);
  }

  private static long patterns(Resp3Handler handler) {
    return Channels.listeners(handler).stream()
        .flatMap(listener -> listener.patterns().stream())
        .map(WrappedByteArray::new)
        .distinct()
        .count();
  }

  private static void counts(
      ResponseWriter writer, List<byte[]> channels, Map<WrappedByteArray, Long> subscribed) {
    writer.arrayStart(2 * channels.size());
    for (byte[] channel : channels) {
      writer.arrayNext();
      writer.string(channel);
      writer.arrayNext();
      writer.integers(subscribed.getOrDefault(new WrappedByteArray(channel), 0L));
    }
    writer.arrayEnd();
  }

  private static void help(ResponseWriter writer) {
    writer.arrayStart(HELP.size());
    for (String line : HELP) {
      writer.arrayNext();
      writer.simpleString(line);
    }
    writer.arrayEnd();
  }
}
