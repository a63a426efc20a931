package io.varve.grid.guard.resp.command;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.marshall.WrappedByteArray;
import org.infinispan.filter.KeyValueFilterConverter;
import org.infinispan.notifications.cachelistener.filter.CacheEventFilter;
import org.infinispan.notifications.cachelistener.filter.KeyValueFilterConverterAsCacheEventFilterConverter;
import org.infinispan.server.resp.commands.pubsub.KeyChannelUtils;
import org.infinispan.server.resp.filter.EventListenerConverter;
import org.infinispan.server.resp.filter.GlobMatchFilterConverterFactory;
import org.jspecify.annotations.Nullable;

/// The patterns of channels that a connection of RESP subscribes to. Used by its event loop alone.
///
/// - PATTERNS-1 All patterns of a connection have one listener. Other nodes send it each message,
///   and it compares them. So a write that is no message costs the same with one pattern as with
///   many, and nodes of an earlier release know its filter.
/// - PATTERNS-2 A connection has at most [#PATTERNS_MAX] patterns of [#BYTES_MAX] together, and a
///   channel whose name is longer than [ChannelListener#CHANNEL_BYTES_MAX] matches none. To compare
///   takes at most the time of the one by the other (GLOB-1).
@SuppressWarnings("FutureReturnValueIgnored") // no thread waits for the end of a listener
public final class ChannelPatterns {
  private static final int PATTERNS_MAX = 1_024;

  private static final int BYTES_MAX = 64 << 10;

  static final String TOO_MANY =
      "too many patterns of a connection: max="
          + PATTERNS_MAX
          + ", bytes together="
          + BYTES_MAX
          + "; use several connections";

  private static final AttributeKey<ChannelPatterns> KEY =
      AttributeKey.valueOf(ChannelPatterns.class, "patterns");

  private final Channel connection;

  private @Nullable ChannelListener listener; // while there are patterns
  private @Nullable AdvancedCache<byte[], Object> listened;

  private ChannelPatterns(Channel connection) {
    this.connection = connection;
  }

  /// The patterns of a connection, which end with it. Called by its event loop alone.
  public static ChannelPatterns of(Channel connection) {
    ChannelPatterns known = connection.attr(KEY).get();
    if (known != null) {
      return known;
    }
    var patterns = new ChannelPatterns(connection);
    connection.attr(KEY).set(patterns);
    connection.closeFuture().addListener(_ -> patterns.set(List.of()));
    return patterns;
  }

  List<byte[]> all() {
    return listener == null ? List.of() : listener.patterns();
  }

  /// The patterns in their order, for [#set] with some more or less.
  Set<WrappedByteArray> copy() {
    Set<WrappedByteArray> copy = new LinkedHashSet<>();
    all().forEach(pattern -> copy.add(new WrappedByteArray(pattern)));
    return copy;
  }

  /// Whether there may be so many. PATTERNS-2
  static boolean fits(List<byte[]> patterns) {
    return patterns.size() <= PATTERNS_MAX
        && patterns.stream().mapToLong(pattern -> pattern.length).sum() <= BYTES_MAX;
  }

  /// Begins to listen for messages of any channel, unless it does. PATTERNS-1
  CompletionStage<Void> listen(AdvancedCache<byte[], byte[]> cache) {
    if (listener != null) {
      return CompletableFuture.completedFuture(null);
    }
    var added = new ChannelListener(connection, null);
    AdvancedCache<byte[], Object> values = ChannelListener.values(cache);
    var converter =
        new EventListenerConverter<byte[], Object, Object>(values.getValueDataConversion());
    return values
        .addListenerAsync(added, allChannels(), converter) // which converts nothing
        .thenRunAsync(
            () -> {
              listener = added;
              listened = values;
              if (!connection.isActive()) {
                set(List.of());
              }
            },
            connection.eventLoop());
  }

  /// Looks at keys alone. Of no format, so that no value is converted for it: a list cannot be, and
  /// its write would fail. Without a converter next to it, it would make values empty.
  @SuppressWarnings("unchecked")
  private static CacheEventFilter<byte[], Object> allChannels() {
    byte[] glob = KeyChannelUtils.keyToChannel(new byte[] {'*'});
    KeyValueFilterConverter<?, ?, ?> filter =
        new GlobMatchFilterConverterFactory().getFilterConverter(new Object[] {glob});
    return new KeyValueFilterConverterAsCacheEventFilterConverter<>(
        (KeyValueFilterConverter<byte[], Object, byte[]>) filter, /* format= */ null);
  }

  /// Replaces the patterns, while there is a listener. A connection without any does not listen.
  public void set(List<byte[]> patterns) {
    if (listener == null || listened == null) {
      return;
    }
    listener.match(patterns);
    if (patterns.isEmpty()) {
      listened.removeListenerAsync(listener);
      listener = null;
      listened = null;
    }
  }
}
