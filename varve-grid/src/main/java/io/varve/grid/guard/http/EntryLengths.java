package io.varve.grid.guard.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import org.infinispan.rest.NettyRestResponse;
import org.infinispan.rest.framework.Method;
import org.infinispan.rest.framework.RestRequest;
import org.infinispan.rest.framework.RestResponse;

/// The length that `HEAD` of an entry is answered by.
///
/// (ENTRYLENGTH-1) It is that of the answer to `GET`. Infinispan answers 0, whatever the entry is.
/// So the entry is read as for `GET`, and a header of ours has the length until the answer is
/// written: what writes it sets a length of its own before. Where the answer to `GET` may be
/// compressed, its length is known when that is done: `HEAD` has it in chunks.
final class EntryLengths {
  private static final String LENGTH = "varve-length";
  private static final String UNKNOWN = "";

  private EntryLengths() {}

  /// Notes the length of an answer to a request for an entry.
  static RestResponse noted(RestRequest request, RestResponse response) {
    if (request.method() == Method.HEAD
        && response instanceof NettyRestResponse answer
        && answer.getEntity() != null) {
      Object entity = answer.getEntity();
      byte[] bytes = entity instanceof byte[] value ? value : entity.toString().getBytes(UTF_8);
      boolean isCompressed = request.header(HttpHeaderNames.ACCEPT_ENCODING.toString()) != null;
      answer
          .getResponse()
          .headers()
          .set(LENGTH, isCompressed ? UNKNOWN : Integer.toString(bytes.length));
    }
    return response;
  }

  /// Sets the length that was noted.
  static void set(HttpResponse response) {
    HttpHeaders headers = response.headers();
    String length = headers.get(LENGTH);
    if (length != null) {
      headers.remove(LENGTH);
      if (length.equals(UNKNOWN)) {
        HttpUtil.setTransferEncodingChunked(response, true); // Without any, the connection ends.
      } else {
        headers.set(HttpHeaderNames.CONTENT_LENGTH, length);
      }
    }
  }
}
