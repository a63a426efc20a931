package io.varve.grid.guard.memcached;

import io.netty.channel.ChannelPipeline;
import javax.security.auth.Subject;
import org.infinispan.server.core.transport.ConnectionMetadata;
import org.infinispan.server.memcached.MemcachedBaseDecoder;
import org.infinispan.server.memcached.MemcachedServer;
import org.infinispan.server.memcached.binary.BinaryOpDecoderImpl;
import org.infinispan.server.memcached.text.TextOpDecoderImpl;
import org.jspecify.annotations.Nullable;

/// What reads requests of memcached: Infinispan installs its own decoders, at the begin of a
/// connection or after its login.
final class MemcachedDecoders {
  private MemcachedDecoders() {}

  /// Replaces Infinispan's decoder of requests by ours. One that waits for a login stays.
  ///
  /// @return ours, if it was not there before
  static @Nullable MemcachedBaseDecoder install(ChannelPipeline pipeline, MemcachedServer server) {
    MemcachedBaseDecoder infinispans = pipeline.get(MemcachedBaseDecoder.class);
    Subject subject = ConnectionMetadata.getInstance(pipeline.channel()).subject();
    MemcachedBaseDecoder own =
        switch (infinispans) {
          case MemcachedText _, MemcachedBinary _ -> null;
          case TextOpDecoderImpl _ -> new MemcachedText(server, subject);
          case BinaryOpDecoderImpl _ -> new MemcachedBinary(server, subject);
          case null, default -> null;
        };
    if (own != null) {
      pipeline.replace(infinispans, pipeline.context(infinispans).name(), own);
    }
    return own;
  }
}
