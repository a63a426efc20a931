package io.varve.grid.guard;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.global.GlobalConfiguration;
import org.jspecify.annotations.Nullable;

/// Looks at definitions of caches and counters before they are parsed.
final class DefinitionFilter extends ChannelInboundHandlerAdapter {
  private final GlobalConfiguration global;

  DefinitionFilter(GlobalConfiguration global) {
    this.global = global;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof FullHttpRequest request && request.content().isReadable()) {
      String refusal = refusal(request);
      if (refusal != null) {
        request.release();
        new RefusedRequest()
            .answer(
                ctx,
                new Refusal(HttpResponseStatus.FORBIDDEN, "refused: " + refusal),
                /* hasEnded= */ true);
        return;
      }
    }
    ctx.fireChannelRead(message);
  }

  private @Nullable String refusal(FullHttpRequest request) {
    OfferedRequests.Content content = OfferedRequests.content(request.method(), request.uri());
    if (content == OfferedRequests.Content.OTHER) {
      return null;
    }
    String text = request.content().toString(StandardCharsets.UTF_8);
    return content == OfferedRequests.Content.COUNTER
        ? CacheDefinition.counterRefusal(text)
        : CacheDefinition.refusal(text, format(request), global);
  }

  /// The format that Infinispan reads a definition in, or null where it goes by the first letter.
  private static @Nullable MediaType format(FullHttpRequest request) {
    CharSequence type = HttpUtil.getMimeType(request);
    if (type == null) {
      return null;
    }
    return switch (type.toString().strip().toLowerCase(Locale.ROOT)) {
      case MediaType.APPLICATION_JSON_TYPE -> MediaType.APPLICATION_JSON;
      case MediaType.APPLICATION_XML_TYPE -> MediaType.APPLICATION_XML;
      case MediaType.APPLICATION_YAML_TYPE -> MediaType.APPLICATION_YAML;
      default -> null;
    };
  }
}
