package io.varve.grid.guard.resp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.resp.command.Channels;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.infinispan.security.AuthorizationPermission;
import org.infinispan.security.Security;
import org.infinispan.server.core.transport.ConnectionMetadata;
import org.infinispan.server.core.transport.NettyTransport;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.RespServer;
import org.infinispan.server.resp.serialization.Resp3Type;
import org.infinispan.server.resp.serialization.ResponseWriter;
import org.jspecify.annotations.Nullable;

/// Infinispan's command, with lines on clients as those of Redis. Infinispan writes `null` for the
/// user and the database, at which clients fail that read a number, and version 3 for all. A
/// command is called as its class is.
final class CLIENT extends org.infinispan.server.resp.commands.connection.CLIENT {
  private static final byte MAP = '%';
  private static final int NAME_CHARS_MAX = 1_024;
  private static final String NO_NAME =
      "a connection has one name, without spaces, newlines or special characters: max="
          + NAME_CHARS_MAX;

  /// Those of Redis, of which a node has the first and the last.
  private static final List<String> TYPES = List.of("normal", "master", "replica", "pubsub");

  private static final char FIRST_OF_NAMES = '!';
  private static final char LAST_OF_NAMES = '~';

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    List<String> words = arguments.stream().map(word -> new String(word, UTF_8)).toList();
    int count = words.size();
    switch (words.getFirst().toUpperCase(Locale.ROOT)) {
      case "INFO" -> {
        if (isAlone(handler.writer(), words)) {
          handler.writer().string(line(ctx.channel()));
        }
      }
      case "LIST" -> {
        handler.checkPermission(AuthorizationPermission.ADMIN);
        list(handler, words.subList(1, count));
      }
      case "TRACKINGINFO" -> { // Infinispan's fails.
        if (isAlone(handler.writer(), words)) {
          trackNothing(handler.writer());
        }
      }
      case "SETNAME" -> {
        if (count == 2 && name(ctx.channel(), words.get(1))) {
          handler.writer().ok();
        } else {
          handler.writer().customError(NO_NAME);
        }
      }
      default -> {
        return super.perform(handler, ctx, arguments);
      }
    }
    return handler.myStage();
  }

  /// Whether a word has no others after it, and refuses them.
  private static boolean isAlone(ResponseWriter writer, List<String> words) {
    if (words.size() > 1) {
      writer.customError(
          "wrong number of arguments for 'client|"
              + words.getFirst().toLowerCase(Locale.ROOT)
              + "' command");
    }
    return words.size() == 1;
  }

  private static void trackNothing(ResponseWriter writer) {
    writer.writeNumericPrefix(MAP, 3);
    writer.string("flags");
    writer.array(List.of("off"), Resp3Type.BULK_STRING);
    writer.string("redirect");
    writer.integers(-1);
    writer.string("prefixes");
    writer.arrayEmpty();
  }

  /// Names a connection. A name is part of a line, and is kept before a login as well.
  ///
  /// @return false if the name is none that a connection may have
  static boolean name(Channel connection, String name) {
    if (name.length() > NAME_CHARS_MAX || !name.chars().allMatch(CLIENT::isOfName)) {
      return false;
    }
    ConnectionMetadata.getInstance(connection).clientName(name);
    return true;
  }

  private static boolean isOfName(int letter) {
    return letter >= FIRST_OF_NAMES && letter <= LAST_OF_NAMES;
  }

  /// Answers the lines of the clients of a server, or of those that have an identity or a type.
  private static void list(Resp3Handler handler, List<String> words) {
    String option = words.isEmpty() ? "" : words.getFirst().toUpperCase(Locale.ROOT);
    List<String> named = words.subList(Math.min(1, words.size()), words.size());
    ResponseWriter writer = handler.writer();
    if (words.isEmpty()) {
      writer.string(lines(handler.respServer(), _ -> true));
    } else if (option.equals("TYPE") && named.size() == 1) {
      String type = named.getFirst().toLowerCase(Locale.ROOT);
      if (TYPES.contains(type)) {
        writer.string(lines(handler.respServer(), channel -> type(channel).equals(type)));
      } else {
        writer.customError("Unknown client type: it is one of " + TYPES);
      }
    } else if (option.equals("ID") && !named.isEmpty()) {
      try {
        Set<Long> identities = named.stream().map(Long::valueOf).collect(Collectors.toSet());
        writer.string(
            lines(
                handler.respServer(),
                channel -> identities.contains(ConnectionMetadata.getInstance(channel).id())));
      } catch (NumberFormatException _) {
        writer.customError("Invalid client ID");
      }
    } else {
      writer.syntaxError();
    }
  }

  private static String lines(RespServer server, Predicate<Channel> asked) {
    NettyTransport transport = server.getTransport();
    if (transport == null) {
      transport = (NettyTransport) server.getEnclosingProtocolServer().getTransport();
    }
    return transport.getAcceptedChannels().stream()
        .filter(server.getChannelMatcher()::matches)
        .filter(asked)
        .map(CLIENT::line)
        .collect(Collectors.joining());
  }

  private static String type(Channel channel) {
    return Channels.subscribes(channel) ? "pubsub" : "normal";
  }

  private static String line(Channel channel) {
    ConnectionMetadata client = ConnectionMetadata.getInstance(channel);
    RespReplies replies = channel.pipeline().get(RespReplies.class);
    String user =
        client.subject() == null
            ? "default"
            : Security.getSubjectUserPrincipalName(client.subject());
    Instant created = client.created();
    long seconds = created == null ? 0 : Duration.between(created, Instant.now()).toSeconds();
    return String.join(
        " ",
        Arrays.asList(
            "id=" + client.id(),
            "addr=" + address(client.remoteAddress()),
            "laddr=" + address(client.localAddress()),
            "name=" + Objects.requireNonNullElse(client.clientName(), ""),
            "age=" + seconds,
            "flags=" + (Channels.subscribes(channel) ? "P" : "N"),
            "db=0",
            "user=" + Objects.requireNonNullElse(user, "default"),
            "lib-name=" + Objects.requireNonNullElse(client.clientLibraryName(), ""),
            "lib-ver=" + Objects.requireNonNullElse(client.clientLibraryVersion(), ""),
            "resp=" + (replies == null ? RespReplies.OLD_VERSION : replies.version()) + "\n"));
  }

  private static String address(@Nullable SocketAddress address) {
    if (!(address instanceof InetSocketAddress of)) {
      return ""; // of a connection that has ended
    }
    String host = of.getAddress().getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + of.getPort(); // of version 6
  }
}
