package io.varve.grid.guard.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.varve.grid.guard.connection.ProxiedCall;
import java.lang.reflect.Proxy;
import org.infinispan.rest.NettyRestResponse;
import org.infinispan.rest.framework.LookupResult;
import org.infinispan.rest.framework.Method;
import org.infinispan.rest.framework.RestRequest;
import org.infinispan.rest.framework.RestResponse;

/// The length that `HEAD` of an entry is answered by.
///
/// (ENTRYLENGTH-1) It is that of the answer to `GET`. Infinispan answers 0, whatever the entry is.
/// So the entry is read as for `GET`, and a header of ours has the length until the answer is
/// written: what writes it sets a length of its own before.
final class EntryLengths {
  private static final String LENGTH = "varve-length";

  private EntryLengths() {}

  /// Whether a request is `HEAD` of an entry.
  static boolean takes(RestRequest request, LookupResult found) {
    return request.method() == Method.HEAD
        && request.getAction() == null
        && found.getVariables().containsKey("cacheKey");
  }

  /// The request as one of `GET`.
  static RestRequest reading(RestRequest request) {
    return (RestRequest)
        Proxy.newProxyInstance(
            RestRequest.class.getClassLoader(),
            new Class<?>[] {RestRequest.class},
            (_, method, arguments) ->
                method.getName().equals("method")
                    ? Method.GET
                    : ProxiedCall.pass(request, method, arguments));
  }

  /// Notes the length of an answer to a request that was read so.
  static RestResponse noted(RestResponse response) {
    if (response instanceof NettyRestResponse answer && answer.getEntity() != null) {
      Object entity = answer.getEntity();
      byte[] bytes = entity instanceof byte[] value ? value : entity.toString().getBytes(UTF_8);
      answer.getResponse().headers().set(LENGTH, bytes.length);
    }
    return response;
  }

  /// Sets the length that was noted.
  static void set(HttpResponse response) {
    HttpHeaders headers = response.headers();
    String length = headers.get(LENGTH);
    if (length != null) {
      headers.remove(LENGTH).set(HttpHeaderNames.CONTENT_LENGTH, length);
    }
  }
}
