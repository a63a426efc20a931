package io.varve.grid.guard.http;

import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.varve.grid.guard.entry.CacheDefinition;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.global.GlobalConfiguration;
import org.jspecify.annotations.Nullable;

/// Looks at definitions of caches and counters before they are parsed.
///
/// (DEFINITION-1) It does so when the user is known, and on a thread that carries out requests:
/// readers take long for some texts. On the event loop, and before the login, two requests of
/// nobody stopped a node.
final class DefinitionFilter {
  private final GlobalConfiguration global;

  DefinitionFilter(GlobalConfiguration global) {
    this.global = global;
  }

  /// Why a request is not carried out, or null if it is.
  @Nullable String refusal(FullHttpRequest request) {
    if (!request.content().isReadable()) {
      return null;
    }
    OfferedRequests.Content content = OfferedRequests.content(request.method(), request.uri());
    if (content == OfferedRequests.Content.OTHER) {
      return null;
    }
    if (request.content().readableBytes() > CacheDefinition.BYTES_MAX) {
      return CacheDefinition.TOO_LONG;
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
