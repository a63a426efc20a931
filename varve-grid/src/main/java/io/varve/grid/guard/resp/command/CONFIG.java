package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.serialization.Resp3Type;
import org.infinispan.server.resp.serialization.ResponseWriter;

/// Infinispan's command, whose `GET` knows two parameters, takes one name and no pattern, and gives
/// other names an empty value. This one gives those that match any of the patterns, as Redis does:
/// the parameters that clients and exporters of metrics ask for, with what is true of a node. A
/// command is called as its class is.
///
/// (CONFIG-1) `SET` changes nothing. It is refused, unless the parameter has the value already:
/// Infinispan answers `OK`, so that a client waits for events that never come.
public final class CONFIG extends org.infinispan.server.resp.commands.CONFIG {
  private final Map<String, String> parameters = new LinkedHashMap<>();

  /// @param valueBytesMax the longest value that the process takes
  public CONFIG(long valueBytesMax) {
    parameters.put("appendonly", "no"); // what persists is not in Redis' files
    parameters.put("databases", "1");
    parameters.put("maxmemory", "0");
    parameters.put("maxmemory-policy", "noeviction");
    parameters.put("notify-keyspace-events", "");
    parameters.put("proto-max-bulk-len", Long.toString(valueBytesMax));
    parameters.put("save", "");
  }

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    String word = new String(arguments.getFirst(), StandardCharsets.UTF_8).toLowerCase(Locale.ROOT);
    List<byte[]> words = arguments.subList(1, arguments.size());
    ResponseWriter writer = handler.writer();
    switch (word) {
      case "get" -> {
        if (words.isEmpty()) {
          writer.customError("wrong number of arguments for 'config|get' command");
        } else {
          writer.map(found(words), Resp3Type.BULK_STRING);
        }
      }
      case "set" -> set(writer, words);
      case "resetstat" -> writer.ok(); // INFO counts nothing that could be 0 again.
      default -> writer.customError("unknown subcommand: CONFIG has GET, SET and RESETSTAT");
    }
    return handler.myStage();
  }

  /// CONFIG-1
  private void set(ResponseWriter writer, List<byte[]> words) {
    if (words.isEmpty() || words.size() % 2 > 0) {
      writer.customError("wrong number of arguments for 'config|set' command");
      return;
    }
    for (int at = 0; at < words.size(); at += 2) {
      String name = new String(words.get(at), StandardCharsets.UTF_8).toLowerCase(Locale.ROOT);
      String value = new String(words.get(at + 1), StandardCharsets.UTF_8);
      if (!value.equals(parameters.get(name))) {
        writer.customError(
            "CONFIG SET failed - a node has no parameters that clients set: it has options, see"
                + " ./varve serve --help");
        return;
      }
    }
    writer.ok();
  }

  private Map<String, String> found(List<byte[]> patterns) {
    Map<String, String> found = new LinkedHashMap<>(parameters);
    found.keySet().removeIf(name -> patterns.stream().noneMatch(pattern -> matches(pattern, name)));
    return found;
  }

  private static boolean matches(byte[] pattern, String name) {
    String lowerCase = new String(pattern, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
    return GlobPattern.matches(
        lowerCase.getBytes(StandardCharsets.ISO_8859_1), name.getBytes(StandardCharsets.US_ASCII));
  }
}
