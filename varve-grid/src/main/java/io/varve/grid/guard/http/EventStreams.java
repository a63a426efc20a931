package io.varve.grid.guard.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.varve.grid.guard.connection.AsItself;
import io.varve.grid.guard.connection.Connection;
import io.varve.grid.guard.entry.EventKeys;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.rest.ServerSentEvent;
import org.jspecify.annotations.Nullable;

/// The streams of events that clients of HTTP listen to, by `action=listen`.
///
/// - EVENTSTREAM-1 A write to a cache does not wait until those that listen have read its event.
///   Infinispan has it wait for each of them, so that one that does not read stops all writers.
///   Events that are not read are held as messages of channels are ([Connection], CONNECTION-4).
/// - EVENTSTREAM-2 Keys are sent in a format that the keys of the cache can have: as JSON of
///   Protocol Buffers, and as they are else. Infinispan takes the one that is asked for, and JSON
///   if none is. A write whose key cannot be converted to it then fails, for the client that
///   writes. So a key that cannot be is sent as the JSON of its bytes (LISTENER-2).
/// - EVENTSTREAM-3 A key is data of its event, whatever bytes it has. A carriage return ends a line
///   of such a stream as a line feed does, and Infinispan writes it as it is: the rest of a key
///   could be an event of its own. It begins another line of data.
@SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
final class EventStreams extends ChannelDuplexHandler {
  private static final String JSON = marked(MediaType.APPLICATION_JSON);
  private static final String TEXT = marked(MediaType.TEXT_PLAIN);
  private static final byte RETURN = '\r';
  private static final byte[] MORE_DATA = "\ndata: ".getBytes(US_ASCII);
  private static final int CACHE_PARTS = 4; // rest, v2, caches, NAME

  private final EmbeddedCacheManager caches;
  private Connection connection;

  @SuppressWarnings("NullAway") // The connection is set as soon as the handler is added.
  EventStreams(EmbeddedCacheManager caches) {
    this.caches = caches;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    connection = Connection.of(ctx.channel());
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof HttpRequest request) {
      String cache = listenedTo(request);
      if (cache != null) {
        request.headers().set(HttpHeaderNames.ACCEPT, keyFormat(cache)); // EVENTSTREAM-2
      }
    }
    ctx.fireChannelRead(message);
  }

  /// The name of the cache whose events a request asks for, or null if it asks for none.
  private static @Nullable String listenedTo(HttpRequest request) {
    RequestTarget target = RequestTarget.of(request.uri());
    return target != null
            && target.parts().size() == CACHE_PARTS
            && target.parts().get(2).equals("caches")
            && target.parameters().getOrDefault("action", List.of()).contains("listen")
        ? target.parts().get(3)
        : null;
  }

  private static String marked(MediaType format) {
    return String.valueOf(EventKeys.marked(format));
  }

  private String keyFormat(String cache) {
    Configuration configuration = AsItself.call(() -> caches.getCacheConfiguration(cache));
    return configuration != null
            && MediaType.APPLICATION_PROTOSTREAM.match(
                configuration.encoding().keyDataType().mediaType())
        ? JSON
        : TEXT;
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (!(message instanceof ServerSentEvent event)) {
      ctx.write(message, promise);
      return;
    }
    var content = new DefaultHttpContent(lines(event.content()));
    int bytes = content.content().readableBytes();
    if (connection.push(bytes)) {
      ctx.write(content).addListener(_ -> connection.pushed(bytes));
      promise.trySuccess(); // EVENTSTREAM-1
    } else {
      content.release();
      promise.tryFailure(new ClosedChannelException());
    }
  }

  /// EVENTSTREAM-3
  private static ByteBuf lines(ByteBuf event) {
    if (event.indexOf(event.readerIndex(), event.writerIndex(), RETURN) < 0) {
      return event;
    }
    ByteBuf lines = Unpooled.buffer(event.readableBytes());
    while (event.isReadable()) {
      byte next = event.readByte();
      if (next != RETURN) {
        lines.writeByte(next);
      } else if (event.getByte(event.readerIndex()) != '\n') { // which ends each event
        lines.writeBytes(MORE_DATA);
      }
    }
    event.release();
    return lines;
  }
}
