package io.varve.grid.guard.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.NetUtil;
import io.varve.grid.guard.connection.Refusal;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which requests of a browser are taken: those of the node's own pages, and no others. Other
/// clients are distinguished from a browser by what a browser always sends.
///
/// - ORIGIN-1 `Host` is an address, or a name of the node. A page whose own name is made to resolve
///   to the address of a node (DNS rebinding) keeps its name there.
/// - ORIGIN-2 `Origin` is that of the node, by name and port. Browsers send it with each request
///   that changes something or is of another site; `null` is of no node.
/// - ORIGIN-3 Where there is no `Origin`, `Referer` is of the node, if there is one.
/// - ORIGIN-4 `Sec-Fetch-Site` shows that the request is of the node's own page or of the user; a
///   link of another site may open the console and no more.
final class OriginRules {
  private static final Set<String> OWN = Set.of("same-origin", "none");

  private final Set<String> names;

  /// @param names of the node, in lower case
  OriginRules(Set<String> names) {
    this.names = names;
  }

  @Nullable Refusal refusal(HttpRequest request) {
    HttpHeaders headers = request.headers();
    String host = headers.get(HttpHeaderNames.HOST);
    if (headers.getAll(HttpHeaderNames.HOST).size() > 1 || (host != null && !isOurs(host))) {
      return new Refusal(
          HttpResponseStatus.MISDIRECTED_REQUEST,
          "this node is not called so; start it with --name to say that it is");
    }
    String origin = headers.get(HttpHeaderNames.ORIGIN);
    if (origin != null && (host == null || !host.equalsIgnoreCase(authority(origin)))) {
      return foreign();
    }
    String referer = headers.get(HttpHeaderNames.REFERER);
    if (origin == null && referer != null && isChange(request.method())) {
      if (host == null || !host.equalsIgnoreCase(authority(referer))) {
        return foreign();
      }
    }
    String site = headers.get("Sec-Fetch-Site");
    if (site != null && !OWN.contains(site) && !isLinkToConsole(request)) {
      return foreign();
    }
    return null;
  }

  private static Refusal foreign() {
    return new Refusal(HttpResponseStatus.FORBIDDEN, "refused: a page of another site asks");
  }

  private static boolean isChange(HttpMethod method) {
    return !method.equals(HttpMethod.GET) && !method.equals(HttpMethod.HEAD);
  }

  private static boolean isLinkToConsole(HttpRequest request) {
    String uri = request.uri();
    return request.method().equals(HttpMethod.GET)
        && "navigate".equals(request.headers().get("Sec-Fetch-Mode"))
        && (uri.equals("/") || uri.equals("/console") || uri.startsWith("/console/"));
  }

  /// ORIGIN-1. No page can take an address from its owner, as it can a name.
  private boolean isOurs(String host) {
    String name = withoutPort(host).toLowerCase(Locale.ROOT);
    if (name.endsWith(".")) {
      name = name.substring(0, name.length() - 1);
    }
    return names.contains(name)
        || NetUtil.isValidIpV4Address(name)
        || (name.startsWith("[") && name.endsWith("]") && NetUtil.isValidIpV6Address(name));
  }

  private static String withoutPort(String host) {
    int colon = host.lastIndexOf(':');
    return colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
  }

  /// Name and port of a URL, as `Host` has them, or nothing if it is none.
  private static String authority(String url) {
    try {
      String authority = new URI(url).getRawAuthority();
      return authority == null ? "" : authority;
    } catch (URISyntaxException e) {
      return "";
    }
  }
}
