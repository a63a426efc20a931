package io.varve.grid.guard.resp.command;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.commons.marshall.WrappedByteArray;
import org.infinispan.notifications.Listener;
import org.infinispan.notifications.cachelistener.annotation.CacheEntryCreated;
import org.infinispan.notifications.cachelistener.annotation.CacheEntryModified;
import org.infinispan.notifications.cachelistener.event.CacheEntryEvent;
import org.infinispan.server.resp.commands.pubsub.KeyChannelUtils;
import org.infinispan.server.resp.commands.pubsub.RespCacheListener;
import org.jspecify.annotations.Nullable;

/// Sends a connection of RESP the messages of a channel, or of its patterns. A message is a change
/// of an entry. Infinispan asks for a public class.
///
/// (CHANNELS-3) A client has its first message of a channel or pattern after the answer to its
/// subscription. What is published before counts it as no subscriber.
///
/// **Threads:** any. The event loop of the connection compares, and sends.
@Listener(clustered = true)
@SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
public final class ChannelListener implements RespCacheListener {
  static final int CHANNEL_BYTES_MAX = 1_024; // of those that are compared with patterns

  private final Channel connection;
  private final byte @Nullable [] channel;

  /// Replaced as a whole by the event loop of the connection, and read by any thread.
  private volatile List<byte[]> patterns = List.of();

  /// Whether the subscription to the channel was answered. Set by the event loop of the connection.
  private volatile boolean answered;

  /// @param channel null for those that match patterns
  ChannelListener(Channel connection, byte @Nullable [] channel) {
    this.connection = connection;
    this.channel = channel;
  }

  /// Sets the patterns, of which all that match bring a message, in their order.
  void match(List<byte[]> replacing) {
    patterns = List.copyOf(replacing);
  }

  /// Notes that the subscription to the channel was answered. (CHANNELS-3)
  void answered() {
    answered = true;
  }

  List<byte[]> patterns() {
    return patterns;
  }

  private List<byte[]> matching(byte[] name) {
    return name.length > CHANNEL_BYTES_MAX // PATTERNS-2
        ? List.of()
        : patterns.stream().filter(pattern -> GlobPattern.matches(pattern, name)).toList();
  }

  /// A cache with values as they are stored. Messages are strings, which are bytes there. What else
  /// is written is no message, and cannot be made bytes: the write would fail.
  static AdvancedCache<byte[], Object> values(AdvancedCache<byte[], byte[]> cache) {
    return cache.withMediaType(
        MediaType.APPLICATION_OCTET_STREAM, cache.getValueDataConversion().getStorageMediaType());
  }

  /// Called by Infinispan.
  @CacheEntryCreated
  @CacheEntryModified
  public void published(CacheEntryEvent<Object, Object> event) {
    if (!(event.getValue() instanceof byte[] message)) {
      return;
    }
    byte[] key =
        event.getKey() instanceof WrappedByteArray array
            ? array.getBytes()
            : (byte[]) event.getKey();
    byte[] name = KeyChannelUtils.channelToKey(key);
    try {
      connection.eventLoop().execute(() -> send(name, message));
    } catch (RejectedExecutionException _) {
      // The node stops, and its connections have ended.
    }
  }

  private void send(byte[] name, byte[] message) {
    if (channel == null) {
      matching(name).forEach(pattern -> write("pmessage", pattern, name, message));
    } else if (answered) {
      write("message", name, message);
    }
  }

  private void write(String word, byte[]... parts) {
    int length = word.length();
    for (byte[] part : parts) {
      length += part.length;
    }
    ByteBuf push = connection.alloc().buffer(length);
    push.writeCharSequence(">" + (parts.length + 1) + "\r\n", US_ASCII); // as in REPLIES-1
    writeString(push, word.getBytes(US_ASCII));
    for (byte[] part : parts) {
      writeString(push, part);
    }
    connection.writeAndFlush(push, connection.voidPromise());
  }

  private static void writeString(ByteBuf push, byte[] string) {
    push.writeCharSequence("$" + string.length + "\r\n", US_ASCII);
    push.writeBytes(string);
    push.writeCharSequence("\r\n", US_ASCII);
  }

  /// How many times the connection gets a message of a channel by this listener.
  int timesReceived(byte[] name) {
    if (channel == null) {
      return matching(name).size();
    }
    return answered && Arrays.equals(channel, name) ? 1 : 0;
  }

  @Override
  public byte @Nullable [] subscribedChannel() {
    return answered ? channel : null;
  }

  @Override
  public byte @Nullable [] pattern() {
    return null; // There may be many.
  }
}
